#include "ingest/perfetto/render_stages.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <utility>

#include "base/proto_reader.h"
#include "ingest/perfetto/wire.h"

namespace tilebound::ingest::perfetto {

namespace {

using base::bytes_tag;
using base::varint_tag;

/// The extra data in which Mali's driver passes on debug labels.
constexpr std::string_view kLabels = "Labels";

std::string_view string_field(std::string_view message, std::uint32_t field) {
  base::ProtoReader reader(message);
  std::string_view found;
  while (reader.next()) {
    if (reader.tag() == bytes_tag(field)) found = reader.bytes();
  }
  return found;
}

/// A list sent again replaces nothing; one that goes on is appended.
void extend(std::vector<std::string>& names, std::vector<std::string> more) {
  const bool repeated =
      more.size() <= names.size() && std::equal(more.begin(), more.end(), names.begin());
  if (repeated) return;
  names.insert(names.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

}  // namespace

void RenderStages::add_specifications(std::string_view bytes) {
  std::vector<std::string> queues;
  std::vector<std::string> stages;
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    if (reader.tag() == bytes_tag(wire::kSpecificationsQueue)) {
      queues.emplace_back(string_field(reader.bytes(), wire::kSpecificationName));
    } else if (reader.tag() == bytes_tag(wire::kSpecificationsStage)) {
      stages.emplace_back(string_field(reader.bytes(), wire::kSpecificationName));
    }
  }
  extend(queues_, std::move(queues));
  extend(stages_, std::move(stages));
}

bool RenderStages::event(std::string_view bytes, Sequence& sequence, ClockIndex clock,
                         std::optional<std::int64_t> time) {
  Draft draft;
  model::RenderStage& stage = draft.stage;
  bool has_work = false;
  std::string_view label;
  std::string_view name;
  base::ProtoReader reader(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case varint_tag(wire::kStageDuration):
        stage.duration_ns = static_cast<std::int64_t>(
            std::min(reader.number(), static_cast<std::uint64_t>(kLatestTime)));
        has_work = true;
        break;
      case varint_tag(wire::kStageQueueId):
        if (!draft.queue.interned) draft.queue = {reader.number(), false, true};
        break;
      case varint_tag(wire::kStageStageId):
        if (!draft.stage_name.interned) draft.stage_name = {reader.number(), false, true};
        break;
      case varint_tag(wire::kStageQueueIid):
        draft.queue = {reader.number(), true, true};
        has_work = true;
        break;
      case varint_tag(wire::kStageStageIid):
        draft.stage_name = {reader.number(), true, true};
        has_work = true;
        break;
      case varint_tag(wire::kStageContext):
        stage.context = reader.number();
        break;
      case varint_tag(wire::kStageRenderTarget):
        stage.render_target = reader.number();
        break;
      case varint_tag(wire::kStageRenderPass):
        stage.render_pass = reader.number();
        break;
      case varint_tag(wire::kStageSubmission):
        stage.submission = static_cast<std::uint32_t>(reader.number());
        break;
      case varint_tag(wire::kStageGpuId):
        stage.gpu = static_cast<std::uint32_t>(reader.number());
        break;
      case varint_tag(wire::kStageCommandBuffer):
        stage.command_buffer = reader.number();
        break;
      case varint_tag(wire::kStageKernelIid):
        draft.kernel_iid = reader.number();
        break;
      case varint_tag(wire::kStageNameIid):
        draft.name_iid = reader.number();
        break;
      case bytes_tag(wire::kStageName):
        name = reader.bytes();
        break;
      case bytes_tag(wire::kStageExtraData):
        if (string_field(reader.bytes(), wire::kExtraName) == kLabels) {
          label = string_field(reader.bytes(), wire::kExtraValue);
        }
        break;
      case bytes_tag(wire::kStageSpecifications):
        add_specifications(reader.bytes());
        break;
      default:
        break;
    }
  }
  if (!reader.intact()) return false;
  // A packet that only carries specifications is no stage.
  has_work = has_work || draft.queue.given || draft.stage_name.given;
  if (!has_work) return true;
  if (!time) {
    ++without_time_;
    return true;
  }
  stage.begin_ns = *time;
  stage.label = label.empty() ? name : label;
  draft.clock = clock;
  if (draft.queue.interned || draft.stage_name.interned || draft.name_iid || draft.kernel_iid) {
    draft.names = sequence.interned_names();
  }
  drafts_.push_back(std::move(draft));
  return true;
}

/// The name a reference stands for; "queue 3" where none was given.
std::string RenderStages::name_of(const NameRef& ref, const Draft& draft, std::string_view noun,
                                  const std::vector<std::string>& inline_names) {
  if (!ref.given) return {};
  if (ref.interned) {
    const auto found = draft.names->specifications.find(ref.id);
    if (found != draft.names->specifications.end()) return found->second;
  } else if (ref.id < inline_names.size() && !inline_names[ref.id].empty()) {
    return inline_names[ref.id];
  }
  ++unnamed_;
  return fmt::format("{} {}", noun, static_cast<std::int64_t>(ref.id));
}

void RenderStages::finish(const Clocks& clocks, model::Capture& capture) {
  std::uint64_t unconverted = 0;
  capture.render_stages.reserve(drafts_.size());
  for (Draft& draft : drafts_) {
    model::RenderStage& stage = draft.stage;
    stage.queue = name_of(draft.queue, draft, "queue", queues_);
    stage.stage = name_of(draft.stage_name, draft, "stage", stages_);
    const auto label_from = [&stage](const std::unordered_map<std::uint64_t, std::string>& names,
                                     std::optional<std::uint64_t> iid) {
      if (!stage.label.empty() || !iid) return;
      const auto found = names.find(*iid);
      if (found != names.end()) stage.label = found->second;
    };
    if (draft.names) {
      label_from(draft.names->events, draft.name_iid);
      label_from(draft.names->kernels, draft.kernel_iid);
    }
    unconverted += clocks.convert(draft.clock, std::span(&stage.begin_ns, 1)) ? 0 : 1;
    capture.render_stages.push_back(std::move(stage));
  }
  drafts_ = {};
  std::stable_sort(capture.render_stages.begin(), capture.render_stages.end(),
                   [](const auto& a, const auto& b) { return a.begin_ns < b.begin_ns; });
  const auto note = [&capture](std::string_view id, std::string message, std::uint64_t count) {
    if (count > 0) capture.note(id, model::Severity::warning, std::move(message), count);
  };
  note("stage_without_time", "render stages without a timestamp were dropped", without_time_);
  note("unnamed_stage", "queues or stages of render stages have no name and show their number",
       unnamed_);
  note("unconverted_clock", "render stages on a clock that no snapshot ties to BOOTTIME",
       unconverted);
}

}  // namespace tilebound::ingest::perfetto
