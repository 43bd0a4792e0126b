#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "base/text.h"
#include "devices/catalogue.h"
#include "devices/embedded.h"
#include "devices/family.h"
#include "devices/gpu.h"
#include "devices/profile.h"

namespace tilebound::devices {

using model::Device;

namespace {

/// Holds a rule against what a capture says.
enum class Fit : std::uint8_t { no, silent, yes };

std::string system_value(const model::Capture& capture, const std::string& key) {
  const auto found = capture.system.find(key);
  return found == capture.system.end() ? std::string() : found->second;
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out(1);
  for (const char c : base::lower(text)) {
    const bool word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
    if (word) {
      out.back() += c;
    } else if (!out.back().empty()) {
      out.emplace_back();
    }
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

/// "Mali-G77" is "ARM Mali-G77 r0p1"; "Adreno 650" is "Adreno (TM) 650".
bool same_gpu(std::string_view pattern, std::string_view name) {
  const Gpu* a = find_gpu(pattern);
  const Gpu* b = find_gpu(name);
  if (a != nullptr && b != nullptr) return a->name == b->name;
  const std::vector<std::string> have = words(name);
  for (const std::string& word : words(pattern)) {
    if (std::find(have.begin(), have.end(), word) == have.end()) return false;
  }
  return true;
}

/// Any of `patterns` fits `value`; silent where there is nothing to compare.
template <typename Same>
Fit any_fits(const std::vector<std::string>& patterns, const std::string& value, Same same) {
  if (patterns.empty() || value.empty()) return Fit::silent;
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& p) { return same(p, value); })
             ? Fit::yes
             : Fit::no;
}

bool begins(const std::string& pattern, const std::string& value) {
  return base::lower(value).starts_with(base::lower(pattern));
}

/// "r32p1", "32", "v1.r38p1-01" and "54.1" begin with the major release.
std::optional<std::uint32_t> driver_major(std::string_view text) {
  const std::size_t r = text.find('r');
  if (r != std::string_view::npos) text.remove_prefix(r + 1);
  std::size_t end = 0;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  const auto number = base::parse_number(text.substr(0, end));
  if (!number || *number > 1000) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

struct Fits {
  Fit gpu = Fit::silent;
  Fit cores = Fit::silent;
  Fit soc = Fit::silent;
  Fit build = Fit::silent;
  Fit driver = Fit::silent;
};

/// What the capture says about the device it came from.
struct Seen {
  std::string gpu_name;
  std::string soc;
  std::string build;
  std::string driver;
  std::string vendor;
  std::optional<std::uint32_t> cores;

  Seen(const model::Capture& capture, std::uint32_t gpu)
      : soc(system_value(capture, "soc_model")),
        build(system_value(capture, "build_fingerprint")),
        driver(system_value(capture, "gpu_driver_version")) {
    if (gpu < capture.gpu_names.size()) gpu_name = capture.gpu_names[gpu];
    vendor = vendor_of(gpu_name);
    if (vendor.empty()) vendor = vendor_of(system_value(capture, "gpu_vendor"));
    if (vendor.empty()) vendor = bind(capture, gpu).vendor;
    if (const std::uint32_t count = cores_in_name(gpu_name); count > 0) cores = count;
  }

  Fits against(const model::DeviceMatch& match) const {
    Fits out;
    out.gpu = any_fits(match.gpus, gpu_name, same_gpu);
    out.soc = any_fits(match.soc_models, soc, begins);
    out.build = any_fits(match.builds, build, begins);
    if (match.cores && cores) out.cores = *match.cores == *cores ? Fit::yes : Fit::no;
    const auto major = driver_major(driver);
    if (major && (match.driver_min || match.driver_max)) {
      out.driver =
          *major >= match.driver_min.value_or(0) && *major <= match.driver_max.value_or(UINT32_MAX)
              ? Fit::yes
              : Fit::no;
    }
    return out;
  }
};

/// How well a profile fits, 0 for not at all. A rule that names a chip or phone must be met, not
/// merely not contradicted: a calibration holds for one device.
int score(const Device& device, const Seen& seen) {
  if (seen.vendor != device.vendor) return 0;
  const Fits fit = seen.against(device.match);
  if (fit.gpu == Fit::no || fit.cores == Fit::no || fit.driver == Fit::no) return 0;
  if (!device.match.builds.empty() && fit.build != Fit::yes) return 0;
  if (!device.match.soc_models.empty() && fit.soc != Fit::yes) return 0;
  if (fit.build == Fit::yes) return 5;
  if (fit.soc == Fit::yes) return 4;
  if (fit.gpu == Fit::yes) return fit.cores == Fit::yes ? 3 : 2;
  return device.match == model::DeviceMatch{} ? 1 : 0;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : " or ") + text;
  return out;
}

}  // namespace

std::vector<Device> all_devices(std::span<const Device> user_files) {
  static const std::vector<Device> built_in = [] {
    std::vector<Device> out;
    for (const EmbeddedFile& file : device_files()) {
      if (file.name.find('/') != std::string_view::npos) continue;
      out.push_back(read_profile(file.bytes, file.name));
      out.back().origin = "built in";
    }
    std::sort(out.begin(), out.end(), [](const Device& a, const Device& b) { return a.id < b.id; });
    return out;
  }();
  std::vector<Device> all(user_files.begin(), user_files.end());
  for (const Device& device : built_in) {
    const bool replaced = std::any_of(user_files.begin(), user_files.end(),
                                      [&](const Device& d) { return d.id == device.id; });
    if (!replaced) all.push_back(device);
  }
  return all;
}

Device generic_device(std::string_view vendor, std::string_view gpu) {
  Device device;
  device.id = "unknown";
  device.name = "unknown device";
  device.vendor = vendor;
  device.origin = "built in";
  device.gpu_key = gpu_key(gpu);
  device.units = family_units(family_of_vendor(vendor), device.gpu_key, std::nullopt);
  for (model::Unit& unit : device.units) {
    for (model::UnitPath& path : unit.paths) path.peak.reset();
  }
  return device;
}

std::optional<Device> match_device(const model::Capture& capture, std::uint32_t gpu,
                                   std::span<const Device> devices) {
  const Seen seen(capture, gpu);
  const Device* best = nullptr;
  int best_score = 0;
  for (const Device& device : devices) {
    const int points = score(device, seen);
    if (points > best_score) {
      best = &device;
      best_score = points;
    }
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

std::string match_failure(const Device& device, const model::Capture& capture, std::uint32_t gpu,
                          std::optional<std::uint32_t> cores) {
  Seen seen(capture, gpu);
  if (cores) seen.cores = cores;
  const auto differs = [&](std::string_view what, std::string_view have, std::string_view want) {
    return fmt::format("{} is a profile for {} {}, and the capture is of {}", device.id, what, want,
                       have);
  };
  if (!seen.vendor.empty() && seen.vendor != device.vendor) {
    return differs("GPUs of", seen.vendor, device.vendor);
  }
  const Fits fit = seen.against(device.match);
  if (fit.gpu == Fit::no) return differs("the GPU", seen.gpu_name, joined(device.match.gpus));
  if (fit.soc == Fit::no) return differs("the SoC", seen.soc, joined(device.match.soc_models));
  if (fit.build == Fit::no) return differs("the build", seen.build, joined(device.match.builds));
  if (fit.cores == Fit::no) {
    return fmt::format("{} is a profile for {} shader cores, and the capture is of {}", device.id,
                       *device.match.cores, *seen.cores);
  }
  if (fit.driver == Fit::no) {
    return fmt::format(
        "{} is a profile for drivers {} to {}, and the capture is of {}", device.id,
        device.match.driver_min ? fmt::format("r{}", *device.match.driver_min) : "any",
        device.match.driver_max ? fmt::format("r{}", *device.match.driver_max) : "any",
        seen.driver);
  }
  return {};
}

}  // namespace tilebound::devices
