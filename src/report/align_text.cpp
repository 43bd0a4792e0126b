#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "report/align.h"
#include "report/layout.h"
#include "report/lint_report.h"
#include "report/sentences.h"

namespace tilebound::report {

namespace {

using align::Alignment;
using align::PassOnQueue;
using analyze::Queue;

constexpr std::size_t kNameWidth = 22;

std::string milliseconds(double ms) {
  return fmt::format("{:.2f}", ms);
}

std::string range(const PassOnQueue& pass) {
  return fmt::format("{} .. {}", milliseconds(pass.ms.least), milliseconds(pass.ms.most));
}

void queue_head(std::string& out, const align::QueueAlignment& queue, std::size_t width) {
  const char* name = queue.queue == Queue::fragment ? "FRAGMENT QUEUE" : "NON-FRAGMENT QUEUE";
  out += '\n';
  std::string how = queue.method == align::Method::exact ? "by " + queue.counter
                    : queue.method == align::Method::mix ? "by the mix of counters"
                                                         : "not aligned";
  if (queue.method != align::Method::none) {
    how += fmt::format(", confidence {:.2f}", queue.confidence);
  }
  paragraph(out, fmt::format("{}  ", name), fmt::format("{}: {}", how, queue.reason), width);
}

/// "Bloom down 1 and 3 more".
std::string names(const Passes& passes, const std::vector<std::size_t>& works) {
  constexpr std::size_t kShown = 1;
  std::vector<std::string> list;
  for (std::size_t i = 0; i < works.size() && i < kShown; ++i) {
    list.push_back(align::work_name(passes.lint.context, passes.alignment.works[works[i]]));
  }
  std::string out = fmt::format("{}", fmt::join(list, ", "));
  if (works.size() > kShown) out += fmt::format(" and {} more", works.size() - kShown);
  return out;
}

void pass_rows(std::string& out, const analyze::Analysis& analysis, const Passes& passes,
               const align::QueueAlignment& queue, std::size_t width) {
  if (queue.passes.empty()) return;
  const Alignment& a = passes.alignment;
  out += "  " + left("pass", kNameWidth) + right("from ms", 9) + right("ms a frame", 12) +
         "  8 of 10 frames  limited by\n";
  for (std::size_t k = 0; k < queue.passes.size(); ++k) {
    const PassOnQueue& pass = queue.passes[k];
    std::string from = "n/a";
    if (a.typical) {
      const align::FrameTimes& frame = a.frames[*a.typical];
      const auto& times = queue.queue == Queue::fragment ? frame.fragment : frame.non_fragment;
      if (k < times.size()) from = milliseconds((times[k].begin.ns - frame.begin_ns) / 1e6);
    }
    std::string limited;
    for (const std::string& id : pass.limiters) {
      const auto load = std::find_if(pass.units.begin(), pass.units.end(),
                                     [&](const auto& unit) { return unit.id == id; });
      limited += fmt::format("{}{} {:.0f} %", limited.empty() ? "" : ", ",
                             analyze::unit_label(analysis, id),
                             load == pass.units.end() ? 0.0 : load->percent);
    }
    if (!pass.merged_with.empty()) {
      limited = fmt::format("one group with {}", names(passes, pass.merged_with));
    }
    paragraph(out,
              fmt::format(
                  "  {}{}{}  {}  ",
                  left(base::printable(align::work_name(passes.lint.context, a.works[pass.work])),
                       kNameWidth),
                  right(from, 9), right(milliseconds(pass.ms.estimate), 12), left(range(pass), 14)),
              limited.empty() ? "unknown" : limited, width);
  }
}

void frame_rows(std::string& out, const Passes& passes, std::size_t width) {
  const Alignment& a = passes.alignment;
  const align::FrameShape& shape = a.shape;
  out += "\nFRAME OF PASSES  averages over frames that match\n";
  paragraph(
      out, "  GPU       ",
      fmt::format("{:.2f} ms active: fragment queue {:.2f} ms, non-fragment queue {:.2f} ms, "
                  "both at once {:.2f} ms",
                  shape.active_ms, shape.fragment_ms, shape.non_fragment_ms, shape.overlap_ms),
      width);
  paragraph(out, "  No pass   ",
            fmt::format("{:.2f} ms active in none of them ({:.1f} %)", shape.unattributed_ms,
                        shape.active_ms > 0 ? 100 * shape.unattributed_ms / shape.active_ms : 0),
            width);
  if (a.stages) {
    paragraph(out, "  Stages    ",
              fmt::format("{} of {} frames have a render stage of the driver for each fragment "
                          "pass, {:.2f} ms from what the samples alone say; times are {}",
                          a.stages->found, a.stages->frames, a.stages->median_off_ms,
                          a.stages->used ? "the stages'" : "those of the samples"),
              width);
  }
  std::string path;
  for (const align::Step& step : a.critical_path) {
    if (!path.empty()) path += " > ";
    path += fmt::format("{}{} {:.2f}", align::work_name(passes.lint.context, a.works[step.work]),
                        step.queue == Queue::fragment ? "" : " (vertices)",
                        (step.end_ns - step.begin_ns) / 1e6);
  }
  if (!path.empty()) paragraph(out, "  Waits for ", base::printable(path), width);
}

}  // namespace

void add_passes(std::string& out, const analyze::Analysis& analysis, const Passes& passes,
                std::size_t width) {
  for (const align::QueueAlignment* queue :
       {&passes.alignment.fragment, &passes.alignment.non_fragment}) {
    queue_head(out, *queue, width);
    pass_rows(out, analysis, passes, *queue, width);
  }
  frame_rows(out, passes, width);
}

std::string align_text(const AlignReport& report, const TextOptions& options) {
  const Alignment& a = report.passes.alignment;
  const std::size_t width = options.width;
  std::string out =
      fmt::format("ALIGN  {} on {}\n", base::printable(report.passes.lint.context.frame.source),
                  base::printable(report.capture.source));
  paragraph(out, "  Frames    ",
            fmt::format("{} found, {} of them do what the API capture's frame does",
                        a.frames.size(), a.matching),
            width);
  for (const align::Comparison& one : a.compared) {
    paragraph(out, "  Compared  ",
              fmt::format("{}: the API capture's frame has {:.0f}, a frame of the counters {}",
                          one.counter, one.expected,
                          one.measured ? fmt::format("{:.0f}", *one.measured) : "unknown"),
              width);
  }
  add_passes(out, report.analysis, report.passes, width);
  add_findings(out, report.passes.findings, width);
  notes(out, notes_with(&report.passes, report.trust, report.analysis), width);
  return out;
}

}  // namespace tilebound::report
