#include "lint/context.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "devices/gpu.h"
#include "devices/profile.h"

namespace tilebound::lint {

using model::ApiFrame;
using model::Attachment;
using model::Device;
using model::Draw;
using model::Pass;

namespace {

/// External memory's bytes a second, by the profile's peak and highest clock.
std::optional<double> bandwidth(const Device& device) {
  for (const model::Unit& unit : device.units) {
    if (unit.id != "external_memory") continue;
    for (const model::UnitPath& path : unit.paths) {
      if (!path.peak || path.work_unit != "bytes") continue;
      const double clock = device.clock_max ? device.clock_max->value : 0;
      const double cores = device.cores.value_or(0);
      double rate = path.peak->value;
      if (path.peak->per == model::PeakPer::gpu_cycle) rate *= clock;
      if (path.peak->per == model::PeakPer::core_cycle) rate *= clock * cores;
      if (rate > 0) return rate;
    }
  }
  return std::nullopt;
}

std::optional<Device> profile_of(std::string_view gpu_name) {
  const devices::Gpu* gpu = devices::find_gpu(gpu_name);
  std::string wanted = base::lower(gpu != nullptr ? std::string_view(gpu->name) : gpu_name);
  constexpr std::string_view kMark = "(tm) ";  // as drivers print it: "Adreno (TM) 650"
  const std::size_t mark = wanted.find(kMark);
  if (mark != std::string::npos) wanted.erase(mark, kMark.size());
  if (wanted.empty()) return std::nullopt;
  for (Device& device : devices::all_devices()) {
    // A profile of one chip is not meant for every chip with that GPU.
    const model::DeviceMatch& match = device.match;
    if (match.cores || !match.builds.empty()) continue;
    for (const std::string& name : match.gpus) {
      const std::string lower = base::lower(name);
      if (wanted == lower || wanted.find(lower + " ") != std::string::npos ||
          wanted.ends_with(lower)) {
        return std::move(device);
      }
    }
  }
  return std::nullopt;
}

std::uint64_t drawn(std::uint64_t vertices, std::uint64_t instances) {
  return vertices * instances;
}

void count_draw(const Draw& draw, DrawCounts& counts) {
  ++counts.draws;
  std::optional<std::uint64_t> vertices;
  if (draw.indirect == model::IndirectSource::direct) {
    if (draw.vertices && draw.instances) vertices = drawn(*draw.vertices, *draw.instances);
  } else {
    ++counts.indirect;
    if (draw.indirect == model::IndirectSource::known) {
      vertices = 0;
      for (const model::IndirectRecord& record : draw.records) {
        *vertices += drawn(record.vertices, record.instances);
        if (counts.records) ++*counts.records;
        const bool empty = record.instances == 0 || record.vertices == 0;
        if (counts.empty_records && empty) ++*counts.empty_records;
      }
    } else {
      counts.records.reset();
      counts.empty_records.reset();
    }
  }
  counts.vertices =
      counts.vertices && vertices ? std::optional(*counts.vertices + *vertices) : std::nullopt;
}

std::vector<PassFacts> facts_of(const ApiFrame& frame, const Target& target) {
  std::vector<PassFacts> out(frame.passes.size());
  for (std::size_t p = 0; p < frame.passes.size(); ++p) {
    const Pass& pass = frame.passes[p];
    PassFacts& facts = out[p];
    facts.counts.vertices = 0;
    facts.counts.records = 0;
    facts.counts.empty_records = 0;
    facts.traffic = traffic_of(pass);
    if (pass.kind != model::PassKind::render) continue;
    facts.need = tile_need(pass, target.hardware);
    if (target.hardware) facts.fit = tile_fit(facts.need, *target.hardware, pass);
  }
  for (std::size_t d = 0; d < frame.draws.size(); ++d) {
    const Draw& draw = frame.draws[d];
    if (!draw.pass || *draw.pass >= out.size()) continue;
    out[*draw.pass].draws.push_back(d);
    count_draw(draw, out[*draw.pass].counts);
  }
  for (const model::Dispatch& dispatch : frame.dispatches) {
    if (dispatch.pass && *dispatch.pass < out.size()) ++out[*dispatch.pass].counts.dispatches;
  }
  return out;
}

std::string role_name(const Attachment& attachment) {
  if (attachment.is_resolve_target) return "resolve target";
  switch (attachment.role) {
    case model::AttachmentRole::color:
      return fmt::format("colour {}", attachment.slot);
    case model::AttachmentRole::depth_stencil:
      return "depth/stencil";
    case model::AttachmentRole::input:
      return fmt::format("input {}", attachment.slot);
    case model::AttachmentRole::shading_rate:
      return "shading rate";
  }
  return {};
}

}  // namespace

Target target_of(const ApiFrame& frame, const std::optional<Device>& device) {
  Target out;
  out.asked_for = device.has_value();
  // A frame captured on another kind of GPU is judged for tile-based ones in general.
  constexpr std::string_view kTilers[] = {"arm", "qualcomm", "imagination"};
  const std::string_view vendor = devices::vendor_of(frame.device);
  const bool tiler = std::find(std::begin(kTilers), std::end(kTilers), vendor) != std::end(kTilers);
  out.device = device || !tiler ? device : profile_of(frame.device);
  if (out.device) {
    out.name = out.device->name;
    out.vendor = out.device->vendor;
    out.hardware = tile_hardware(*out.device);
    out.bytes_per_second = bandwidth(*out.device);
  } else if (tiler) {
    out.name = frame.device;
    out.vendor = vendor;
  }
  return out;
}

Context::Context(const ApiFrame& api_frame, const Options& options)
    : frame(api_frame),
      target(target_of(api_frame, options.device)),
      fps(options.fps),
      flow(api_frame),
      passes(facts_of(api_frame, target)) {}

std::string Context::pass_name(std::size_t pass) const {
  const Pass& of = frame.passes[pass];
  const std::string& label = of.label.empty() ? of.name : of.label;
  return label.empty() ? fmt::format("pass {}", pass + 1)
                       : fmt::format("pass {} ({})", pass + 1, label);
}

std::string Context::attachment_name(std::size_t pass, std::size_t attachment) const {
  const Attachment& of = frame.passes[pass].attachments[attachment];
  std::string out =
      fmt::format("{}, {} {}", pass_name(pass), role_name(of), model::format_name(of.format));
  if (of.samples > 1) out += fmt::format(" {}x", of.samples);
  const model::Image* image = image_of(of);
  if (image != nullptr && !image->name.empty()) out += fmt::format(" \"{}\"", image->name);
  return out;
}

std::string Context::image_name(std::size_t image) const {
  const model::Image& of = frame.images[image];
  std::string out = fmt::format("image {}", of.id);
  if (!of.name.empty()) out += fmt::format(" \"{}\"", of.name);
  out +=
      fmt::format(" ({} {}x{}", model::format_name(of.format), of.extent.width, of.extent.height);
  return out + (of.samples > 1 ? fmt::format(" {}x)", of.samples) : ")");
}

std::string Context::bytes_text(std::uint64_t bytes) const {
  const auto value = static_cast<double>(bytes);
  std::string out = base::short_number(value, "B") + " a frame";
  if (fps) {
    out +=
        fmt::format(", {}/s at {:g} frames a second", base::short_number(value * *fps, "B"), *fps);
  }
  return out;
}

model::Saving Context::saving(std::optional<std::uint64_t> bytes) const {
  model::Saving out;
  if (!bytes) {
    out.bound = "unknown: the capture lacks a format or an op";
    return out;
  }
  out.bytes_per_frame = static_cast<double>(*bytes);
  out.bound = "at most: framebuffer compression is ignored";
  if (target.bytes_per_second) {
    out.ms_per_frame = *out.bytes_per_frame / *target.bytes_per_second * 1e3;
    out.bound += "; time at the highest bandwidth of " + target.name;
  }
  return out;
}

const model::Image* Context::image_of(const Attachment& attachment) const {
  if (!attachment.range || attachment.range->image >= frame.images.size()) return nullptr;
  return &frame.images[attachment.range->image];
}

const model::Pipeline* Context::pipeline_of(const Draw& draw) const {
  if (!draw.pipeline || *draw.pipeline >= frame.pipelines.size()) return nullptr;
  return &frame.pipelines[*draw.pipeline];
}

const model::Shader* Context::shader_of(const Draw& draw, model::Stage stage) const {
  const model::Pipeline* pipeline = pipeline_of(draw);
  if (pipeline == nullptr) return nullptr;
  for (const std::size_t at : pipeline->shaders) {
    if (at >= frame.shaders.size()) continue;
    const model::Shader& shader = frame.shaders[at];
    if (shader.stage == stage && shader.analysed) return &shader;
  }
  return nullptr;
}

bool Context::covers_framebuffer(const Pass& pass) const {
  return covers(pass.area, {0, 0, pass.framebuffer.width, pass.framebuffer.height});
}

}  // namespace tilebound::lint
