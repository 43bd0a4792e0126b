#include "ingest/perfetto/frequency.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <utility>

#include "base/proto_reader.h"
#include "base/text.h"
#include "ingest/perfetto/wire.h"

namespace tilebound::ingest::perfetto {

namespace {

using base::bytes_tag;
using base::varint_tag;

constexpr auto kEventTag = static_cast<std::uint8_t>(bytes_tag(wire::kBundleEvent));
constexpr double kKilo = 1e3;
constexpr double kMega = 1e6;
/// No GPU runs slower or faster than this; a frequency outside is in another unit.
constexpr double kSlowest = 1e7;
constexpr double kFastest = 1e10;

/// A frequency in Hz from a number in units of `unit` Hz, or in another unit when only that gives
/// a GPU's clock: drivers differ in what they pass to the same trace point.
double to_hertz(std::uint64_t number, double unit) {
  const auto value = static_cast<double>(number);
  for (const double scale : {unit, 1.0, kKilo, kMega}) {
    if (value * scale >= kSlowest && value * scale < kFastest) return value * scale;
  }
  return value * unit;
}

bool is_gpu_device(std::string_view name) {
  const std::string text = base::lower(name);
  for (const std::string_view part : {"gpu", "mali", "kgsl"}) {
    if (text.find(part) != std::string::npos) return true;
  }
  return false;
}

/// FtraceEvent payloads of GPUs that are counted, not read (ftrace_event.proto, see wire.h).
std::string_view gpu_event_name(std::uint32_t field) {
  switch (field) {
    case 340:
      return "gpu_mem_total";
    case 350:
      return "mali_tracing_mark_write";
    case 411:
      return "drm_sched_job";
    case 488:
      return "gpu_work_period";
    case 534:
      return "kgsl_adreno_cmdbatch_queued";
    case 535:
      return "kgsl_adreno_cmdbatch_submitted";
    case 537:
      return "kgsl_adreno_cmdbatch_retired";
    case 548:
      return "mali_gpu_power_state";
    case 601:
      return "gpu_power_state";
    default:
      return {};
  }
}

/// False for an event that cannot be one of a GPU: one that has its timestamp, pid and payload in
/// this order, as the kernel's events come, and a payload with a number below 256. A trace can be
/// full of scheduler events, so this looks at two words.
inline bool may_be_of_gpu(std::string_view bytes) {
  static_assert(varint_tag(wire::kFtraceTimestamp) == 0x08 && varint_tag(wire::kFtracePid) == 0x10);
  base::Ahead ahead;
  if (!base::ByteCursor(bytes).look(ahead)) return true;
  // A timestamp from 73 minutes to 833 days after boot has seven or eight bytes.
  const std::uint64_t head = ahead.word(0);
  const std::uint64_t eighth = head >> 63;
  std::uint64_t tail = ahead.word(8);
  if ((head & 0x00808080808080ff) != 0x0080808080808008 || (eighth & (tail >> 7)) != 0) return true;
  tail >>= 8 * eighth;
  const std::uint64_t pid_end = base::varint_end(tail >> 8) & 0x808080;
  if ((tail & 0xff) != 0x10 || pid_end == 0) return true;
  const std::uint64_t tag = tail >> (8 * (1 + base::varint_size(pid_end)));
  return (tag & 0x80) != 0 && (tag & 0xf000) != 0;
}

}  // namespace

bool Frequencies::bundle(std::string_view bytes, Clocks& clocks) {
  std::uint64_t ftrace_clock = 0;
  std::optional<std::uint64_t> ftrace_time;
  std::optional<std::uint64_t> boot_time;
  const std::size_t before = drafts_.size();
  bool intact = true;
  base::ByteCursor cursor(bytes);
  while (intact && !cursor.empty()) {
    if (cursor.take(kEventTag)) {
      std::uint64_t length = 0;
      std::string_view found;
      intact = cursor.varint(length) && cursor.bytes(length, found);
      if (intact && may_be_of_gpu(found)) event(found);
      continue;
    }
    base::ProtoReader reader(cursor);
    intact = reader.next();
    cursor = reader.cursor();
    switch (reader.tag()) {
      case varint_tag(wire::kBundleClock):
        ftrace_clock = reader.number();
        break;
      case varint_tag(wire::kBundleFtraceTimestamp):
        ftrace_time = reader.number();
        break;
      case varint_tag(wire::kBundleBootTimestamp):
        boot_time = reader.number();
        break;
      case varint_tag(wire::kBundleLostEvents):
        lost_bundles_ += reader.number() != 0 ? 1 : 0;
        break;
      default:
        break;
    }
  }
  if (ftrace_clock == 0 || drafts_.size() == before) return intact;
  // The bundle names the clock of its events, mostly after them.
  const auto most = static_cast<std::uint64_t>(kLatestTime);
  for (std::size_t i = before; i < drafts_.size(); ++i) {
    Draft& draft = drafts_[i];
    if (ftrace_time && boot_time) {
      const std::int64_t offset = static_cast<std::int64_t>(std::min(*boot_time, most)) -
                                  static_cast<std::int64_t>(std::min(*ftrace_time, most));
      draft.time = std::clamp(draft.time + offset, std::int64_t{0}, kLatestTime);
    } else {
      draft.clock = ftrace_clock == wire::kFtraceMonotonicRaw ? clocks.index(wire::kMonotonicRaw, 0)
                                                              : kUntrackedClock;
    }
  }
  return intact;
}

void Frequencies::event(std::string_view bytes) {
  std::uint64_t timestamp = 0;
  std::uint32_t kind = 0;
  std::string_view payload;
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    if (reader.tag() == varint_tag(wire::kFtraceTimestamp)) {
      timestamp = reader.number();
    } else if (reader.wire() == base::WireType::bytes) {
      kind = reader.field();
      payload = reader.bytes();
    }
  }
  if (timestamp > static_cast<std::uint64_t>(kLatestTime)) return;
  switch (kind) {
    case wire::kFtraceGpuFrequency:
    case wire::kFtraceKgslGpuFrequency:
    case wire::kFtraceDevfreqFrequency:
      add(payload, kind, static_cast<std::int64_t>(timestamp));
      break;
    default:
      if (!gpu_event_name(kind).empty()) ++gpu_events_[kind];
      break;
  }
}

void Frequencies::add(std::string_view payload, std::uint32_t kind, std::int64_t time) {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::string_view name;
  base::ProtoReader reader(payload);
  while (reader.next()) {
    if (reader.tag() == varint_tag(1)) first = reader.number();
    if (reader.tag() == varint_tag(2)) second = reader.number();
    if (reader.tag() == bytes_tag(wire::kDevfreqName)) name = reader.bytes();
  }
  if (!reader.intact()) return;
  static_assert(wire::kGpuFrequencyGpuId == 1 && wire::kGpuFrequencyState == 2);
  static_assert(wire::kKgslFrequency == 1 && wire::kKgslGpuId == 2);
  static_assert(wire::kDevfreqFrequency == 2);
  Draft draft{time, kBoottimeIndex, 0, 0};
  switch (kind) {
    case wire::kFtraceGpuFrequency:
      draft.gpu = static_cast<std::uint32_t>(first);
      draft.hertz = to_hertz(second, kKilo);
      break;
    case wire::kFtraceKgslGpuFrequency:
      draft.gpu = static_cast<std::uint32_t>(second);
      draft.hertz = to_hertz(first, 1);
      break;
    default:
      if (!is_gpu_device(name)) return;
      draft.hertz = to_hertz(second, 1);
      break;
  }
  drafts_.push_back(draft);
}

bool Frequencies::generic(std::string_view bytes, ClockIndex clock,
                          std::optional<std::int64_t> time) {
  std::uint32_t gpu = 0;
  std::uint64_t khz = 0;
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    if (reader.tag() == varint_tag(wire::kGenericGpuId)) {
      gpu = static_cast<std::uint32_t>(reader.number());
    } else if (reader.tag() == varint_tag(wire::kGenericFrequencyKhz)) {
      khz = reader.number();
    }
  }
  if (!reader.intact()) return false;
  if (time) drafts_.push_back({*time, clock, gpu, to_hertz(khz, kKilo)});
  return true;
}

void Frequencies::finish(const Clocks& clocks, model::Capture& capture) {
  std::uint64_t unconverted = 0;
  for (Draft& draft : drafts_) {
    unconverted += clocks.convert(draft.clock, std::span(&draft.time, 1)) ? 0 : 1;
    capture.clock.push_back({draft.time, draft.gpu, base::Hertz{draft.hertz}});
  }
  std::stable_sort(capture.clock.begin(), capture.clock.end(),
                   [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; });
  if (unconverted > 0) {
    capture.note("unconverted_clock", model::Severity::warning,
                 "GPU frequencies on a clock that nothing ties to BOOTTIME", unconverted);
  }
  if (lost_bundles_ > 0) {
    capture.note("lost_packets", model::Severity::warning,
                 "ftrace says that it lost events before these packets", lost_bundles_);
  }
  for (const auto& [kind, count] : gpu_events_) {
    capture.other_content["ftrace " + std::string(gpu_event_name(kind))] += count;
  }
}

}  // namespace tilebound::ingest::perfetto
