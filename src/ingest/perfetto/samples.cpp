#include "ingest/perfetto/samples.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/proto_reader.h"
#include "ingest/perfetto/wire.h"

namespace tilebound::ingest::perfetto {

namespace {

using base::bytes_tag;
using base::double_tag;
using base::varint_tag;

constexpr std::size_t kBlock = base::Column::kBlock;
constexpr std::size_t kFirstRows = 4;
/// Between the rows of two counters, so that equal rows do not fall into one cache set.
constexpr std::size_t kGap = 8;
/// Beyond this many lists of ids, each counter of a further list gets a group of its own.
constexpr std::size_t kMostGroups = 4096;
constexpr std::size_t kMostColumns = std::size_t{1} << 18;

constexpr auto kCountersTag = static_cast<std::uint8_t>(bytes_tag(wire::kCounterEventCounters));
constexpr auto kGpuIdTag = static_cast<std::uint8_t>(varint_tag(wire::kCounterEventGpuId));
constexpr auto kIidTag = static_cast<std::uint8_t>(varint_tag(wire::kCounterEventDescriptorIid));
constexpr auto kIdTag = static_cast<std::uint8_t>(varint_tag(wire::kCounterId));
constexpr auto kIntTag = static_cast<std::uint8_t>(varint_tag(wire::kCounterInt));
constexpr auto kDoubleTag = static_cast<std::uint8_t>(double_tag(wire::kCounterDouble));

double from_int(std::uint64_t value) {
  return static_cast<double>(static_cast<std::int64_t>(value));
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 29);
}

std::uint64_t key_hash(const SampleGroup& key) {
  std::uint64_t hash = mix(mix(mix(key.scope, key.clock), key.gpu), key.iid);
  for (const std::uint32_t id : key.ids) hash = mix(hash, id);
  return hash;
}

bool same_key(const SampleGroup& a, const SampleGroup& b) {
  return a.scope == b.scope && a.clock == b.clock && a.gpu == b.gpu && a.iid == b.iid &&
         a.ids == b.ids;
}

SampleGroup::IdField id_field(std::uint32_t id) {
  SampleGroup::IdField field{kIdTag, 0xff, 1};
  do {
    const std::uint64_t byte = (id & 0x7f) | (id > 0x7f ? 0x80 : 0);
    field.pattern |= byte << (8 * field.bytes);
    field.mask |= std::uint64_t{0xff} << (8 * field.bytes);
    ++field.bytes;
    id >>= 7;
  } while (id > 0);
  return field;
}

/// One GpuCounter with the expected id, as far as the bytes ahead show it. Perfetto's own writer
/// pads the length to four bytes. False for anything unusual, for read_counter to look at.
inline bool read_usual_counter(base::ByteCursor& cursor, const SampleGroup::IdField& id,
                               double& value) {
  base::Ahead ahead;
  if (!cursor.look(ahead)) return false;
  const std::uint64_t head = ahead.word(0);
  if ((head & 0xff) != kCountersTag) return false;
  std::size_t at = 2;
  if ((head & 0x8000) != 0) {
    constexpr std::uint64_t kPaddingBytes = 0xffffff0000;
    constexpr std::uint64_t kPadding = 0x0080800000;
    if ((head & kPaddingBytes) != kPadding) return false;
    at = 5;
  }
  const std::size_t end = at + ((head >> 8) & 0x7f);
  const std::uint64_t body = ahead.word(at);
  if ((body & id.mask) != id.pattern) return false;
  at += id.bytes;
  const std::uint64_t tag = (body >> (8 * id.bytes)) & 0xff;
  const std::uint64_t word = ahead.word(at + 1);
  if (tag == kDoubleTag) {
    at += 1 + sizeof word;
    value = std::bit_cast<double>(word);
  } else {
    const std::uint64_t ends = base::varint_end(word);
    if (tag != kIntTag || ends == 0) return false;
    at += 1 + base::varint_size(ends);
    value = from_int(base::varint_value(word, ends));
  }
  return at == end && cursor.skip(end);
}

/// The id and value of one GpuCounter, in the order in which every known producer writes them.
bool read_counter(base::ByteCursor& cursor, std::uint32_t id, double& value) {
  std::uint64_t length = 0;
  std::uint64_t number = 0;
  if (!cursor.take(kCountersTag) || !cursor.varint(length) || length > cursor.left()) return false;
  const std::size_t left_behind = cursor.left() - static_cast<std::size_t>(length);
  if (!cursor.take(kIdTag) || !cursor.varint(number) || number != id) return false;
  if (cursor.take(kDoubleTag)) {
    if (!cursor.fixed64(number)) return false;
    value = std::bit_cast<double>(number);
  } else {
    if (!cursor.take(kIntTag) || !cursor.varint(number)) return false;
    value = from_int(number);
  }
  return cursor.left() == left_behind;
}

}  // namespace

bool Samples::event(std::string_view bytes, Sequence& sequence, ClockIndex clock,
                    std::optional<std::int64_t> time) {
  if (sequence.last_group != nullptr && time) {
    SampleGroup& group = *sequence.last_group->next;
    if (group.clock == clock && like_before(bytes, sequence, group, *time)) return true;
  }
  return take_apart(bytes, sequence, clock, time);
}

bool Samples::like_before(std::string_view bytes, Sequence& sequence, SampleGroup& group,
                          std::int64_t time) {
  base::ByteCursor cursor(bytes);
  std::uint64_t gpu = 0;
  std::uint64_t iid = 0;
  const auto read_scope = [&] {
    for (;;) {
      if (cursor.take(kGpuIdTag)) {
        if (!cursor.varint(gpu)) return false;
      } else if (cursor.take(kIidTag)) {
        if (!cursor.varint(iid)) return false;
      } else {
        return true;
      }
    }
  };
  if (!read_scope()) return false;
  // An unfinished row is overwritten by the next one.
  double* value = group.staged.data() + group.rows;
  for (std::size_t i = 0; i < group.ids.size(); ++i) {
    if (!read_usual_counter(cursor, group.id_fields[i], *value) &&
        !read_counter(cursor, group.ids[i], *value)) {
      return false;
    }
    value += group.stride;
  }
  if (!read_scope() || !cursor.empty()) return false;
  if (static_cast<std::uint32_t>(gpu) != group.gpu || iid != group.iid) return false;
  if (iid != 0 && descriptors_.of_interned(sequence, iid, group.gpu) != group.scope) return false;
  commit(group, time);
  sequence.last_group = &group;
  return true;
}

bool Samples::take_apart(std::string_view bytes, Sequence& sequence, ClockIndex clock,
                         std::optional<std::int64_t> time) {
  SampleGroup key;
  key.clock = clock;
  std::string_view descriptor;
  bool described = false;
  ids_.clear();
  values_.clear();
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case bytes_tag(wire::kCounterEventDescriptor):
        descriptor = reader.bytes();
        described = true;
        break;
      case varint_tag(wire::kCounterEventGpuId):
        key.gpu = static_cast<std::uint32_t>(reader.number());
        break;
      case varint_tag(wire::kCounterEventDescriptorIid):
        key.iid = reader.number();
        break;
      case bytes_tag(wire::kCounterEventCounters): {
        std::uint32_t id = 0;
        std::optional<double> value;
        base::ProtoReader counter(reader.bytes());
        while (counter.next()) {
          if (counter.tag() == varint_tag(wire::kCounterId)) {
            id = static_cast<std::uint32_t>(counter.number());
          } else if (counter.tag() == varint_tag(wire::kCounterInt)) {
            value = from_int(counter.number());
          } else if (counter.tag() == double_tag(wire::kCounterDouble)) {
            value = counter.real();
          }
        }
        if (!counter.intact()) return false;
        if (value) {
          ids_.push_back(id);
          values_.push_back(*value);
        }
        break;
      }
      default:
        break;
    }
  }
  if (!reader.intact()) return false;
  if (described) {
    descriptors_.add_inline(key.gpu, descriptor);
    if (time && *time == 0) {
      ++zero_time_descriptors;
      time.reset();
    }
  }
  if (ids_.empty()) return true;
  if (!time) {
    samples_without_time += ids_.size();
    return true;
  }
  key.scope = key.iid != 0 ? descriptors_.of_interned(sequence, key.iid, key.gpu)
                           : descriptors_.of_gpu(key.gpu);
  store(sequence, std::move(key), *time);
  return true;
}

/// Puts the packet in hand into its group, or value by value into groups of one counter.
void Samples::store(Sequence& sequence, SampleGroup key, std::int64_t time) {
  const auto fill = [this, time](SampleGroup& group, std::size_t first) {
    for (std::size_t i = 0; i < group.ids.size(); ++i) {
      group.staged[i * group.stride + group.rows] = values_[first + i];
    }
    commit(group, time);
  };
  key.ids = ids_;
  if (SampleGroup* group = find(key)) {
    fill(*group, 0);
    if (sequence.last_group != nullptr) sequence.last_group->next = group;
    if (group->next == nullptr) group->next = group;
    sequence.last_group = group;
    return;
  }
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    key.ids = {ids_[i]};
    if (SampleGroup* group = find(key)) {
      fill(*group, i);
    } else {
      ++dropped_samples;
    }
  }
}

/// The group of a key, made when there is room for it.
SampleGroup* Samples::find(const SampleGroup& key) {
  const std::uint64_t hash = key_hash(key);
  const auto range = by_key_.equal_range(hash);
  for (auto it = range.first; it != range.second; ++it) {
    if (same_key(*it->second, key)) return it->second;
  }
  if (key.ids.size() > 1 ? groups_.size() >= kMostGroups : groups_.size() >= kMostCounters) {
    return nullptr;
  }
  if (columns_ + key.ids.size() > kMostColumns) return nullptr;
  columns_ += key.ids.size();
  auto made = std::make_unique<SampleGroup>();
  made->scope = key.scope;
  made->clock = key.clock;
  made->gpu = key.gpu;
  made->iid = key.iid;
  made->ids = key.ids;
  for (const std::uint32_t id : key.ids) made->id_fields.push_back(id_field(id));
  made->columns.resize(key.ids.size());
  grow(*made);
  groups_.push_back(std::move(made));
  by_key_.emplace(hash, groups_.back().get());
  return groups_.back().get();
}

void Samples::commit(SampleGroup& group, std::int64_t time) {
  if (!group.stamps.empty() && time <= group.stamps.back()) {
    if (time == group.stamps.back()) {
      duplicate_samples += group.ids.size();
      return;
    }
    ++out_of_order;
    group.ascending = false;
  }
  group.stamps.push_back(time);
  if (++group.rows == group.capacity) grow(group);
}

/// Makes room for another row: more of it while the group is small, else by flushing.
void Samples::grow(SampleGroup& group) {
  if (group.capacity == kBlock) {
    flush(group);
    return;
  }
  const std::size_t capacity = group.capacity == 0 ? kFirstRows : group.capacity * 4;
  const std::size_t stride = capacity + kGap;
  std::vector<double> wider(group.ids.size() * stride);
  for (std::size_t i = 0; i < group.ids.size() && group.rows > 0; ++i) {
    const auto from = group.staged.begin() + static_cast<std::ptrdiff_t>(i * group.stride);
    std::copy_n(from, group.rows, wider.begin() + static_cast<std::ptrdiff_t>(i * stride));
  }
  group.staged = std::move(wider);
  group.stride = stride;
  group.capacity = capacity;
}

void Samples::flush(SampleGroup& group) {
  for (std::size_t i = 0; i < group.ids.size(); ++i) {
    group.columns[i].append({group.staged.data() + i * group.stride, group.rows});
  }
  group.rows = 0;
}

void Samples::finish() {
  for (const auto& group : groups_) {
    flush(*group);
    group->staged = {};
  }
}

}  // namespace tilebound::ingest::perfetto
