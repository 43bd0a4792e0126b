#include "ingest/perfetto/descriptors.h"

#include <fmt/format.h>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/proto_reader.h"
#include "base/text.h"
#include "ingest/perfetto/units.h"
#include "ingest/perfetto/wire.h"

namespace tilebound::ingest::perfetto {

namespace {

using base::bytes_tag;
using base::varint_tag;

constexpr std::size_t kShownDuplicates = 3;
/// Units beyond this many of one counter say nothing more.
constexpr std::size_t kMostUnits = 8;

std::optional<CounterSpec> parse_spec(std::string_view bytes) {
  CounterSpec spec;
  std::vector<std::uint32_t> numerator;
  std::vector<std::uint32_t> denominator;
  base::ProtoReader reader(bytes);
  const auto add_units = [&reader](std::vector<std::uint32_t>& units) {
    for_each_number(reader, [&units](std::uint64_t unit) {
      if (units.size() < kMostUnits) units.push_back(static_cast<std::uint32_t>(unit));
    });
  };
  bool has_id = false;
  while (reader.next()) {
    switch (reader.tag()) {
      case varint_tag(wire::kSpecId):
        spec.id = static_cast<std::uint32_t>(reader.number());
        has_id = true;
        break;
      case bytes_tag(wire::kSpecName):
        spec.name = reader.bytes();
        break;
      case bytes_tag(wire::kSpecDescription):
        spec.description = reader.bytes();
        break;
      case varint_tag(wire::kSpecNumerator):
      case bytes_tag(wire::kSpecNumerator):
        add_units(numerator);
        break;
      case varint_tag(wire::kSpecDenominator):
      case bytes_tag(wire::kSpecDenominator):
        add_units(denominator);
        break;
      case varint_tag(wire::kSpecDirection):
        if (reader.number() == wire::kDirectionForwards) {
          spec.direction = model::ValueDirection::forwards;
        }
        break;
      default:
        break;
    }
  }
  if (!has_id || !reader.intact()) return std::nullopt;
  spec.unit = unit_text(numerator, denominator);
  spec.kind = counter_kind(spec.name, numerator, denominator);
  return spec;
}

}  // namespace

ScopeIndex Descriptors::add_scope(std::uint32_t gpu) {
  scopes_.emplace_back().gpu = gpu;
  return static_cast<ScopeIndex>(scopes_.size() - 1);
}

ScopeIndex Descriptors::of_gpu(std::uint32_t gpu) {
  const auto found = by_gpu_.find(gpu);
  if (found != by_gpu_.end()) return found->second;
  return by_gpu_[gpu] = add_scope(gpu);
}

ScopeIndex Descriptors::of_interned(Sequence& sequence, std::uint64_t iid,
                                    std::uint32_t event_gpu) {
  const auto found = sequence.scopes.find(iid);
  if (found != sequence.scopes.end()) return found->second.scope;
  const ScopeIndex scope = add_scope(event_gpu);
  sequence.scopes[iid] = {scope, sequence.generation};
  return scope;
}

void Descriptors::add_specs(Scope& scope, std::string_view descriptor) {
  scope.described = true;
  std::unordered_set<std::uint32_t> here;
  bool repeats = false;
  base::ProtoReader reader(descriptor);
  while (reader.next()) {
    if (reader.tag() != bytes_tag(wire::kDescriptorSpecs)) continue;
    std::optional<CounterSpec> spec = parse_spec(reader.bytes());
    if (!spec) continue;
    const auto known = scope.by_id.find(spec->id);
    if (known == scope.by_id.end()) {
      if (spec_count_ >= kMostCounters) {
        ++dropped_specs;
        continue;
      }
      ++spec_count_;
      here.insert(spec->id);
      scope.by_id.emplace(spec->id, static_cast<std::uint32_t>(scope.specs.size()));
      scope.specs.push_back(std::move(*spec));
    } else if (here.contains(spec->id)) {
      const std::string& first = scope.specs[known->second].name;
      if (first == spec->name) continue;
      ++duplicate_id_count;
      if (duplicate_ids.size() < kShownDuplicates) {
        duplicate_ids.push_back(fmt::format("id {}: '{}' and '{}'", spec->id,
                                            base::printable(first), base::printable(spec->name)));
      }
    } else {
      repeats = true;
    }
  }
  duplicate_descriptors += repeats ? 1 : 0;
}

void Descriptors::add_inline(std::uint32_t gpu, std::string_view descriptor) {
  add_specs(scopes_[of_gpu(gpu)], descriptor);
}

bool Descriptors::add_interned(Sequence& sequence, std::string_view bytes) {
  std::uint64_t iid = 0;
  std::uint32_t gpu = 0;
  std::string_view descriptor;
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case varint_tag(wire::kInternedIid):
        iid = reader.number();
        break;
      case bytes_tag(wire::kInternedCounterDescriptor):
        descriptor = reader.bytes();
        break;
      case varint_tag(wire::kInternedCounterGpuId):
        gpu = static_cast<std::uint32_t>(reader.number());
        break;
      default:
        break;
    }
  }
  if (!reader.intact()) return false;
  const auto known = sequence.scopes.find(iid);
  ScopeIndex index = 0;
  if (known == sequence.scopes.end()) {
    index = of_interned(sequence, iid, gpu);
  } else {
    index = known->second.scope;
    const bool same_state = known->second.generation == sequence.generation;
    // After a clear the producer sends its descriptors again; the counters go on.
    if (scopes_[index].described && scopes_[index].interned_bytes == bytes) {
      known->second.generation = sequence.generation;
      return true;
    }
    if (scopes_[index].described && same_state) {
      ++duplicate_descriptors;
      return true;
    }
    if (!same_state) {
      index = add_scope(gpu);
      known->second = {index, sequence.generation};
    }
  }
  Scope& scope = scopes_[index];
  scope.gpu = gpu;
  scope.interned_bytes = bytes;
  add_specs(scope, descriptor);
  return true;
}

}  // namespace tilebound::ingest::perfetto
