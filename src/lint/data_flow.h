#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lint/traffic.h"
#include "model/api_frame.h"

/// Who writes an image and who reads it, in the frame and out of it.
///
/// A frame is taken to be like its neighbours: what the next frame does with an image first is what
/// this one does with it first. Two images alike of which the frame reads one and writes the other
/// may change places from frame to frame; then nothing is claimed of them.
namespace tilebound::lint {

/// What becomes of what a pass stores.
enum class Fate : std::uint8_t {
  read,       // later in the frame
  presented,  // goes to the window system
  kept,       // the next frame reads it
  never,      // overwritten, cleared or forgotten before anybody reads it
  unknown,
};

/// Where what a pass loads comes from.
enum class Origin : std::uint8_t {
  pass,        // a pass of the frame stored it
  other_work,  // a transfer or shader of the frame wrote it
  last_frame,  // nobody in the frame before; this frame writes it later
  outside,     // nobody in the frame writes it
  nothing,     // its content is undefined: initial layout UNDEFINED, or dropped by its last pass
  unknown,
};

struct Store {
  Fate fate = Fate::unknown;
  std::vector<std::size_t> readers;        // passes that read it, in order, each once
  bool only_loaded = true;                 // every reader loads it as its own attachment
  std::optional<std::size_t> overwritten;  // by this pass, before anybody reads it
  /// Nobody is seen to read it before that, but shaders may through descriptors that the capture
  /// lacks: the fate is unknown.
  bool unseen_readers = false;
};

struct Load {
  Origin origin = Origin::unknown;
  std::optional<std::size_t> pass;  // that stored it, or dropped it
};

class DataFlow {
 public:
  explicit DataFlow(const model::ApiFrame& frame);

  Store store(std::size_t pass, std::size_t attachment, Aspect aspect) const;
  Load load(std::size_t pass, std::size_t attachment, Aspect aspect) const;

  /// Aspects of an attachment that the pass stores and nobody reads; with `unseen`, those instead
  /// that only readers which the capture does not show could read.
  std::vector<Aspect> dead_stores(std::size_t pass, std::size_t attachment,
                                  bool unseen = false) const;

  /// Passes that use an image in any way, in order, each once.
  std::vector<std::size_t> users(std::size_t image) const;

  /// What the frame does with an image, in order.
  enum class Effect : std::uint8_t {
    load,       // as an attachment
    read,       // in another way
    overwrite,  // all of it, without reading
    write,      // some of it, or in a way that may keep some
    drop,       // what was in it is undefined afterwards
    present,
    unknown,
  };
  struct Event {
    std::uint64_t event = 0;
    std::uint32_t phase = 0;  // loads before reads before stores within a pass
    Effect effect = Effect::read;
    model::ImageRange range;
    Aspect aspect = Aspect::color;
    bool every_aspect = false;
    model::Area area;  // of an attachment's pass
    std::optional<std::size_t> pass;
    std::optional<std::size_t> attachment;
  };
  const std::vector<Event>& events(std::size_t image) const { return events_[image]; }

 private:
  bool may_alternate(std::size_t image) const;
  /// Whether shaders may read an image through descriptors that the capture lacks.
  bool may_have_unseen_readers(std::size_t image) const;

  const model::ApiFrame& frame_;
  std::vector<std::vector<Event>> events_;  // by image, in order
};

}  // namespace tilebound::lint
