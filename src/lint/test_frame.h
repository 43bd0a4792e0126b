#pragma once

#include <string>
#include <utility>

#include "model/api_frame.h"

/// Small frames for tests, made by hand.
namespace tilebound::lint::test {

// VkImageUsageFlags.
constexpr std::uint32_t kTransferSource = 0x1;
constexpr std::uint32_t kTransferTarget = 0x2;
constexpr std::uint32_t kSampled = 0x4;
constexpr std::uint32_t kStorage = 0x8;
constexpr std::uint32_t kColor = 0x10;
constexpr std::uint32_t kDepth = 0x20;
constexpr std::uint32_t kTransient = 0x40;
constexpr std::uint32_t kInput = 0x80;

inline model::Format format(const char* name) {
  return model::format_of(name).value();
}

/// Builds a frame in the order of submission; events count up by themselves.
class Builder {
 public:
  explicit Builder(std::uint32_t width = 2400, std::uint32_t height = 1080)
      : size_{width, height} {}

  std::size_t image(const char* format_name, std::uint32_t samples = 1,
                    std::uint32_t usage = kColor | kSampled) {
    model::Image image;
    image.id = std::to_string(100 + frame.images.size());
    image.format = format(format_name);
    image.extent = size_;
    image.samples = samples;
    image.usage = usage;
    image.lazily_allocated = (usage & kTransient) != 0;
    image.linear_tiling = false;
    image.flags = 0;
    frame.images.push_back(image);
    return frame.images.size() - 1;
  }

  std::size_t swapchain() {
    const std::size_t at = image("R8G8B8A8_UNORM", 1, kColor);
    frame.images[at].swapchain = true;
    return at;
  }

  model::Pass& pass(std::string label) {
    model::Pass pass;
    pass.label = std::move(label);
    pass.first_event = next_event();
    pass.last_event = pass.first_event;
    pass.area = {0, 0, size_.width, size_.height};
    pass.framebuffer = size_;
    frame.passes.push_back(pass);
    return frame.passes.back();
  }

  /// Binds `image` to the last pass.
  model::Attachment& attach(std::size_t image, model::LoadOp load, model::StoreOp store) {
    model::Pass& pass = frame.passes.back();
    model::Attachment attachment;
    const model::Image& of = frame.images[image];
    const model::FormatFacts* facts = model::facts_of(of.format);
    const bool depth = facts->depth_bits + facts->stencil_bits > 0;
    attachment.role = depth ? model::AttachmentRole::depth_stencil : model::AttachmentRole::color;
    attachment.slot = static_cast<std::uint32_t>(pass.attachments.size());
    attachment.range = model::ImageRange{image, 0, 1, 0, 1};
    attachment.format = of.format;
    attachment.samples = of.samples;
    attachment.load = load;
    attachment.store = store;
    if (facts->stencil_bits > 0) {
      attachment.stencil_load = load;
      attachment.stencil_store = store;
    }
    attachment.undefined_before = load != model::LoadOp::load;
    attachment.written_in = {0};
    pass.attachments.push_back(attachment);
    return pass.attachments.back();
  }

  /// A resolve target of the attachment before it.
  model::Attachment& resolve_to(std::size_t image) {
    const std::size_t from = frame.passes.back().attachments.size() - 1;
    model::Attachment& target = attach(image, model::LoadOp::dont_care, model::StoreOp::store);
    target.is_resolve_target = true;
    frame.passes.back().attachments[from].resolve_target = from + 1;
    return target;
  }

  model::Draw& draw(std::uint64_t vertices = 3000, std::uint64_t instances = 1) {
    model::Draw draw;
    draw.event = next_event();
    draw.call = "vkCmdDraw";
    draw.pass = frame.passes.size() - 1;
    draw.vertices = vertices;
    draw.instances = instances;
    draw.label = frame.passes.back().label;
    frame.passes.back().last_event = draw.event;
    frame.draws.push_back(draw);
    return frame.draws.back();
  }

  /// An indirect draw whose records hold these counts of instances.
  model::Draw& draw_indirect(std::initializer_list<std::uint32_t> instances) {
    model::Draw& indirect = draw();
    indirect.call = "vkCmdDrawIndirect";
    indirect.indirect = model::IndirectSource::known;
    indirect.draw_count = static_cast<std::uint32_t>(instances.size());
    for (const std::uint32_t count : instances) indirect.records.push_back({36, count, 0});
    return indirect;
  }

  /// The last pass samples an image.
  void sample(std::size_t image) { use(model::UseKind::sampled, image, frame.passes.size() - 1); }

  void use(model::UseKind kind, std::size_t image, std::optional<std::size_t> pass = {}) {
    frame.uses.push_back({next_event(), kind, {image, 0, 1, 0, 1}, pass});
    if (pass) frame.passes[*pass].last_event = frame.uses.back().event;
  }

  void present(std::size_t image) {
    model::Present present;
    present.event = next_event();
    present.image = image;
    frame.presents.push_back(present);
    frame.uses.push_back({present.event, model::UseKind::present, {image, 0, 1, 0, 1}, {}});
  }

  model::ApiFrame frame;

  std::uint64_t next_event() { return ++event_; }

 private:
  model::Extent size_;
  std::uint64_t event_ = 0;
};

}  // namespace tilebound::lint::test
