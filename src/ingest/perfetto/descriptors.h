#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingest/perfetto/sequence.h"
#include "model/capture.h"

namespace tilebound::ingest::perfetto {

/// More counters than this are no capture of hardware; what goes beyond is dropped with a note.
inline constexpr std::size_t kMostCounters = std::size_t{1} << 16;

/// What a descriptor says about one counter id (GpuCounterSpec).
struct CounterSpec {
  std::uint32_t id = 0;
  std::string name;
  std::string description;
  std::string unit;
  model::CounterKind kind = model::CounterKind::count;
  model::ValueDirection direction = model::ValueDirection::backwards;
};

/// A namespace of counter ids: one GPU for inline descriptors, one interned descriptor of one
/// sequence otherwise. The same id in two scopes is two counters.
struct Scope {
  std::uint32_t gpu = 0;
  bool described = false;
  std::vector<CounterSpec> specs;                          // in the order of the descriptors
  std::unordered_map<std::uint32_t, std::uint32_t> by_id;  // into specs
  std::string interned_bytes;  // of an interned descriptor, to know it when it is sent again
};

/// Collects descriptors, whenever they come. The first spec of an id holds.
class Descriptors {
 public:
  /// The scope of counter events that name no interned descriptor.
  ScopeIndex of_gpu(std::uint32_t gpu);
  /// The scope of events of `sequence` that name interned descriptor `iid`.
  ScopeIndex of_interned(Sequence& sequence, std::uint64_t iid, std::uint32_t event_gpu);

  void add_inline(std::uint32_t gpu, std::string_view descriptor);
  /// Takes in an InternedGpuCounterDescriptor. False when it is damaged.
  bool add_interned(Sequence& sequence, std::string_view bytes);

  const std::vector<Scope>& scopes() const { return scopes_; }

  std::uint64_t duplicate_descriptors = 0;
  std::uint64_t dropped_specs = 0;
  /// "id 7: 'A' and 'B'", the first few, and how many there were.
  std::vector<std::string> duplicate_ids;
  std::uint64_t duplicate_id_count = 0;

 private:
  ScopeIndex add_scope(std::uint32_t gpu);
  void add_specs(Scope& scope, std::string_view descriptor);

  std::vector<Scope> scopes_;
  std::unordered_map<std::uint32_t, ScopeIndex> by_gpu_;
  std::size_t spec_count_ = 0;
};

}  // namespace tilebound::ingest::perfetto
