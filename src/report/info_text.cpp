#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "report/json.h"
#include "report/layout.h"
#include "report/report.h"

namespace tilebound::report {

namespace {

constexpr std::size_t kNumberWidth = 10;
constexpr std::size_t kIdWidth = 6;
constexpr std::size_t kKindWidth = 8;

std::string number(std::optional<double> value) {
  return value ? base::short_number(*value) : "-";
}

void describe_request(std::string& out, const model::Capture& capture, std::size_t width) {
  const model::CaptureRequest& request = capture.request;
  if (request.data_sources.empty()) return;
  paragraph(out, "Asked     ",
            fmt::format("data sources {}", fmt::join(request.data_sources, ", ")), width);
  std::string counters;
  if (!request.counter_ids.empty()) {
    counters = fmt::format("{} counter ids: {}", request.counter_ids.size(),
                           fmt::join(request.counter_ids, ", "));
  } else if (!request.counter_names.empty()) {
    counters = fmt::format("{} counters by name", request.counter_names.size());
  } else if (request.gpu_counters) {
    counters = "no counter ids";
  }
  if (request.period_ns) {
    counters += fmt::format("{}period {} ns", counters.empty() ? "" : "; ",
                            base::group_digits(static_cast<double>(*request.period_ns), 0));
  }
  if (!counters.empty()) paragraph(out, "          ", counters, width);
}

void describe_sampling(std::string& out, const model::Capture& capture,
                       const analyze::TrustReport& trust, std::size_t width) {
  for (std::size_t a = 0; a < capture.axes.size(); ++a) {
    const analyze::Sampling& s = trust.axes[a];
    const auto sharing = std::count_if(capture.counters.begin(), capture.counters.end(),
                                       [a](const auto& c) { return c.axis == a; });
    const char* open = capture.axes[a].direction == model::ValueDirection::backwards
                           ? "the first has no begin"
                           : "the last has no end";
    paragraph(out, a == 0 ? "Sampling  " : "          ",
              fmt::format("{} counter{}: {} samples each, {} intervals{}; median {:.3f} ms, {:.3f} "
                          "to {:.3f} ms{}",
                          sharing, sharing == 1 ? "" : "s", s.samples, s.intervals,
                          s.intervals + 1 == s.samples ? fmt::format(" ({})", open) : "",
                          s.median_ns * 1e-6, s.shortest_ns * 1e-6, s.longest_ns * 1e-6,
                          s.holes.empty() ? "" : fmt::format("; {} holes", s.holes.size())),
              width);
  }
}

void list_counters(std::string& out, const model::Capture& capture,
                   const analyze::TrustReport& trust, std::size_t width) {
  const std::size_t name_width = width - kIdWidth - kKindWidth - 3 * kNumberWidth - 2;
  out += fmt::format("\n{} {} {}{}{}{}\n", right("id", kIdWidth), left("counter", name_width),
                     left("kind", kKindWidth), right("total/mean", kNumberWidth),
                     right("min", kNumberWidth), right("max", kNumberWidth));
  for (const analyze::CounterSummary& s : trust.counters) {
    const model::Counter& counter = capture.counters[s.index];
    if (!counter.sampled()) continue;
    const auto main = counter.kind == model::CounterKind::count ? s.total : s.mean;
    out += fmt::format("{} {} {}{}{}{}\n",
                       right(counter.id ? std::to_string(*counter.id) : "-", kIdWidth),
                       left(base::printable(counter.name), name_width),
                       left(kind_name(counter.kind), kKindWidth), right(number(main), kNumberWidth),
                       right(number(s.min), kNumberWidth), right(number(s.max), kNumberWidth));
  }
}

}  // namespace

std::string info_text(const model::Capture& capture, const analyze::TrustReport& trust,
                      const TextOptions& options) {
  const std::size_t width = options.width;
  std::string out;
  const base::Interval span = capture.span();
  paragraph(
      out, "Capture   ",
      fmt::format("{}: {}, {:.3f} s", capture.source, capture.format, base::seconds(span.length())),
      width);
  for (std::size_t g = 0; g < capture.gpu_names.size(); ++g) {
    if (capture.gpu_names[g].empty()) continue;
    paragraph(out, "GPU       ", fmt::format("{}: {}", g, capture.gpu_names[g]), width);
  }
  for (const auto& [key, value] : capture.system) {
    paragraph(out, "System    ", fmt::format("{}: {}", key, value), width);
  }
  std::vector<std::string> ids;
  for (const model::Counter& counter : capture.counters) {
    if (counter.sampled() && counter.id) ids.push_back(std::to_string(*counter.id));
  }
  std::string sampled = fmt::format("{} specs, {} sampled", trust.specs, trust.sampled);
  if (!ids.empty() && ids.size() <= 12) {
    sampled += fmt::format(" (id{} {})", ids.size() == 1 ? "" : "s", fmt::join(ids, ", "));
  }
  paragraph(out, "Counters  ", sampled, width);
  describe_sampling(out, capture, trust, width);
  describe_request(out, capture, width);
  if (!capture.clock.empty()) {
    paragraph(out, "Clock     ", fmt::format("{} GPU frequency events", capture.clock.size()),
              width);
  }
  if (!capture.render_stages.empty()) {
    paragraph(out, "Stages    ", fmt::format("{} GPU render stages", capture.render_stages.size()),
              width);
  }
  if (!capture.other_content.empty()) {
    std::vector<std::string> kinds;
    for (const auto& [kind, count] : capture.other_content) {
      kinds.push_back(fmt::format("{} {}", count, kind));
    }
    paragraph(out, "Also      ", fmt::format("{}", fmt::join(kinds, ", ")), width);
  }
  list_counters(out, capture, trust, width);
  const std::size_t idle = trust.specs - trust.sampled;
  if (idle > 0) {
    paragraph(out, "",
              fmt::format("{} more described but not sampled; --format json lists them.", idle),
              width);
  }
  notes(out, trust.notes, width);
  return out;
}

}  // namespace tilebound::report
