#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingest/perfetto/packet.h"

namespace tilebound::ingest::perfetto {

struct SampleGroup;

/// Index of a counter descriptor's namespace of ids, see descriptors.h.
using ScopeIndex = std::uint32_t;

/// Names that a sequence interned between two clears of its state.
struct InternedNames {
  std::unordered_map<std::uint64_t, std::string> specifications;  // render stages and queues
  std::unordered_map<std::uint64_t, std::string> events;
  std::unordered_map<std::uint64_t, std::string> kernels;
};

/// What one writer's packets refer back to (trace_packet.proto, SequenceFlags).
struct Sequence {
  struct InternedScope {
    ScopeIndex scope;
    std::uint32_t generation;
  };

  std::uint32_t id = 0;
  bool seen = false;
  bool state_valid = false;      // an incremental state was begun and nothing lost since
  std::uint32_t generation = 0;  // counts the clears
  std::uint32_t default_clock = 0;
  std::shared_ptr<InternedNames> names;  // of this generation; shared with what refers to it
  std::unordered_map<std::uint64_t, InternedScope> scopes;  // counter descriptors by iid
  SampleGroup* last_group = nullptr;                        // what its latest counter packet fed

  /// The names of this generation, made when first needed.
  const std::shared_ptr<InternedNames>& interned_names();

  /// Takes in the packet's flags and defaults. False when the packet needs state that was lost.
  bool begin_packet(const Packet& packet);
};

/// All sequences of a trace. Beyond a limit that real traces stay far below, further ones share one
/// whose state is never valid.
class Sequences {
 public:
  Sequence& at(std::uint32_t id) {
    if (id < kDirect && direct_[id] != nullptr) [[likely]]
      return *direct_[id];
    return find(id);
  }

 private:
  static constexpr std::uint32_t kDirect = 4096;
  Sequence& find(std::uint32_t id);

  std::array<Sequence*, kDirect> direct_{};
  std::unordered_map<std::uint32_t, std::unique_ptr<Sequence>> by_id_;
  Sequence overflow_;
};

/// Takes in the names for render stages from an InternedData message. False when it is damaged.
bool intern_names(std::string_view interned_data, Sequence& sequence);

}  // namespace tilebound::ingest::perfetto
