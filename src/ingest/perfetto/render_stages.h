#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/perfetto/clocks.h"
#include "ingest/perfetto/sequence.h"
#include "model/capture.h"

namespace tilebound::ingest::perfetto {

/// Collects GpuRenderStageEvents and names their queues and stages at the end.
///
/// Names come from interned specifications of the event's sequence, or from inline Specifications,
/// where a queue's or stage's id is its place in the list.
class RenderStages {
 public:
  /// Takes in one event. False when it is damaged.
  bool event(std::string_view bytes, Sequence& sequence, ClockIndex clock,
             std::optional<std::int64_t> time);

  /// Moves the stages to `capture`, by begin; notes what they lack.
  void finish(const Clocks& clocks, model::Capture& capture);

 private:
  /// A reference into `names`, or into the inline lists where `interned` is false.
  struct NameRef {
    std::uint64_t id = 0;
    bool interned = false;
    bool given = false;
  };
  struct Draft {
    model::RenderStage stage;
    ClockIndex clock = kBoottimeIndex;
    NameRef queue;
    NameRef stage_name;
    std::optional<std::uint64_t> name_iid;
    std::optional<std::uint64_t> kernel_iid;
    std::shared_ptr<InternedNames> names;
  };

  void add_specifications(std::string_view bytes);
  std::string name_of(const NameRef& ref, const Draft& draft, std::string_view noun,
                      const std::vector<std::string>& inline_names);

  std::vector<Draft> drafts_;
  std::vector<std::string> queues_;  // of inline Specifications
  std::vector<std::string> stages_;
  std::uint64_t without_time_ = 0;
  std::uint64_t unnamed_ = 0;
};

}  // namespace tilebound::ingest::perfetto
