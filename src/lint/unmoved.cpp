#include "lint/unmoved.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"

namespace tilebound::lint {

namespace {

constexpr std::uint32_t kTransientUsage = 0x40;  // VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT

bool stays(const std::vector<DataFlow::Event>& events) {
  using Effect = DataFlow::Effect;
  return !events.empty() &&
         std::all_of(events.begin(), events.end(), [](const DataFlow::Event& event) {
           return event.attachment &&
                  (event.effect == Effect::overwrite || event.effect == Effect::drop);
         });
}

}  // namespace

std::vector<UnmovedImage> unmoved_images(const Context& context) {
  std::vector<UnmovedImage> out;
  const model::ApiFrame& frame = context.frame;
  if (frame.api != model::Api::vulkan) return out;
  if (frame.device_has_lazy_memory == false && !context.target.asked_for) return out;
  for (std::size_t i = 0; i < frame.images.size(); ++i) {
    const model::Image& image = frame.images[i];
    if (image.swapchain || !image.usage || (*image.usage & kTransientUsage) != 0) continue;
    if (image.lazily_allocated == true || !stays(context.flow.events(i))) continue;
    UnmovedImage unmoved{i, false};
    for (const model::Pass& pass : frame.passes) {
      for (const model::Attachment& attachment : pass.attachments) {
        if (!attachment.range || attachment.range->image != i) continue;
        if (!attachment.read_in.empty()) unmoved.input_attachment = true;
      }
    }
    out.push_back(unmoved);
  }
  return out;
}

model::Finding unmoved_finding(const Context& context, const Rule& rule,
                               const UnmovedImage& unmoved) {
  const model::Image& image = context.frame.images[unmoved.image];
  std::vector<std::string> evidence = {"no pass loads or stores it, and nothing else uses it"};
  if (const model::FormatFacts* facts = model::facts_of(image.format)) {
    const double bytes = static_cast<double>(image.extent.width) * image.extent.height *
                         image.layers * image.samples * facts->bits() / 8;
    evidence.push_back(base::short_number(bytes, "B") + " of memory, no bytes a frame");
  }
  return finding(rule, context.image_name(unmoved.image), std::move(evidence));
}

}  // namespace tilebound::lint
