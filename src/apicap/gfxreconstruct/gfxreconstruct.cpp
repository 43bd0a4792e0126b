#include "apicap/gfxreconstruct/gfxreconstruct.h"

#include <fmt/format.h>

#include "apicap/gfxreconstruct/json_lines.h"
#include "apicap/vulkan/interpreter.h"
#include "base/error.h"

namespace tilebound::apicap::gfxreconstruct {

namespace {

Fit sniff(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf[");
  if (first == std::string_view::npos || head[first] != '{') return Fit::no;
  const auto holds = [&](std::string_view text) {
    return head.find(text) != std::string_view::npos;
  };
  if (holds("\"gfxrecon-version\"") || holds("\"vkFunc\"")) return Fit::yes;
  return holds("\"function\"") && holds("\"vk") ? Fit::yes : Fit::no;
}

bool is_meta(std::string_view name) {
  return name == "FillMemoryCommand" || name == "SetDevicePropertiesCommand" ||
         name == "ResizeWindowCommand2";
}

/// Bytes that the converter put beside the text: a file's name, or a placeholder for none.
std::string blob_of(Value data) {
  const std::string_view text = data.text();
  return text.ends_with(".bin") ? std::string(text) : std::string();
}

void take_meta(vulkan::Objects& objects, std::string_view name, Value args) {
  if (name == "FillMemoryCommand") {
    auto* memory = vulkan::find(objects.memories, args["memory_id"].number_or(0));
    if (memory == nullptr) return;
    Write write;
    write.offset = args["offset"].number_or(0);
    write.size = args["size"].number_or(0);
    write.blob = blob_of(args["data"]);
    memory->contents.write(write);
  } else if (name == "SetDevicePropertiesCommand") {
    vulkan::PhysicalDevice& device =
        objects.physical_devices[args["physical_device_id"].number_or(0)];
    device.name = args["device_name"].text();
  } else if (const Value transform = args["pre_transform"]) {
    // The surface's transform as a bit, from the tool's count of quarter turns.
    objects.surface_transforms[args["surface_id"].number_or(0)] = 1U << (transform.u32() & 3U);
  }
}

model::ApiFrame read(base::ByteSource& source, const ReadOptions& options) {
  vulkan::Interpreter interpreter(options);
  JsonLines lines(source);
  Call call;
  std::uint64_t broken = 0;
  std::string problem;
  std::string version;
  bool cut = false;
  bool any = false;
  const auto wants = [&](std::string_view name) {
    return is_meta(name) || interpreter.wants(name);
  };
  for (bool more = true; more;) {
    switch (lines.next(call.tree, wants)) {
      case JsonLines::Step::value: {
        any = true;
        const Value root = call.tree.root();
        const Value function = root["vkFunc"] ? root["vkFunc"] : root["function"];
        try {
          if (function) {
            call.name = function["name"].text();
            call.result = function["return"].text();
            call.arguments = function["args"];
            interpreter.call(call);
          } else if (const Value meta = root["meta"]) {
            if (is_meta(meta["name"].text())) {
              take_meta(interpreter.objects(), meta["name"].text(), meta["args"]);
            }
          } else if (const Value state = root["state"]) {
            if (state["marker_type"].text().find("End") != std::string_view::npos) {
              interpreter.forget_work();
            }
          } else if (const Value header = root["header"]) {
            version = header["gfxrecon-version"].text();
          }
        } catch (const base::InputError& e) {
          throw base::InputError(
              fmt::format("{}: line {}: {}", source.name(), lines.line(), e.what()));
        }
        break;
      }
      case JsonLines::Step::broken:
        if (broken++ == 0) problem = fmt::format("line {}: {}", lines.line(), lines.problem());
        break;
      case JsonLines::Step::cut:
        cut = true;
        more = false;
        break;
      case JsonLines::Step::end:
        more = false;
        break;
    }
  }
  if (!any) {
    throw base::InputError(
        fmt::format("{}: holds no call{}{}", source.name(), problem.empty() ? "" : "; ", problem));
  }
  const std::string damage =
      cut ? fmt::format("the file ends inside line {}", lines.line()) : problem;
  model::ApiFrame frame = interpreter.finish(source.name(), damage);
  frame.format = "gfxreconstruct-jsonl";
  if (!version.empty()) frame.system["gfxrecon_version"] = version;
  if (cut) {
    frame.note("truncated", model::Severity::warning, damage + "; what follows is lost");
  }
  if (broken > 0) {
    frame.note("broken_lines", model::Severity::warning, "lines that are no JSON: " + problem,
               broken);
  }
  return frame;
}

}  // namespace

const Importer kImporter = {"gfxreconstruct-jsonl", "GFXReconstruct JSON Lines", sniff, read};

}  // namespace tilebound::apicap::gfxreconstruct
