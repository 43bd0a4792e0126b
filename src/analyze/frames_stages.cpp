#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "analyze/frames_marks.h"
#include "base/statistics.h"
#include "base/text.h"

/// What drivers deliver differs: Vulkan drivers give each stage its submission, framebuffer and
/// render pass handle; GLES ones often only a target. Stages on one queue are in order and do not
/// overlap; geometry runs ahead of the fragment work it belongs to.
namespace tilebound::analyze {

namespace {

using model::RenderStage;

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::size_t kFewestFrames = 3;
constexpr double kCertain = 0.99;    // the cut follows from marks, or from the target shown
constexpr double kLikely = 0.8;      // one submission a frame, or an idle gap after the last pass
constexpr double kAssumed = 0.45;    // the period is right, where a frame ends is not known
constexpr double kMarksHold = 0.9;   // of marks that must have stages before them
constexpr double kAlternate = 0.8;   // of a pass' runs that must have another target than before
constexpr double kOtherWork = 1.25;  // targets whose passes take so much longer are other passes
constexpr std::size_t kRarest = 8;   // a pass may run so many times in a frame
constexpr double kClearGap = 2;      // a gap so many times the next longest one ends frames

enum class Kind { geometry, other, fragment };

/// By the words of Mali ("vertex", "fragment", "compute"), PowerVR and Adreno ("Binning", "Render",
/// "Dispatch", "Blit"); a pass that is timed as a whole counts as its fragment work.
Kind kind_of(const RenderStage& stage) {
  for (const std::string& text : {base::lower(stage.stage), base::lower(stage.queue)}) {
    const auto has = [&text](std::string_view part) {
      return text.find(part) != std::string::npos;
    };
    if (has("vertex") || has("geometry") || has("binning") || has("tiling") || has("tiler")) {
      return Kind::geometry;
    }
    if (has("compute") || has("dispatch") || has("transfer") || has("blit") || has("copy") ||
        has("non-fragment") || has("nonfragment")) {
      return Kind::other;
    }
    if (has("fragment") || has("render") || has("surface")) return Kind::fragment;
  }
  return Kind::fragment;
}

struct Job {
  const RenderStage* stage = nullptr;
  Kind kind = Kind::fragment;
  std::size_t pass = 0;       // which pass of the frame it is, fragment jobs only
  std::size_t frame = kNone;  // which frame it belongs to

  std::int64_t begin() const { return stage->begin_ns; }
  std::int64_t end() const { return stage->begin_ns + stage->duration_ns; }
};

/// What is submitted as a whole, or a run of one pass where nothing tells submissions.
struct Unit {
  std::size_t pass = 0;  // of its last fragment job
  std::uint64_t target = 0;
  std::int64_t begin = 0;  // of its first job
  std::int64_t end = 0;    // of its last fragment job
};

struct Cut {
  std::size_t pass = 0;  // frames end with units of this pass
  double confidence = 0;
  std::string how;
};

/// Stages of the context (device or GL context) with most GPU time.
std::vector<Job> main_jobs(const model::Capture& capture, std::uint32_t gpu,
                           std::vector<model::Note>& notes) {
  std::map<std::uint64_t, double> time;
  for (const RenderStage& stage : capture.render_stages) {
    if (stage.gpu == gpu) time[stage.context] += static_cast<double>(stage.duration_ns);
  }
  if (time.empty()) return {};
  const auto most = std::max_element(
      time.begin(), time.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  double all = 0;
  for (const auto& [context, ns] : time) all += ns;
  if (time.size() > 1 && all > 0) {
    model::add_note(
        notes, "other_contexts", model::Severity::info,
        fmt::format("frames are those of the render stages of context {:#x}, {:.1f} % of the GPU "
                    "time; {} others are the rest",
                    most->first, 100 * most->second / all, time.size() - 1));
  }
  std::vector<Job> jobs;
  for (const RenderStage& stage : capture.render_stages) {
    if (stage.gpu == gpu && stage.context == most->first) jobs.push_back({&stage, kind_of(stage)});
  }
  const bool any = std::any_of(jobs.begin(), jobs.end(),
                               [](const Job& job) { return job.kind == Kind::fragment; });
  // Compute alone: its work is what a frame ends with.
  if (!any) {
    for (Job& job : jobs) job.kind = Kind::fragment;
  }
  return jobs;
}

/// Fragment jobs in the order in which they end.
std::vector<Job*> fragment_jobs(std::vector<Job>& jobs) {
  std::vector<Job*> out;
  for (Job& job : jobs) {
    if (job.kind == Kind::fragment) out.push_back(&job);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Job* a, const Job* b) { return a->end() < b->end(); });
  return out;
}

/// Numbers passes by stage name, label and render pass. A render pass that takes longer on one
/// target than on another stands for several.
void name_passes(const std::vector<Job*>& fragments) {
  using Key = std::tuple<std::string_view, std::string_view, std::uint64_t, std::uint64_t>;
  std::map<Key, std::map<std::uint64_t, std::vector<double>>> targets;
  const auto key = [](const RenderStage& s, bool by_target) -> Key {
    return {s.stage, s.label, s.render_pass, by_target ? s.render_target : 0};
  };
  for (const Job* job : fragments) {
    targets[key(*job->stage, false)][job->stage->render_target].push_back(
        static_cast<double>(job->stage->duration_ns));
  }
  std::set<Key> by_target;
  for (const auto& [pass, lists] : targets) {
    std::vector<double> middles;
    for (const auto& [target, durations] : lists) middles.push_back(*base::median(durations));
    const auto [least, most] = std::minmax_element(middles.begin(), middles.end());
    if (*most > kOtherWork * *least) by_target.insert(pass);
  }
  std::map<Key, std::size_t> numbers;
  for (Job* job : fragments) {
    const bool split = by_target.count(key(*job->stage, false)) > 0;
    job->pass = numbers.try_emplace(key(*job->stage, split), numbers.size()).first->second;
  }
}

/// Frames by marks: a fragment job belongs to the first one that ends after its middle. False when
/// the marks do not fit the stages.
bool follow_marks(const std::vector<Job*>& fragments, const std::vector<std::int64_t>& ends) {
  std::vector<std::size_t> frame_of;
  std::set<std::size_t> used;
  for (const Job* job : fragments) {
    const std::int64_t middle = job->begin() + job->stage->duration_ns / 2;
    const auto at = std::lower_bound(ends.begin(), ends.end(), middle);
    const auto frame = static_cast<std::size_t>(at - ends.begin());
    frame_of.push_back(at == ends.end() ? kNone : frame);
    if (at != ends.end()) used.insert(frame);
  }
  const auto expected = std::count_if(ends.begin(), ends.end(), [&](std::int64_t end) {
    return end >= fragments.front()->end() && end <= fragments.back()->end();
  });
  if (used.size() < kFewestFrames ||
      static_cast<double>(used.size()) < kMarksHold * static_cast<double>(expected)) {
    return false;
  }
  for (std::size_t i = 0; i < fragments.size(); ++i) fragments[i]->frame = frame_of[i];
  return true;
}

bool has_submissions(const std::vector<Job*>& fragments) {
  return std::all_of(fragments.begin(), fragments.end(),
                     [](const Job* job) { return job->stage->submission != 0; });
}

/// Units in the order in which they end; `unit_of` is parallel to `fragments`.
std::vector<Unit> make_units(const std::vector<Job>& jobs, const std::vector<Job*>& fragments,
                             std::vector<std::size_t>& unit_of) {
  std::vector<Unit> units;
  if (has_submissions(fragments)) {
    std::map<std::uint32_t, const Job*> last;
    for (const Job* job : fragments) last[job->stage->submission] = job;
    std::map<std::uint32_t, std::size_t> number;
    for (const Job* job : fragments) {
      if (last[job->stage->submission] != job) continue;
      number[job->stage->submission] = units.size();
      units.push_back({job->pass, job->stage->render_target, job->begin(), job->end()});
    }
    for (const Job* job : fragments) unit_of.push_back(number[job->stage->submission]);
    for (const Job& job : jobs) {
      const auto found = number.find(job.stage->submission);
      if (found == number.end()) continue;
      units[found->second].begin = std::min(units[found->second].begin, job.begin());
    }
    return units;
  }
  const bool one_pass = std::all_of(fragments.begin(), fragments.end(), [&](const Job* job) {
    return job->pass == fragments.front()->pass;
  });
  for (const Job* job : fragments) {
    if (one_pass || units.empty() || units.back().pass != job->pass) {
      units.push_back({job->pass, job->stage->render_target, job->begin(), job->end()});
    }
    units.back().end = job->end();
    unit_of.push_back(units.size() - 1);
  }
  return units;
}

/// Runs of the units that end with one pass. A pass far rarer than the most frequent one (a loading
/// screen, a capture's first frame) ends no frames.
struct Candidate {
  std::size_t pass = 0;
  std::size_t count = 0;
  std::set<std::uint64_t> targets;
  double alternating = 0;  // share of runs with another target than the one before
  double gap_ns = 0;       // median time until the next unit begins
};

std::vector<Candidate> candidates_of(const std::vector<Unit>& units) {
  struct Draft {
    Candidate candidate;
    std::vector<double> gaps;
    std::size_t changes = 0;
    std::uint64_t target = 0;
  };
  std::map<std::size_t, Draft> drafts;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const Unit& unit = units[u];
    Draft& draft = drafts[unit.pass];
    draft.candidate.pass = unit.pass;
    if (draft.candidate.count++ > 0 && draft.target != unit.target) ++draft.changes;
    draft.target = unit.target;
    draft.candidate.targets.insert(unit.target);
    if (u + 1 == units.size()) continue;
    draft.gaps.push_back(
        static_cast<double>(std::max<std::int64_t>(0, units[u + 1].begin - unit.end)));
  }
  std::vector<Candidate> out;
  for (auto& [pass, draft] : drafts) {
    Candidate& made = draft.candidate;
    if (made.count > 1) {
      made.alternating = static_cast<double>(draft.changes) / static_cast<double>(made.count - 1);
    }
    made.gap_ns = base::median(draft.gaps).value_or(0);
    out.push_back(std::move(made));
  }
  std::size_t most = 0;
  for (const Candidate& candidate : out) most = std::max(most, candidate.count);
  out.erase(std::remove_if(out.begin(), out.end(),
                           [most](const Candidate& c) { return c.count * kRarest < most; }),
            out.end());
  return out;
}

/// The pass that frames end with.
Cut choose_cut(const std::vector<Unit>& units, bool submissions) {
  std::vector<Candidate> all = candidates_of(units);
  const auto shown = [](const Candidate& c) {
    return c.alternating >= kAlternate ? c.targets.size() : 0;
  };
  std::stable_sort(all.begin(), all.end(), [&](const Candidate& a, const Candidate& b) {
    return std::pair(shown(a), a.gap_ns) > std::pair(shown(b), b.gap_ns);
  });
  const Candidate& best = all.front();
  if (shown(best) >= 2 && (all.size() == 1 || shown(all[1]) < shown(best))) {
    return {best.pass, kCertain,
            fmt::format("frames end with the pass that draws to {} targets in turn",
                        best.targets.size())};
  }
  if (all.size() == 1) {
    return {best.pass, kLikely,
            submissions ? "every submission is a frame" : "every pass is a frame"};
  }
  if (best.gap_ns > 0 && best.gap_ns > kClearGap * all[1].gap_ns) {
    return {best.pass, kLikely, "frames end with the pass before the longest gap"};
  }
  return {best.pass, kAssumed, "which pass ends a frame is assumed"};
}

void cut_units(const std::vector<Job*>& fragments, const std::vector<Unit>& units,
               const std::vector<std::size_t>& unit_of, std::size_t last_pass) {
  std::vector<std::size_t> frame_of;
  std::size_t frame = 0;
  for (const Unit& unit : units) {
    frame_of.push_back(frame);
    if (unit.pass == last_pass) ++frame;
  }
  for (std::size_t i = 0; i < fragments.size(); ++i) {
    const std::size_t mine = frame_of[unit_of[i]];
    fragments[i]->frame = mine < frame ? mine : kNone;  // what follows the last end is cut short
  }
}

/// Geometry and compute: by submission, else geometry goes with the next run of its own pass, and
/// compute with what follows it on its queue.
void assign_others(std::vector<Job>& jobs, const std::vector<Job*>& fragments) {
  if (has_submissions(fragments)) {
    std::map<std::uint32_t, std::size_t> frame_of;
    for (const Job* job : fragments) frame_of[job->stage->submission] = job->frame;
    for (Job& job : jobs) {
      if (job.kind == Kind::fragment) continue;
      // A submission without fragment work serves the next one.
      const auto next = frame_of.lower_bound(job.stage->submission);
      if (next != frame_of.end()) job.frame = next->second;
    }
    return;
  }
  using Key = std::tuple<std::string_view, std::uint64_t, std::uint64_t>;
  const auto key = [](const RenderStage& s) -> Key {
    return {s.label, s.render_pass, s.render_target};
  };
  std::map<Key, std::vector<const Job*>> runs;
  std::map<Key, std::size_t> next_run;
  for (const Job* job : fragments) runs[key(*job->stage)].push_back(job);
  for (Job& job : jobs) {
    if (job.kind != Kind::geometry) continue;
    const Key mine = key(*job.stage);
    const auto found = runs.find(mine);
    if (found == runs.end()) continue;
    std::size_t& at = next_run[mine];
    while (at < found->second.size() && found->second[at]->end() < job.end()) ++at;
    if (at < found->second.size()) job.frame = found->second[at++]->frame;
  }
  std::map<std::string_view, std::size_t> following;  // frame by queue
  for (auto job = jobs.rbegin(); job != jobs.rend(); ++job) {
    if (job->kind == Kind::fragment) continue;
    const auto [at, first] = following.try_emplace(job->stage->queue, kNone);
    if (job->frame != kNone) {
      at->second = job->frame;
    } else {
      job->frame = at->second;
    }
  }
}

std::vector<Frame> collect(const std::vector<Job>& jobs, base::Interval window) {
  struct Extent {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    bool any = false;
  };
  std::map<std::size_t, Extent> frames;
  for (const Job& job : jobs) {
    if (job.frame == kNone) continue;
    Extent& extent = frames[job.frame];
    extent.begin = extent.any ? std::min(extent.begin, job.begin()) : job.begin();
    extent.any = true;
    if (job.kind == Kind::fragment) extent.end = std::max(extent.end, job.end());
  }
  std::vector<Frame> out;
  for (const auto& [number, extent] : frames) {
    const Frame frame{{extent.begin}, {extent.end}};
    if (frame.end <= window.begin || frame.end > window.end || frame.end <= frame.begin) continue;
    if (!out.empty() && frame.end <= out.back().end) continue;
    out.push_back(frame);
  }
  return out;
}

}  // namespace

Frames frames_by_render_stages(const model::Capture& capture, std::uint32_t gpu,
                               base::Interval window, std::vector<model::Note>& notes) {
  Frames out;
  out.method = "none";
  std::vector<Job> jobs = main_jobs(capture, gpu, notes);
  const std::vector<Job*> fragments = fragment_jobs(jobs);
  if (fragments.size() < kFewestFrames) return out;
  Cut cut;
  if (follow_marks(fragments, marked_ends(capture, window))) {
    cut = {0, kCertain, "frames are told apart by the platform's marks"};
  } else {
    name_passes(fragments);
    std::vector<std::size_t> unit_of;
    const std::vector<Unit> units = make_units(jobs, fragments, unit_of);
    cut = choose_cut(units, has_submissions(fragments));
    cut_units(fragments, units, unit_of, cut.pass);
  }
  assign_others(jobs, fragments);
  out.list = collect(jobs, window);
  if (out.list.size() < kFewestFrames) {
    out.list.clear();
    return out;
  }
  out.method = "render_stages";
  out.confidence = cut.confidence;
  out.phase = cut.confidence < kLikely ? Phase::assumed : Phase::seen;
  out.period_ms = out.mean_distance_ms();
  out.reason = fmt::format("{} render stages; {}", jobs.size(), cut.how);
  return out;
}

}  // namespace tilebound::analyze
