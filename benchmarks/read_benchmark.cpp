// Measures, in one run, how fast a Perfetto trace is read and every counter summed:
//
//     read_benchmark REPETITIONS TRACE...
//
//   scan   a bare protozero scan: the file by read() into a 256 KiB window, packets iterated, ids
//   and
//          values of counter events decoded and summed by id; everything else skipped
//   mmap   the same scan over a mapping of the file
//   ours   the Perfetto importer, then the sum of every column
//
// The ways alternate. Each run is a process of its own, so that its peak memory is its own, and the
// sums must agree. Time is processor time, user and system, which other programs on the machine
// disturb less than elapsed time; all ways use one thread and the file is in the page cache. Prints
// medians and ratios of medians.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <protozero/pbf_reader.hpp>
#include <protozero/varint.hpp>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "cli/files.h"
#include "ingest/perfetto/perfetto.h"

namespace {

struct Result {
  double seconds = 0;
  double sum = 0;
  double peak_mb = 0;
};

double processor_seconds(const rusage& usage) {
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

using SumById = std::vector<double>;

void scan_event(protozero::pbf_reader event, SumById& sums) {
  while (event.next()) {
    if (event.tag_and_type() !=
        protozero::tag_and_type(2, protozero::pbf_wire_type::length_delimited)) {
      event.skip();
      continue;
    }
    protozero::pbf_reader counter = event.get_message();
    std::uint32_t id = 0;
    double value = 0;
    while (counter.next()) {
      switch (counter.tag()) {
        case 1:
          id = counter.get_uint32();
          break;
        case 2:
          value = static_cast<double>(counter.get_int64());
          break;
        case 3:
          value = counter.get_double();
          break;
        default:
          counter.skip();
      }
    }
    if (id < sums.size()) sums[id] += value;
  }
}

void scan_packet(protozero::pbf_reader packet, SumById& sums) {
  while (packet.next()) {
    if (packet.tag() == 52) {
      scan_event(packet.get_message(), sums);
    } else {
      packet.skip();
    }
  }
}

double total(const SumById& sums) {
  double out = 0;
  for (const double sum : sums) out += sum;
  return out;
}

double scan_window(const char* path) {
  constexpr std::size_t kWindow = std::size_t{1} << 18;  // as ByteSource begins
  SumById sums(1024);
  std::vector<char> buffer(kWindow);
  const int fd = ::open(path, O_RDONLY);
  std::size_t held = 0;
  for (;;) {
    const ssize_t got = ::read(fd, buffer.data() + held, buffer.size() - held);
    if (got <= 0) break;
    held += static_cast<std::size_t>(got);
    const char* at = buffer.data();
    const char* const end = at + held;
    while (end - at > 11) {
      const char* body = at + 1;  // all top-level fields are packets
      const std::uint64_t length = protozero::decode_varint(&body, end);
      if (static_cast<std::uint64_t>(end - body) < length) break;
      scan_packet(protozero::pbf_reader(body, length), sums);
      at = body + length;
    }
    held = static_cast<std::size_t>(end - at);
    std::memmove(buffer.data(), at, held);
    if (held == buffer.size()) buffer.resize(buffer.size() * 2);
  }
  if (held > 0) {
    protozero::pbf_reader rest(buffer.data(), held);
    while (rest.next(1)) scan_packet(rest.get_message(), sums);
  }
  ::close(fd);
  return total(sums);
}

double scan_mapping(const char* path) {
  SumById sums(1024);
  const int fd = ::open(path, O_RDONLY);
  struct stat status {};
  ::fstat(fd, &status);
  const auto size = static_cast<std::size_t>(status.st_size);
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  ::madvise(mapped, size, MADV_SEQUENTIAL);
  protozero::pbf_reader trace(static_cast<const char*>(mapped), size);
  while (trace.next(1)) scan_packet(trace.get_message(), sums);
  ::munmap(mapped, size);
  ::close(fd);
  return total(sums);
}

double read_ours(const char* path) {
  tilebound::base::ByteSource source = tilebound::cli::open_input(path);
  const tilebound::model::Capture capture = tilebound::ingest::perfetto_importer().read(source);
  double out = 0;
  for (const auto& counter : capture.counters) out += counter.values.sum();
  return out;
}

using Way = double (*)(const char*);

/// Runs `way` in a child, so that peak memory is that of the way alone.
Result measure(Way way, const char* path) {
  int pipe_ends[2];
  if (::pipe(pipe_ends) != 0) std::exit(1);
  const pid_t child = ::fork();
  if (child == 0) {
    rusage before{};
    ::getrusage(RUSAGE_SELF, &before);
    Result result;
    result.sum = way(path);
    rusage after{};
    ::getrusage(RUSAGE_SELF, &after);
    result.seconds = processor_seconds(after) - processor_seconds(before);
    result.peak_mb = static_cast<double>(after.ru_maxrss) * 1024 / 1e6;
    const bool told = ::write(pipe_ends[1], &result, sizeof result) == sizeof result;
    ::_exit(told ? 0 : 1);
  }
  Result result;
  int status = 0;
  const bool heard = ::read(pipe_ends[0], &result, sizeof result) == sizeof result;
  ::waitpid(child, &status, 0);
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
  if (!heard || status != 0) {
    std::fprintf(stderr, "a measurement failed\n");
    std::exit(1);
  }
  return result;
}

Result median(std::vector<Result> results) {
  const auto middle = results.begin() + static_cast<std::ptrdiff_t>(results.size() / 2);
  std::nth_element(results.begin(), middle, results.end(),
                   [](const Result& a, const Result& b) { return a.seconds < b.seconds; });
  return *middle;
}

void run(const char* path, int repetitions) {
  struct stat status {};
  if (::stat(path, &status) != 0) std::exit(1);
  const double megabytes = static_cast<double>(status.st_size) / 1e6;
  constexpr Way kWays[] = {scan_window, scan_mapping, read_ours};
  std::vector<Result> results[3];
  for (const Way way : kWays) measure(way, path);  // the file into the page cache
  for (int r = 0; r < repetitions; ++r) {
    for (int w = 0; w < 3; ++w) results[w].push_back(measure(kWays[w], path));
  }
  const Result scan = median(results[0]);
  const Result mapping = median(results[1]);
  const Result ours = median(results[2]);
  if (std::abs(ours.sum - scan.sum) > 1e-9 * std::abs(scan.sum)) {
    std::fprintf(stderr, "%s: sums differ: %.17g and %.17g\n", path, scan.sum, ours.sum);
    std::exit(1);
  }
  const std::string_view name = path;
  std::printf("%-24s %7.1f %9.0f %9.0f %9.0f %9.2f %9.2f %9.1f %9.1f %8.3f\n",
              std::string(name.substr(name.rfind('/') + 1)).c_str(), megabytes,
              megabytes / scan.seconds, megabytes / mapping.seconds, megabytes / ours.seconds,
              scan.seconds / ours.seconds, mapping.seconds / ours.seconds, scan.peak_mb,
              ours.peak_mb, ours.peak_mb / megabytes);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: read_benchmark REPETITIONS TRACE...\n");
    return 2;
  }
  std::printf("%-24s %7s %9s %9s %9s %9s %9s %9s %9s %8s\n", "trace", "MB", "scan", "mmap scan",
              "ours", "ours/", "ours/", "scan", "ours", "ours peak");
  std::printf("%-24s %7s %9s %9s %9s %9s %9s %9s %9s %8s\n", "", "", "MB/s", "MB/s", "MB/s", "scan",
              "mmap", "peak MB", "peak MB", "/ file");
  for (int i = 2; i < argc; ++i) run(argv[i], std::max(1, std::atoi(argv[1])));
  return 0;
}
