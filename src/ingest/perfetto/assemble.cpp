#include "ingest/perfetto/assemble.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/perfetto/wrap.h"

namespace tilebound::ingest::perfetto {

namespace {

using model::Severity;

/// Where a counter's samples lie: a group and the place of its id there.
struct Part {
  std::size_t group;
  std::size_t column;
};

struct Draft {
  model::Counter counter;
  model::ValueDirection direction = model::ValueDirection::backwards;
  std::vector<Part> parts;  // by group
};

class Assembly {
 public:
  Assembly(Samples& samples, const Descriptors& descriptors) : samples_(samples) {
    collect(descriptors.scopes());
  }

  /// Notes about counters that no descriptor names.
  void note_unnamed(model::Capture& capture) const;
  void build(model::Capture& capture);

 private:
  void collect(const std::vector<Scope>& scopes);
  void build_axis(std::vector<Draft*>& drafts, model::Capture& capture);
  std::size_t place_axis(std::vector<std::int64_t> stamps, model::ValueDirection direction,
                         model::Capture& capture);

  Samples& samples_;
  std::vector<Draft> drafts_;
  std::vector<std::size_t> axes_left_;  // by group, that still need its stamps
  std::unordered_multimap<std::uint64_t, std::size_t> axes_by_stamps_;
  std::uint64_t unnamed_ = 0;
  std::uint64_t unknown_ = 0;
};

void Assembly::collect(const std::vector<Scope>& scopes) {
  std::vector<std::vector<std::size_t>> groups(scopes.size());
  for (std::size_t g = 0; g < samples_.groups().size(); ++g) {
    groups[samples_.groups()[g]->scope].push_back(g);
  }
  for (std::size_t s = 0; s < scopes.size(); ++s) {
    const Scope& scope = scopes[s];
    std::unordered_map<std::uint32_t, std::size_t> by_id;
    for (const CounterSpec& spec : scope.specs) {
      Draft draft;
      draft.counter.id = spec.id;
      draft.counter.named = !spec.name.empty();
      draft.counter.name = spec.name.empty() ? fmt::format("counter {}", spec.id) : spec.name;
      draft.counter.description = spec.description;
      draft.counter.unit = spec.unit;
      draft.counter.kind = spec.kind;
      draft.counter.gpu = scope.gpu;
      draft.direction = spec.direction;
      by_id.emplace(spec.id, drafts_.size());
      drafts_.push_back(std::move(draft));
    }
    for (const std::size_t g : groups[s]) {
      const SampleGroup& group = *samples_.groups()[g];
      for (std::size_t column = 0; column < group.ids.size(); ++column) {
        const std::uint32_t id = group.ids[column];
        const auto [at, added] = by_id.try_emplace(id, drafts_.size());
        if (added) {
          Draft draft;
          draft.counter.id = id;
          draft.counter.named = false;
          draft.counter.name = fmt::format("counter {}", id);
          draft.counter.gpu = scope.gpu;
          drafts_.push_back(std::move(draft));
          ++(scope.described ? unknown_ : unnamed_);
        }
        std::vector<Part>& parts = drafts_[at->second].parts;
        if (!parts.empty() && parts.back().group == g) {
          samples_.duplicate_samples += group.stamps.size();  // an id twice in a packet
        } else {
          parts.push_back({g, column});
        }
      }
    }
  }
}

void Assembly::note_unnamed(model::Capture& capture) const {
  if (unnamed_ > 0) {
    capture.note("unnamed_counters", Severity::warning,
                 "sampled counters without any descriptor are shown by their number", unnamed_);
  }
  if (unknown_ > 0) {
    capture.note("unknown_id", Severity::warning,
                 "sampled counters that their descriptor does not list are shown by their number",
                 unknown_);
  }
}

/// Order of the rows of some groups by time, the first of equal stamps only.
struct RowOrder {
  std::vector<std::int64_t> stamps;
  std::vector<std::uint32_t> rows;  // into the groups' rows, one after another; empty: as they are
  std::uint64_t duplicates = 0;
};

RowOrder order_rows(std::vector<std::int64_t> stamps) {
  RowOrder order;
  const auto not_ascending = [](std::int64_t a, std::int64_t b) { return a >= b; };
  if (std::adjacent_find(stamps.begin(), stamps.end(), not_ascending) == stamps.end()) {
    order.stamps = std::move(stamps);
    return order;
  }
  order.rows.resize(stamps.size());
  std::iota(order.rows.begin(), order.rows.end(), 0U);
  std::stable_sort(order.rows.begin(), order.rows.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return stamps[a] < stamps[b]; });
  const auto end = std::unique(order.rows.begin(), order.rows.end(),
                               [&](auto a, auto b) { return stamps[a] == stamps[b]; });
  order.duplicates = static_cast<std::uint64_t>(order.rows.end() - end);
  order.rows.erase(end, order.rows.end());
  order.stamps.reserve(order.rows.size());
  for (const std::uint32_t row : order.rows) order.stamps.push_back(stamps[row]);
  return order;
}

/// Makes one axis and the columns of the counters on it, which have the same parts' groups.
void Assembly::build_axis(std::vector<Draft*>& drafts, model::Capture& capture) {
  const std::vector<Part>& parts = drafts.front()->parts;
  std::vector<std::int64_t> stamps;
  for (const Part& part : parts) {
    std::vector<std::int64_t>& more = samples_.groups()[part.group]->stamps;
    const bool last_use = --axes_left_[part.group] == 0;
    if (last_use && parts.size() == 1) {
      stamps = std::move(more);
    } else {
      stamps.insert(stamps.end(), more.begin(), more.end());
    }
    if (last_use) more = {};
  }
  RowOrder order = order_rows(std::move(stamps));
  samples_.duplicate_samples += order.duplicates * drafts.size();
  const std::size_t axis = place_axis(std::move(order.stamps), drafts.front()->direction, capture);
  for (Draft* draft : drafts) {
    draft->counter.axis = axis;
    if (parts.size() == 1 && order.rows.empty()) {
      const Part& part = draft->parts.front();
      draft->counter.values = std::move(samples_.groups()[part.group]->columns[part.column]);
      continue;
    }
    std::vector<double> values;
    values.reserve(order.rows.size());
    for (const Part& part : draft->parts) {
      base::Column& column = samples_.groups()[part.group]->columns[part.column];
      column.for_each([&values](std::size_t, double v) { values.push_back(v); });
      column = {};
    }
    if (order.rows.empty()) {
      draft->counter.values.append(values);
    } else {
      for (const std::uint32_t row : order.rows) draft->counter.values.push_back(values[row]);
    }
  }
}

/// The axis with these stamps: one that is there, as for packets split by block, or a new one.
std::size_t Assembly::place_axis(std::vector<std::int64_t> stamps, model::ValueDirection direction,
                                 model::Capture& capture) {
  std::uint64_t key = stamps.size();
  for (const std::int64_t stamp : stamps) {
    key = (key ^ static_cast<std::uint64_t>(stamp)) * 0x9e3779b97f4a7c15;
    key ^= key >> 29;
  }
  const auto range = axes_by_stamps_.equal_range(key);
  for (auto it = range.first; it != range.second; ++it) {
    const model::TimeAxis& axis = capture.axes[it->second];
    if (axis.direction == direction && axis.stamps_ns == stamps) return it->second;
  }
  axes_by_stamps_.emplace(key, capture.axes.size());
  model::TimeAxis& made = capture.axes.emplace_back();
  made.stamps_ns = std::move(stamps);
  made.direction = direction;
  return capture.axes.size() - 1;
}

void Assembly::build(model::Capture& capture) {
  // Counters by direction and groups; in the order of their first counter.
  std::map<std::pair<model::ValueDirection, std::vector<std::size_t>>, std::size_t> by_groups;
  std::vector<std::vector<Draft*>> axes;
  for (Draft& draft : drafts_) {
    if (draft.parts.empty()) continue;
    std::vector<std::size_t> groups;
    for (const Part& part : draft.parts) groups.push_back(part.group);
    const auto [at, added] =
        by_groups.try_emplace({draft.direction, std::move(groups)}, axes.size());
    if (added) axes.emplace_back();
    axes[at->second].push_back(&draft);
  }
  axes_left_.assign(samples_.groups().size(), 0);
  for (const std::vector<Draft*>& drafts : axes) {
    for (const Part& part : drafts.front()->parts) ++axes_left_[part.group];
  }
  for (std::vector<Draft*>& drafts : axes) build_axis(drafts, capture);
  for (Draft& draft : drafts_) {
    drop_wrapped(draft.counter, capture);
    capture.counters.push_back(std::move(draft.counter));
  }
}

/// Groups' stamps to BOOTTIME; a note for each clock that has no tie to it.
void convert_stamps(Samples& samples, const Clocks& clocks, model::Capture& capture) {
  std::map<ClockIndex, std::uint64_t> unconverted;
  for (const auto& group : samples.groups()) {
    if (!clocks.convert(group->clock, group->stamps)) {
      unconverted[group->clock] += group->stamps.size();
    }
  }
  for (const auto& [clock, count] : unconverted) {
    capture.note(
        "unconverted_clock", Severity::warning,
        fmt::format("no clock snapshot ties {} to BOOTTIME; its samples keep their own time",
                    clocks.name(clock)),
        count);
  }
}

}  // namespace

void assemble(Samples& samples, const Descriptors& descriptors, const Clocks& clocks,
              model::Capture& capture) {
  samples.finish();
  convert_stamps(samples, clocks, capture);
  Assembly assembly(samples, descriptors);
  assembly.build(capture);
  assembly.note_unnamed(capture);
  const auto note = [&capture](std::string_view id, Severity severity, std::string message,
                               std::uint64_t count) {
    if (count > 0) capture.note(id, severity, std::move(message), count);
  };
  note("descriptor_timestamp_zero", Severity::info,
       "counter descriptors with timestamp 0, which is not taken for a time",
       samples.zero_time_descriptors);
  note("duplicate_descriptor", Severity::info,
       "counter descriptors repeat ids that an earlier one named; the first holds",
       descriptors.duplicate_descriptors);
  if (descriptors.duplicate_id_count > 0) {
    note("duplicate_id", Severity::warning,
         fmt::format("a descriptor gives one id two names; the first holds: {}",
                     fmt::join(descriptors.duplicate_ids, ", ")),
         descriptors.duplicate_id_count);
  }
  note("sample_without_time", Severity::warning, "samples without a timestamp were dropped",
       samples.samples_without_time);
  note("duplicate_sample", Severity::warning,
       "further samples of a counter at the same time were dropped", samples.duplicate_samples);
  note("out_of_order", Severity::info, "counter packets came out of order and were sorted",
       samples.out_of_order);
  note("too_many_counters", Severity::warning,
       fmt::format("more than {} counters; values of further ones were dropped", kMostCounters),
       samples.dropped_samples + descriptors.dropped_specs);
}

}  // namespace tilebound::ingest::perfetto
