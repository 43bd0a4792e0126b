#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/text.h"
#include "devices/catalogue.h"
#include "devices/gpu.h"
#include "devices/profile.h"

namespace tilebound::devices {

using model::Device;
using model::Peak;
using model::PeakPer;
using model::Severity;
using model::Unit;
using model::UnitPath;
using Kind = Expression::Op::Kind;

namespace {

constexpr std::string_view kGpuActive = "MaliGPUActiveCy";
constexpr std::string_view kCoreCount = "MaliConfigCoreCount";
constexpr std::string_view kZoom = "ZOOM";

/// Machine name of a counter, or the name itself where the catalogue lacks it.
std::string machine_name(const std::string& name) {
  const CounterDefinition* d = find_counter(name);
  return d == nullptr ? name : d->machine_name;
}

/// A percentage "work / (base * factor)", 100 at the peak.
struct Share {
  Expression work;
  std::vector<std::string> base;  // machine names, multiplied; sorted
  double peak = 0;                // work per base at 100 percent
};

/// Takes an expression apart as such a percentage; "(work / base) * K" is one too.
std::optional<Share> as_share(const Expression& expression) {
  const auto outer = expression.binary();
  if (!outer) return std::nullopt;
  if (outer->kind == Kind::mul) {
    const auto factor = outer->right.constant();
    auto inner = factor ? as_share(outer->left) : std::nullopt;
    if (!inner || !(*factor > 1e-12 && *factor < 1e12)) return std::nullopt;
    inner->peak /= *factor;
    return inner;
  }
  if (outer->kind != Kind::div) return std::nullopt;
  const Expression::Product base = outer->right.product();
  // Beyond these, a number is a slip of the pen, and 100 / K may not be finite.
  constexpr double kLeast = 1e-12;
  constexpr double kMost = 1e15;
  if (!base.simple || base.names.empty() || !(base.factor > kLeast && base.factor < kMost)) {
    return std::nullopt;
  }
  Share share{outer->left, {}, 0};
  for (const std::string& name : base.names) share.base.push_back(machine_name(name));
  std::sort(share.base.begin(), share.base.end());
  // Through K, so that "/ 380" gives exactly 100 / 380.
  share.peak = 100.0 / (1.0 / base.factor);
  return share;
}

/// What one evaluation of `work` counts, from the units of its counters.
std::string work_unit_of(const Expression& work) {
  std::set<std::string> units;
  for (const std::string& name : work.names()) {
    const CounterDefinition* d = find_counter(name);
    if (d != nullptr && !d->constant) units.insert(d->unit);
  }
  if (units.size() != 1) return "work";
  const bool scaled = work.text().find("* 16") != std::string::npos;
  return *units.begin() == "beats" && scaled ? "bytes" : *units.begin();
}

/// "ALU Throughput" is about the ALU.
std::string label_of(const std::string& name) {
  const std::size_t at = base::lower(name).find("throughput");
  if (at == std::string::npos) return name;
  const std::string rest =
      name.substr(0, at) + name.substr(at + std::string_view("throughput").size());
  return std::string(base::trim(rest));
}

void add_path(Device& device, std::string_view unit_id, std::string label, UnitPath path) {
  auto unit = std::find_if(device.units.begin(), device.units.end(),
                           [&](const Unit& u) { return u.id == unit_id; });
  if (unit == device.units.end()) {
    device.units.push_back({std::string(unit_id), std::string(unit_label(unit_id)), {}});
    unit = device.units.end() - 1;
  }
  path.id = unit->paths.empty() ? std::string(unit_id)
                                : fmt::format("{}_{}", unit_id, unit->paths.size() + 1);
  path.label = std::move(label);
  unit->paths.push_back(std::move(path));
}

/// A raw counter as Streamline's expressions of today spell it; derived counters and constants are
/// written out.
std::optional<Expression> in_streamline(std::string_view name, const std::string& gpu, int depth) {
  constexpr int kDeepest = 8;
  const CounterDefinition* d = find_counter(name, gpu);
  if (d == nullptr || depth > kDeepest) return std::nullopt;
  if (d->constant_value) return Expression::parse(fmt::format("{}", *d->constant_value));
  if (d->machine_name == kCoreCount) return Expression::parse("$MaliConstantsShaderCoreCount");
  if (d->derived()) {
    return Expression::parse(d->equation).substitute([&](std::string_view inner) {
      return in_streamline(inner, gpu, depth + 1);
    });
  }
  const std::string spelled = d->streamline_expression();
  if (spelled.empty()) return std::nullopt;
  return Expression::parse(spelled);
}

std::string streamline_text(const std::string& work, const std::string& gpu) {
  return Expression::parse(work)
      .substitute([&](std::string_view name) { return in_streamline(name, gpu, 0); })
      .text();
}

std::string percentage(const Device& device, const UnitPath& path) {
  const std::string k = fmt::format("{:.10g}", 100 / path.peak->value);
  std::string work = streamline_text(path.work, device.gpu_key);
  if (work.find(' ') != std::string::npos) work = "(" + work + ")";
  const std::string gpu_active = streamline_text("$" + std::string(kGpuActive), device.gpu_key);
  switch (path.peak->per) {
    case PeakPer::gpu_cycle:
      return fmt::format("{} / ({} / {})", work, gpu_active, k);
    case PeakPer::second:
      return fmt::format("{} / ($ZOOM / {})", work, k);
    default:
      break;
  }
  if (device.core_cycles_counter) {
    // Streamline sums both work and core cycles over cores.
    return fmt::format("{} / ({} / {})", work,
                       streamline_text("$" + *device.core_cycles_counter, device.gpu_key), k);
  }
  if (device.cores) {
    return fmt::format("{} / ({} / {:.10g})", work, gpu_active,
                       100 / (path.peak->value * *device.cores));
  }
  return fmt::format("{} / ({} * $MaliConstantsShaderCoreCount / {})", work, gpu_active, k);
}

}  // namespace

Device device_from_expressions(std::span<const NamedExpression> expressions,
                               std::vector<model::Note>& notes) {
  Device device;
  device.id = "imported";
  device.name = "Imported expressions";
  device.vendor = "arm";
  for (const NamedExpression& named : expressions) {
    const auto skip = [&](std::string_view id, std::string_view why) {
      model::add_note(notes, id, Severity::warning,
                      fmt::format("\"{}\" is left out: {}", named.name, why));
    };
    std::vector<model::Note> parse_notes;
    const Expression expression = Expression::parse(named.text, &parse_notes);
    for (const model::Note& note : parse_notes) {
      model::add_note(notes, note.id, note.severity,
                      fmt::format("\"{}\": {}", named.name, note.message));
    }
    std::optional<Share> share = as_share(expression);
    if (!share) {
      skip("not_a_throughput", "it has not the form work / ($MaliGPUCyclesGPUActive / K)");
      continue;
    }
    const std::vector<std::string>& base = share->base;
    const Expression::Product work = share->work.product();
    const bool cycles = work.simple && work.names.size() == 1 &&
                        machine_name(work.names[0]) == kGpuActive && work.factor > 0;
    if (base == std::vector<std::string>{std::string(kZoom)} && cycles) {
      device.clock_max = base::Hertz{share->peak / work.factor};
      device.clock_max_source = fmt::format("Streamline expression \"{}\"", named.name);
      continue;
    }
    UnitPath path;
    if (base == std::vector<std::string>{std::string(kGpuActive)}) {
      path.peak = Peak{share->peak, PeakPer::gpu_cycle, model::Provenance::measured, {}};
    } else if (base == std::vector{std::string(kCoreCount), std::string(kGpuActive)}) {
      path.peak = Peak{share->peak, PeakPer::core_cycle, model::Provenance::measured, {}};
    } else if (base == std::vector<std::string>{"MaliAnyActiveCy"}) {
      path.peak = Peak{share->peak, PeakPer::core_cycle, model::Provenance::measured, {}};
      device.core_cycles_counter = base.front();
    } else if (base == std::vector<std::string>{std::string(kZoom)}) {
      path.peak = Peak{share->peak, PeakPer::second, model::Provenance::measured, {}};
    } else {
      skip("not_a_throughput", "it is not counted against GPU-active cycles or seconds");
      continue;
    }
    const std::string_view unit = unit_by_name(named.name);
    if (unit.empty()) {
      skip("unknown_unit", "its name says no hardware unit");
      continue;
    }
    path.peak->source = fmt::format("Streamline expression \"{}\"", named.name);
    path.work = share->work.text();
    path.work_unit = work_unit_of(share->work);
    add_path(device, unit, label_of(named.name), std::move(path));
  }
  std::stable_sort(device.units.begin(), device.units.end(), [](const Unit& a, const Unit& b) {
    const auto rank = [](const Unit& u) {
      return std::find(unit_ids().begin(), unit_ids().end(), u.id) - unit_ids().begin();
    };
    return rank(a) < rank(b);
  });
  return device;
}

std::vector<NamedExpression> expressions_of(const Device& device) {
  std::vector<NamedExpression> out;
  if (device.vendor != "arm") return out;
  for (const Unit& unit : device.units) {
    const auto peaks = std::count_if(unit.paths.begin(), unit.paths.end(),
                                     [](const UnitPath& p) { return p.peak.has_value(); });
    for (const UnitPath& path : unit.paths) {
      if (!path.peak) continue;
      std::string name = unit.label + " throughput";
      if (peaks > 1) name += ": " + path.label;
      out.push_back({std::move(name), percentage(device, path), {}});
    }
  }
  if (device.clock_max) {
    out.push_back({"GPU clock, percent of maximum",
                   fmt::format("{} / ($ZOOM * {:.10g})",
                               streamline_text("$" + std::string(kGpuActive), device.gpu_key),
                               device.clock_max->value / 100),
                   {}});
  }
  return out;
}

}  // namespace tilebound::devices
