#include "align/stages.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/statistics.h"

namespace tilebound::align {

namespace {

/// Frames of this share need as many stages as passes before stages are believed to be of passes.
constexpr double kMostFrames = 0.9;

struct Span {
  double begin = 0;
  double end = 0;
};

/// Stages by what they may have in common: their queue, or queue and stage.
using Groups = std::map<std::pair<std::string, std::string>, std::vector<Span>>;

Groups groups_of(std::span<const model::RenderStage> stages, std::uint32_t gpu) {
  Groups out;
  for (const model::RenderStage& stage : stages) {
    if (stage.gpu != gpu || stage.duration_ns <= 0) continue;
    const auto begin = static_cast<double>(stage.begin_ns);
    const Span span{begin, begin + static_cast<double>(stage.duration_ns)};
    out[{stage.queue, {}}].push_back(span);
    if (!stage.stage.empty()) out[{stage.queue, stage.stage}].push_back(span);
  }
  for (auto& [key, spans] : out) {
    std::stable_sort(spans.begin(), spans.end(),
                     [](const Span& x, const Span& y) { return x.begin < y.begin; });
  }
  return out;
}

/// Stages whose middle lies within the frame's fragment work.
std::vector<Span> of_frame(const std::vector<Span>& stages, const FrameTimes& frame) {
  std::vector<Span> out;
  if (frame.fragment.empty()) return out;
  const double begin = frame.fragment.front().begin.ns;
  const double end = frame.fragment.back().end.ns;
  const auto before = [](const Span& s, double t) { return (s.begin + s.end) / 2 < t; };
  for (auto at = std::lower_bound(stages.begin(), stages.end(), begin, before);
       at != stages.end() && (at->begin + at->end) / 2 < end; ++at) {
    out.push_back(*at);
  }
  return out;
}

/// One group of stages laid on the passes, in order.
struct Laid {
  StageCheck check;
  std::vector<FrameTimes> frames;
  std::vector<std::vector<double>> lengths;  // by pass
};

Moment exactly(double ns) {
  return {ns, ns, ns};
}

Laid lay(const std::vector<Span>& stages, const Alignment& alignment) {
  Laid out{{}, alignment.frames, {}};
  out.lengths.resize(alignment.fragment.passes.size());
  std::vector<double> off;
  for (FrameTimes& frame : out.frames) {
    if (!frame.matches) continue;
    ++out.check.frames;
    const std::vector<Span> own = of_frame(stages, frame);
    if (own.size() != frame.fragment.size()) continue;
    ++out.check.found;
    for (std::size_t k = 0; k < own.size(); ++k) {
      PassTime& pass = frame.fragment[k];
      off.push_back(std::abs(own[k].begin - pass.begin.ns));
      off.push_back(std::abs(own[k].end - pass.end.ns));
      pass = {exactly(own[k].begin), exactly(own[k].end)};
      out.lengths[k].push_back(own[k].end - own[k].begin);
    }
  }
  out.check.median_off_ms = base::median(off).value_or(0) / 1e6;
  out.check.used = static_cast<double>(out.check.found) >=
                   kMostFrames * static_cast<double>(std::max<std::size_t>(1, out.check.frames));
  return out;
}

}  // namespace

void use_stages(std::span<const model::RenderStage> stages, std::uint32_t gpu,
                Alignment& alignment) {
  std::optional<Laid> best;
  for (const auto& [key, spans] : groups_of(stages, gpu)) {
    Laid laid = lay(spans, alignment);
    const bool better = !best || laid.check.found > best->check.found ||
                        (laid.check.found == best->check.found &&
                         laid.check.median_off_ms < best->check.median_off_ms);
    if (better) best = std::move(laid);
  }
  if (!best) return;
  alignment.stages = best->check;
  if (!best->check.used) return;
  alignment.frames = std::move(best->frames);
  for (std::size_t k = 0; k < best->lengths.size(); ++k) {
    const std::vector<double>& lengths = best->lengths[k];
    PassOnQueue& pass = alignment.fragment.passes[k];
    pass.ms = {base::quantile(lengths, 0.1).value_or(0) / 1e6,
               base::median(lengths).value_or(0) / 1e6,
               base::quantile(lengths, 0.9).value_or(0) / 1e6};
    pass.merged_with.clear();
  }
}

}  // namespace tilebound::align
