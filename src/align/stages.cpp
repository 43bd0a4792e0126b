#include "align/stages.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/statistics.h"

namespace tilebound::align {

namespace {

/// A stage is that of a pass when both cover this share of the time that either does.
constexpr double kSameShare = 0.5;
/// Passes of this share need a stage before stages are believed to be of these passes.
constexpr double kMostPasses = 0.9;

struct Span {
  double begin = 0;
  double end = 0;
};

std::optional<Span> stage_of(const std::vector<Span>& stages, double longest,
                             const PassTime& pass) {
  const double begin = pass.begin.ns;
  const double end = pass.end.ns;
  auto at = std::lower_bound(stages.begin(), stages.end(), begin - longest,
                             [](const Span& s, double t) { return s.begin < t; });
  std::optional<Span> best;
  double most = kSameShare;
  for (; at != stages.end() && at->begin < end; ++at) {
    const double common = std::min(end, at->end) - std::max(begin, at->begin);
    const double either = std::max(end, at->end) - std::min(begin, at->begin);
    if (either <= 0 || common / either < most) continue;
    most = common / either;
    best = *at;
  }
  return best;
}

Moment exactly(double ns) {
  return {ns, ns, ns};
}

}  // namespace

void use_stages(std::span<const model::RenderStage> stages, std::uint32_t gpu,
                Alignment& alignment) {
  std::vector<Span> spans;
  double longest = 0;
  for (const model::RenderStage& stage : stages) {
    if (stage.gpu != gpu || stage.duration_ns <= 0) continue;
    const auto begin = static_cast<double>(stage.begin_ns);
    spans.push_back({begin, begin + static_cast<double>(stage.duration_ns)});
    longest = std::max(longest, static_cast<double>(stage.duration_ns));
  }
  if (spans.empty()) return;
  std::stable_sort(spans.begin(), spans.end(),
                   [](const Span& a, const Span& b) { return a.begin < b.begin; });
  StageCheck check;
  std::vector<double> off;
  std::vector<FrameTimes> frames = alignment.frames;
  std::vector<std::vector<double>> lengths(alignment.fragment.passes.size());
  for (FrameTimes& frame : frames) {
    if (!frame.matches) continue;
    for (std::size_t k = 0; k < frame.fragment.size(); ++k) {
      ++check.passes;
      PassTime& pass = frame.fragment[k];
      const auto stage = stage_of(spans, longest, pass);
      if (!stage) continue;
      ++check.found;
      off.push_back(std::abs(stage->begin - pass.begin.ns));
      off.push_back(std::abs(stage->end - pass.end.ns));
      pass = {exactly(stage->begin), exactly(stage->end)};
      lengths[k].push_back(stage->end - stage->begin);
    }
  }
  check.median_off_ms = base::median(off).value_or(0) / 1e6;
  check.used = static_cast<double>(check.found) >= kMostPasses * static_cast<double>(check.passes);
  alignment.stages = check;
  if (!check.used) return;
  alignment.frames = std::move(frames);
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    if (lengths[k].empty()) continue;
    PassOnQueue& pass = alignment.fragment.passes[k];
    pass.ms = {base::quantile(lengths[k], 0.1).value_or(0) / 1e6,
               base::median(lengths[k]).value_or(0) / 1e6,
               base::quantile(lengths[k], 0.9).value_or(0) / 1e6};
    pass.merged_with.clear();
  }
}

}  // namespace tilebound::align
