#pragma once

// Writes small traces for the tests of this folder; not part of the program.

#include <cstdint>
#include <functional>
#include <optional>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/byte_source.h"
#include "ingest/perfetto/perfetto.h"

namespace tilebound::ingest::perfetto {

using protozero::pbf_writer;

inline std::string message(const std::function<void(pbf_writer&)>& fill) {
  std::string out;
  pbf_writer writer(out);
  fill(writer);
  return out;
}

struct Value {
  std::uint32_t id;
  std::optional<std::int64_t> integer;
  double real = 0;
};
inline Value whole(std::uint32_t id, std::int64_t value) {
  return {id, value};
}
inline Value real(std::uint32_t id, double value) {
  return {id, std::nullopt, value};
}

struct SpecText {
  std::uint32_t id;
  std::string name;
  std::vector<std::uint32_t> numerator = {};
  std::vector<std::uint32_t> denominator = {};
  std::uint32_t direction = 0;
  bool packed = false;
};

inline std::string descriptor(const std::vector<SpecText>& specs) {
  return message([&](pbf_writer& out) {
    for (const SpecText& spec : specs) {
      pbf_writer entry(out, 1);
      entry.add_uint32(1, spec.id);
      entry.add_string(2, spec.name);
      if (spec.packed) {
        entry.add_packed_uint32(7, spec.numerator.begin(), spec.numerator.end());
        entry.add_packed_uint32(8, spec.denominator.begin(), spec.denominator.end());
      } else {
        for (const std::uint32_t unit : spec.numerator) entry.add_uint32(7, unit);
        for (const std::uint32_t unit : spec.denominator) entry.add_uint32(8, unit);
      }
      if (spec.direction != 0) entry.add_uint32(11, spec.direction);
    }
  });
}

inline std::string counter_event(const std::vector<Value>& values, std::int32_t gpu = 0,
                                 std::uint64_t iid = 0) {
  return message([&](pbf_writer& out) {
    if (iid != 0) out.add_uint64(4, iid);
    for (const Value& value : values) {
      pbf_writer entry(out, 2);
      entry.add_uint32(1, value.id);
      if (value.integer) {
        entry.add_int64(2, *value.integer);
      } else {
        entry.add_double(3, value.real);
      }
    }
    if (gpu != 0) out.add_int32(3, gpu);
  });
}

/// What stands beside the payload of a packet.
struct Envelope {
  std::optional<std::uint64_t> time = {};
  std::uint32_t sequence = 2;
  std::uint32_t clock = 0;
  std::uint32_t flags = 0;
  std::uint32_t dropped = 0;
  std::string interned = {};
  std::string defaults = {};
};

class Trace {
 public:
  Trace& packet(const Envelope& envelope, std::uint32_t field = 0,
                const std::string& payload = {}) {
    return raw(message([&](pbf_writer& out) {
      if (envelope.time) out.add_uint64(8, *envelope.time);
      if (envelope.clock != 0) out.add_uint32(58, envelope.clock);
      if (!envelope.interned.empty()) out.add_message(12, envelope.interned);
      if (!envelope.defaults.empty()) out.add_message(59, envelope.defaults);
      if (field != 0) out.add_message(field, payload);
      out.add_uint32(10, envelope.sequence);
      if (envelope.flags != 0) out.add_uint32(13, envelope.flags);
      if (envelope.dropped != 0) out.add_uint32(42, envelope.dropped);
    }));
  }
  Trace& raw(const std::string& packet) {
    offsets.push_back(bytes.size());
    pbf_writer(bytes).add_message(1, packet);
    return *this;
  }

  Trace& describe(const std::vector<SpecText>& specs, Envelope envelope = {.time = 0},
                  std::int32_t gpu = 0) {
    return packet(envelope, 52, message([&](pbf_writer& out) {
                    out.add_message(1, descriptor(specs));
                    if (gpu != 0) out.add_int32(3, gpu);
                  }));
  }
  Trace& sample(std::uint64_t time, const std::vector<Value>& values, std::int32_t gpu = 0) {
    return packet({.time = time}, 52, counter_event(values, gpu));
  }
  /// A ClockSnapshot of pairs of clock id and reading.
  Trace& clocks(const std::vector<std::pair<std::uint32_t, std::uint64_t>>& readings,
                std::uint32_t sequence = 1) {
    return packet({.sequence = sequence}, 6, message([&](pbf_writer& out) {
                    for (const auto& [id, reading] : readings) {
                      pbf_writer clock(out, 1);
                      clock.add_uint32(1, id);
                      clock.add_uint64(2, reading);
                    }
                  }));
  }

  std::string bytes;
  std::vector<std::size_t> offsets;  // of the packets' tags
};

inline model::Capture read_bytes(std::string_view bytes) {
  base::ByteSource source = base::ByteSource::from_memory("test", bytes);
  return perfetto_importer().read(source);
}
inline model::Capture read_trace(const Trace& trace) {
  return read_bytes(trace.bytes);
}

/// How often a note says what it says, all messages of the id together; 0 where there is none.
inline std::uint64_t noted(const model::Capture& capture, std::string_view id) {
  std::uint64_t count = 0;
  for (const model::Note& note : capture.notes) count += note.id == id ? note.count : 0;
  return count;
}

inline const model::Counter* find_counter(const model::Capture& capture, std::uint32_t id,
                                          std::uint32_t gpu = 0) {
  for (const model::Counter& counter : capture.counters) {
    if (counter.id == id && counter.gpu == gpu) return &counter;
  }
  return nullptr;
}

/// Stamps and values of a counter; both empty when it was not sampled.
struct Series {
  std::vector<std::int64_t> stamps;
  std::vector<double> values;

  bool operator==(const Series&) const = default;
};
inline Series series(const model::Capture& capture, std::uint32_t id, std::uint32_t gpu = 0) {
  const model::Counter* counter = find_counter(capture, id, gpu);
  if (counter == nullptr || !counter->sampled()) return {};
  return {capture.axes.at(*counter->axis).stamps_ns, counter->values.to_vector()};
}

}  // namespace tilebound::ingest::perfetto
