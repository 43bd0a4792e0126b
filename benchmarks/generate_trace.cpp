// Writes a Perfetto trace like a Mali phone's for the reading benchmark:
//
//     generate_trace OUT MEGABYTES counters|half|other
//
// 40 counters a sample, half of them integers of the whole GPU and half averages over 9 shader
// cores (doubles k/9), as libGPUCounters delivers them; a sample each millisecond with jitter. The
// other packets are ftrace bundles of scheduler events of about 24 KiB.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <protozero/pbf_writer.hpp>
#include <random>
#include <string>
#include <string_view>

namespace {

constexpr int kCounters = 40;
constexpr int kFirstId = 150;  // ids of two bytes, as most of a Mali's are
constexpr std::uint32_t kCores = 9;
constexpr std::uint64_t kStart = 1'316'796'899'638'504;
constexpr std::size_t kBundleBytes = 24 << 10;

/// Largest value of each counter in a millisecond: cycles, beats, and rare events.
std::uint32_t scale_of(int counter) {
  constexpr std::uint32_t kScales[] = {850'000, 790'000, 120'000, 3'000'000,
                                       40,      9'000,   65'000,  600};
  return kScales[counter % 8];
}

std::string envelope(std::uint64_t time, std::uint32_t sequence, std::uint32_t uid,
                     std::uint32_t field, const std::string& payload) {
  std::string packet;
  protozero::pbf_writer writer(packet);
  if (time != 0) writer.add_uint64(8, time);
  writer.add_message(field, payload);
  writer.add_int32(3, static_cast<std::int32_t>(uid));
  writer.add_uint32(10, sequence);
  return packet;
}

std::string descriptor_packet() {
  std::string event;
  {
    protozero::pbf_writer writer(event);
    protozero::pbf_writer descriptor(writer, 1);
    for (int i = 0; i < kCounters; ++i) {
      protozero::pbf_writer spec(descriptor, 1);
      spec.add_uint32(1, static_cast<std::uint32_t>(kFirstId + i));
      spec.add_string(2, "Counter number " + std::to_string(i));
    }
  }
  return envelope(0, 7, 1000, 52, event);
}

class Generator {
 public:
  std::string sample() {
    time_ += 900'000 + random_() % 200'000;
    // A frame of about 16 samples, the last few idle.
    const bool idle = ++tick_ % 16 > 12;
    std::string event;
    protozero::pbf_writer writer(event);
    for (int i = 0; i < kCounters; ++i) {
      const std::uint32_t value = idle ? 0 : static_cast<std::uint32_t>(random_()) % scale_of(i);
      protozero::pbf_writer counter(writer, 2);
      counter.add_uint32(1, static_cast<std::uint32_t>(kFirstId + i));
      if (i % 2 == 0) {
        counter.add_int64(2, value);
      } else {
        counter.add_double(3, static_cast<double>(value) / kCores);
      }
    }
    return envelope(time_, 7, 1000, 52, event);
  }

  std::string bundle() {
    static constexpr std::string_view kThreads[] = {"swapper/0", "RenderThread", "UnityMain",
                                                    "surfaceflinger", "kworker/u16:3"};
    std::string payload;
    protozero::pbf_writer writer(payload);
    writer.add_uint32(1, static_cast<std::uint32_t>(random_() % 8));
    std::uint64_t time = time_;
    while (payload.size() < kBundleBytes) {
      time += random_() % 20'000;
      protozero::pbf_writer event(writer, 2);
      event.add_uint64(1, time);
      event.add_uint32(2, static_cast<std::uint32_t>(1000 + random_() % 100));
      protozero::pbf_writer sched_switch(event, 4);
      sched_switch.add_string(1, kThreads[random_() % 5].data());
      sched_switch.add_int32(2, static_cast<std::int32_t>(1000 + random_() % 100));
      sched_switch.add_int32(3, 120);
      sched_switch.add_int64(4, 1);
      sched_switch.add_string(5, kThreads[random_() % 5].data());
      sched_switch.add_int32(6, static_cast<std::int32_t>(1000 + random_() % 100));
      sched_switch.add_int32(7, 120);
    }
    return envelope(0, 4, 9999, 1, payload);
  }

  std::uint64_t random() { return random_(); }

 private:
  std::mt19937_64 random_{20261130};
  std::uint64_t time_ = kStart;
  std::uint64_t tick_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: generate_trace OUT MEGABYTES counters|half|other\n");
    return 2;
  }
  const std::string_view mix = argv[3];
  const double counters = mix == "counters" ? 1.0 : mix == "half" ? 0.5 : 0.03;
  const auto wanted = static_cast<std::uint64_t>(std::atof(argv[2]) * 1e6);
  std::ofstream out(argv[1], std::ios::binary);
  std::uint64_t written = 0;
  std::uint64_t of_counters = 0;
  const auto write = [&](const std::string& packet) {
    std::string framed;
    protozero::pbf_writer writer(framed);
    writer.add_message(1, packet);
    out.write(framed.data(), static_cast<std::streamsize>(framed.size()));
    written += framed.size();
    return framed.size();
  };
  Generator generator;
  write(descriptor_packet());
  while (written < wanted && out) {
    if (static_cast<double>(of_counters) <= counters * static_cast<double>(written)) {
      of_counters += write(generator.sample());
    } else {
      write(generator.bundle());
    }
  }
  return out.flush() ? 0 : 1;
}
