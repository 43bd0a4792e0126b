#include "analyze/compare/api_difference.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

#include "base/text.h"
#include "model/format.h"

namespace tilebound::analyze {

namespace {

const char* kind_name(model::PassKind kind) {
  switch (kind) {
    case model::PassKind::render:
      return "render pass";
    case model::PassKind::compute:
      return "compute";
    case model::PassKind::transfer:
      return "transfer";
  }
  return "";
}

const char* load_name(model::LoadOp op) {
  switch (op) {
    case model::LoadOp::load:
      return "load";
    case model::LoadOp::clear:
      return "clear";
    case model::LoadOp::dont_care:
      return "don't care";
    case model::LoadOp::none:
      return "none";
    case model::LoadOp::unknown:
      return "unknown";
  }
  return "";
}

const char* store_name(model::StoreOp op) {
  switch (op) {
    case model::StoreOp::store:
      return "store";
    case model::StoreOp::dont_care:
      return "don't care";
    case model::StoreOp::none:
      return "none";
    case model::StoreOp::unknown:
      return "unknown";
  }
  return "";
}

/// Does `pass` load an image that the render pass right before it stored?
bool goes_on(const model::ApiFrame& frame, std::size_t pass) {
  if (pass == 0 || frame.passes[pass].kind != model::PassKind::render) return false;
  std::size_t before = pass;
  while (before > 0 && frame.passes[before - 1].kind != model::PassKind::render) --before;
  if (before == 0) return false;
  const model::Pass& last = frame.passes[before - 1];
  return std::any_of(frame.passes[pass].attachments.begin(), frame.passes[pass].attachments.end(),
                     [&](const model::Attachment& loaded) {
                       return loaded.load == model::LoadOp::load && loaded.range &&
                              std::any_of(last.attachments.begin(), last.attachments.end(),
                                          [&](const model::Attachment& stored) {
                                            return stored.store == model::StoreOp::store &&
                                                   stored.range &&
                                                   stored.range->image == loaded.range->image;
                                          });
                     });
}

PassDifference difference_of(const model::ApiFrame& frame, std::size_t index, bool in_b) {
  const model::Pass& pass = frame.passes[index];
  PassDifference out{in_b, index, describe_pass(frame, index), false, false, false};
  if (pass.kind != model::PassKind::render) return out;
  out.clears_only = std::none_of(frame.draws.begin(), frame.draws.end(),
                                 [&](const model::Draw& draw) { return draw.pass == index; });
  out.depth_only = !pass.attachments.empty() &&
                   std::none_of(pass.attachments.begin(), pass.attachments.end(),
                                [](const model::Attachment& attachment) {
                                  return attachment.role == model::AttachmentRole::color;
                                });
  out.splits_a_pass = goes_on(frame, index);
  return out;
}

/// Beyond this many pairs of passes the best match is not searched for: passes then match only
/// where they meet in order.
constexpr std::size_t kMostPairs = 16'000'000;

/// How many passes of a's from i on and b's from j on match at best, at i * (|b| + 1) + j.
std::vector<std::uint32_t> common_passes(const std::vector<std::string>& a,
                                         const std::vector<std::string>& b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::uint32_t> common((a.size() + 1) * width, 0);
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      common[i * width + j] =
          a[i] == b[j] ? common[(i + 1) * width + j + 1] + 1
                       : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  return common;
}

/// What a longest common subsequence of the descriptions leaves over.
std::vector<PassDifference> pass_differences(const model::ApiFrame& a, const model::ApiFrame& b) {
  std::vector<std::string> first;
  std::vector<std::string> second;
  for (std::size_t i = 0; i < a.passes.size(); ++i) first.push_back(describe_pass(a, i));
  for (std::size_t i = 0; i < b.passes.size(); ++i) second.push_back(describe_pass(b, i));
  const std::size_t width = second.size() + 1;
  std::vector<std::uint32_t> common;
  if ((first.size() + 1) * width <= kMostPairs) common = common_passes(first, second);
  const auto drop_a = [&](std::size_t i, std::size_t j) {
    return common.empty() || common[(i + 1) * width + j] >= common[i * width + j + 1];
  };
  std::vector<PassDifference> out;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < first.size() || j < second.size()) {
    if (i < first.size() && j < second.size() && first[i] == second[j]) {
      ++i;
      ++j;
    } else if (j == second.size() || (i < first.size() && drop_a(i, j))) {
      out.push_back(difference_of(a, i++, false));
    } else {
      out.push_back(difference_of(b, j++, true));
    }
  }
  return out;
}

}  // namespace

std::string describe_pass(const model::ApiFrame& frame, std::size_t index) {
  const model::Pass& pass = frame.passes[index];
  std::string out = kind_name(pass.kind);
  if (pass.kind == model::PassKind::render) {
    out += fmt::format(" {}x{}", pass.area.width, pass.area.height);
    for (const model::Attachment& attachment : pass.attachments) {
      out += fmt::format(", {} {}/{}", model::format_name(attachment.format),
                         load_name(attachment.load), store_name(attachment.store));
      if (attachment.samples > 1) out += fmt::format(" {}x", attachment.samples);
    }
  }
  const std::string& label = pass.label.empty() ? pass.name : pass.label;
  if (!label.empty()) out += fmt::format(" [{}]", label);
  return out;
}

ApiDifference api_difference(const model::ApiFrame& a, const model::ApiFrame& b) {
  ApiDifference out;
  out.passes = pass_differences(a, b);
  std::set<std::string> names;
  for (const auto& [name, count] : a.calls) names.insert(name);
  for (const auto& [name, count] : b.calls) names.insert(name);
  for (const std::string& name : names) {
    const auto in = [&name](const std::map<std::string, std::uint64_t>& calls) {
      const auto found = calls.find(name);
      return found == calls.end() ? std::uint64_t{0} : found->second;
    };
    if (in(a.calls) != in(b.calls)) out.calls.push_back({name, in(a.calls), in(b.calls)});
  }
  const auto apart = [](const CallDifference& c) { return c.a > c.b ? c.a - c.b : c.b - c.a; };
  std::stable_sort(
      out.calls.begin(), out.calls.end(),
      [&](const CallDifference& x, const CallDifference& y) { return apart(x) > apart(y); });
  return out;
}

ReadingStep api_step(const model::ApiFrame& a, const model::ApiFrame& b) {
  constexpr std::size_t kPassesShown = 6;
  constexpr std::size_t kCallsShown = 5;
  const ApiDifference difference = api_difference(a, b);
  ReadingStep step;
  step.id = "extra_pass";
  step.title = "Extra passes in the API captures";
  step.applies = !difference.passes.empty();
  std::vector<std::string> passes;
  std::size_t in_a = 0;
  for (const PassDifference& pass : difference.passes) {
    if (!pass.in_b) ++in_a;
    std::string text = fmt::format("only {}: {}", pass.in_b ? "B" : "A", pass.what);
    if (pass.splits_a_pass) text += " (one pass cut in two: it loads what the one before stored)";
    if (pass.clears_only) text += " (only clears)";
    passes.push_back(std::move(text));
  }
  std::vector<std::string> calls;
  for (const CallDifference& call : difference.calls) {
    if (calls.size() == kCallsShown) break;
    calls.push_back(fmt::format("{} {} against {}", call.call, call.a, call.b));
  }
  step.numbers = {{"passes_only_a", static_cast<double>(in_a)},
                  {"passes_only_b", static_cast<double>(difference.passes.size() - in_a)}};
  step.conclusion =
      passes.empty() ? "the frames have the same passes" : base::join_some(passes, kPassesShown);
  if (!calls.empty()) {
    step.conclusion += fmt::format("; calls a frame, A against B: {}", fmt::join(calls, ", "));
  }
  return step;
}

}  // namespace tilebound::analyze
