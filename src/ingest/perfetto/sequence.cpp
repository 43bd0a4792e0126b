#include "ingest/perfetto/sequence.h"

#include "base/proto_reader.h"
#include "ingest/perfetto/wire.h"

namespace tilebound::ingest::perfetto {

namespace {

using base::bytes_tag;
using base::varint_tag;

constexpr std::size_t kMostSequences = std::size_t{1} << 18;

/// Keeps the first name of an iid; later ones of the same generation must be the same. A name in
/// `better_field`, where there is one, goes before the plain one.
bool intern(std::string_view entry, std::unordered_map<std::uint64_t, std::string>& names,
            std::uint32_t better_field = wire::kInternedName) {
  base::ProtoReader reader(entry);
  std::uint64_t iid = 0;
  std::string_view name;
  while (reader.next()) {
    if (reader.tag() == varint_tag(wire::kInternedIid)) iid = reader.number();
    if (reader.tag() == bytes_tag(wire::kInternedName) && name.empty()) name = reader.bytes();
    if (reader.tag() == bytes_tag(better_field)) name = reader.bytes();
  }
  names.try_emplace(iid, name);
  return reader.intact();
}

}  // namespace

const std::shared_ptr<InternedNames>& Sequence::interned_names() {
  if (!names) names = std::make_shared<InternedNames>();
  return names;
}

bool Sequence::begin_packet(const Packet& packet) {
  if ((packet.flags & wire::kSequenceStateCleared) != 0) {
    state_valid = true;
    ++generation;
    default_clock = 0;
    names.reset();
  } else if (packet.previous_dropped) {
    state_valid = false;
  }
  if (!packet.defaults.empty()) {
    base::ProtoReader reader(packet.defaults);
    while (reader.next()) {
      if (reader.tag() == varint_tag(wire::kDefaultsClockId)) {
        default_clock = static_cast<std::uint32_t>(reader.number());
      }
    }
  }
  return state_valid || (packet.flags & wire::kSequenceNeedsState) == 0;
}

Sequence& Sequences::find(std::uint32_t id) {
  const auto found = by_id_.find(id);
  if (found != by_id_.end()) return *found->second;
  if (by_id_.size() >= kMostSequences) {
    overflow_.state_valid = false;
    return overflow_;
  }
  auto sequence = std::make_unique<Sequence>();
  sequence->id = id;
  Sequence& made = *sequence;
  by_id_.emplace(id, std::move(sequence));
  if (id < kDirect) direct_[id] = &made;
  return made;
}

bool intern_names(std::string_view interned_data, Sequence& sequence) {
  base::ProtoReader reader(interned_data);
  bool intact = true;
  while (reader.next()) {
    switch (reader.tag()) {
      case bytes_tag(wire::kInternedGpuSpecifications):
        intact &= intern(reader.bytes(), sequence.interned_names()->specifications);
        break;
      case bytes_tag(wire::kInternedEventNames):
        intact &= intern(reader.bytes(), sequence.interned_names()->events);
        break;
      case bytes_tag(wire::kInternedComputeKernels):
        intact &= intern(reader.bytes(), sequence.interned_names()->kernels,
                         wire::kInternedDemangledName);
        break;
      default:
        break;
    }
  }
  return intact && reader.intact();
}

}  // namespace tilebound::ingest::perfetto
