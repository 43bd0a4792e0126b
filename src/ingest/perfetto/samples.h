#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/column.h"
#include "ingest/perfetto/clocks.h"
#include "ingest/perfetto/descriptors.h"
#include "ingest/perfetto/sequence.h"

namespace tilebound::ingest::perfetto {

/// Samples whose packets list the same counters in the same order, of one scope and clock.
///
/// Values wait in `staged`, a column of rows for each counter, and move to the packed columns a
/// block at a time.
struct SampleGroup {
  /// The field of a counter's id as it stands in a packet, in the low bytes of `pattern`.
  struct IdField {
    std::uint64_t pattern = 0;
    std::uint64_t mask = 0;
    std::uint32_t bytes = 0;
  };

  ScopeIndex scope = 0;
  ClockIndex clock = kBoottimeIndex;
  std::uint32_t gpu = 0;  // as the events say it; an interned descriptor may say otherwise
  std::uint64_t iid = 0;  // of the interned descriptor, 0 for none
  std::vector<std::uint32_t> ids;
  std::vector<IdField> id_fields;     // one for each id
  std::vector<std::int64_t> stamps;   // readings of `clock`
  std::vector<base::Column> columns;  // one for each id
  std::vector<double> staged;
  std::size_t stride = 0;  // of a counter's rows in `staged`
  std::size_t capacity = 0;
  std::size_t rows = 0;         // in `staged`
  bool ascending = true;        // strictly
  SampleGroup* next = nullptr;  // what the same sequence fed after this one, last time
};

/// Reads GpuCounterEvents into groups of samples.
///
/// Producers send the same few lists of ids again and again, so the packet is first read as if it
/// were like its predecessor's successor: ids are compared and values go to their place without any
/// look-up. Only a packet that differs is taken apart field by field.
class Samples {
 public:
  explicit Samples(Descriptors& descriptors) : descriptors_(descriptors) {}

  /// Takes in one event. `time` is empty for a packet that has none. False when it is damaged.
  bool event(std::string_view bytes, Sequence& sequence, ClockIndex clock,
             std::optional<std::int64_t> time);

  /// Moves all staged values to their columns; call after the last event.
  void finish();

  std::vector<std::unique_ptr<SampleGroup>>& groups() { return groups_; }

  std::uint64_t samples_without_time = 0;
  std::uint64_t duplicate_samples = 0;
  std::uint64_t out_of_order = 0;
  std::uint64_t dropped_samples = 0;  // beyond kMostCounters
  std::uint64_t zero_time_descriptors = 0;

 private:
  bool like_before(std::string_view bytes, Sequence& sequence, SampleGroup& group,
                   std::int64_t time);
  bool take_apart(std::string_view bytes, Sequence& sequence, ClockIndex clock,
                  std::optional<std::int64_t> time);
  void store(Sequence& sequence, SampleGroup key, std::int64_t time);
  SampleGroup* find(const SampleGroup& key);
  void commit(SampleGroup& group, std::int64_t time);
  void grow(SampleGroup& group);
  static void flush(SampleGroup& group);

  Descriptors& descriptors_;
  std::vector<std::unique_ptr<SampleGroup>> groups_;
  std::unordered_multimap<std::uint64_t, SampleGroup*> by_key_;
  std::size_t columns_ = 0;
  std::vector<std::uint32_t> ids_;  // of the packet in hand
  std::vector<double> values_;
};

}  // namespace tilebound::ingest::perfetto
