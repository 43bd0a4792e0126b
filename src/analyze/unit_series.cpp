#include "analyze/unit_series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "analyze/activity.h"
#include "analyze/columns.h"
#include "devices/expression.h"
#include "devices/profile.h"

namespace tilebound::analyze {

namespace {

using devices::Expression;

constexpr double kUnavailable = std::numeric_limits<double>::quiet_NaN();

constexpr const char* kFragmentQueue[] = {"MaliFragQueueActiveCy", "MaliMainQueueActiveCy"};
constexpr const char* kQuads[] = {"MaliFragRastQd"};
constexpr const char* kWarps[] = {"MaliFragWarp"};
constexpr const char* kPrimitives[] = {"MaliFragRastPrim", "MaliFragRdPrim", "MaliFragPrim"};
/// One queue on older Malis, several on newer ones: the first list with a counter counts.
constexpr const char* kNonFragmentQueue[] = {"MaliNonFragQueueActiveCy"};
constexpr const char* kNonFragmentQueues[] = {"MaliVertQueueActiveCy", "MaliBinningQueueActiveCy",
                                              "MaliCompQueueActiveCy"};

/// Evaluates an expression for every sample at once.
class SeriesEvaluation {
 public:
  SeriesEvaluation(const Totals& totals, Columns& columns, Basis basis)
      : totals_(totals), columns_(columns), basis_(basis) {}

  std::vector<double> evaluate(const Expression& work) {
    stack_.clear();
    for (const Expression::Op& op : work.postfix()) apply(op, work);
    return std::move(stack_.back());
  }

 private:
  using Kind = Expression::Op::Kind;

  std::vector<double> named(const std::string& name) {
    if (name == "ZOOM") {
      std::vector<double> out;
      for (const base::Interval& i : columns_.intervals()) out.push_back(base::seconds(i.length()));
      return out;
    }
    const auto cores = totals_.cores().count;
    if (name == "MaliConstantsShaderCoreCount" && cores) {
      return std::vector<double>(columns_.size(), *cores);
    }
    const auto index = totals_.find(name);
    const auto factor = index ? totals_.factor(*index, basis_) : std::nullopt;
    if (!factor) return std::vector<double>(columns_.size(), kUnavailable);
    std::vector<double> out = columns_.delivered(*index);
    for (double& v : out) v *= *factor;
    return out;
  }

  template <typename F>
  void combine(F f) {
    const std::vector<double> right = std::move(stack_.back());
    stack_.pop_back();
    std::vector<double>& left = stack_.back();
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = f(left[i], right[i]);
  }

  void apply(const Expression::Op& op, const Expression& work) {
    const auto both = [](double a, double b, double value) {
      return std::isnan(a) || std::isnan(b) ? kUnavailable : value;
    };
    switch (op.kind) {
      case Kind::number:
        stack_.emplace_back(columns_.size(), op.value);
        return;
      case Kind::name:
        stack_.push_back(named(work.names()[op.operand]));
        return;
      case Kind::add:
        return combine([](double a, double b) { return a + b; });
      case Kind::sub:
        return combine([](double a, double b) { return a - b; });
      case Kind::mul:
        return combine([](double a, double b) { return a * b; });
      case Kind::div:
        return combine([](double a, double b) { return b != 0 ? a / b : kUnavailable; });
      case Kind::neg:
        for (double& v : stack_.back()) v = -v;
        return;
      case Kind::abs:
        for (double& v : stack_.back()) v = std::abs(v);
        return;
      case Kind::min:
        for (std::uint32_t k = 1; k < op.operand; ++k) {
          combine([&](double a, double b) { return both(a, b, std::min(a, b)); });
        }
        return;
      case Kind::max:
        for (std::uint32_t k = 1; k < op.operand; ++k) {
          combine([&](double a, double b) { return both(a, b, std::max(a, b)); });
        }
        return;
      case Kind::select: {
        const std::vector<double> no = std::move(stack_.back());
        stack_.pop_back();
        const std::vector<double> yes = std::move(stack_.back());
        stack_.pop_back();
        std::vector<double>& condition = stack_.back();
        for (std::size_t i = 0; i < condition.size(); ++i) {
          if (!std::isnan(condition[i])) condition[i] = condition[i] > 0 ? yes[i] : no[i];
        }
        return;
      }
    }
  }

  const Totals& totals_;
  Columns& columns_;
  Basis basis_;
  std::vector<std::vector<double>> stack_;
};

/// Cycles and time of the samples that percentages are taken of.
struct Denominators {
  std::vector<double> active_cycles;
  std::vector<double> active_s;
  std::vector<double> core_cycles;  // of the shader cores' own clock, in the path's basis
};

/// Percent of peak of one path, as UnitModel computes it for windows.
std::vector<double> path_percent(const model::UnitPath& path, const PathLoad& load,
                                 const Totals& totals, Columns& columns,
                                 const model::Device& device, const Denominators& d) {
  SeriesEvaluation evaluation(totals, columns, load.basis);
  std::vector<double> out = evaluation.evaluate(Expression::parse(path.work));
  if (path.ready_percent) return out;
  const bool by_core = load.peak->per == model::PeakPer::core_cycle && device.core_cycles_counter;
  std::vector<double> core_cycles;
  if (by_core) {
    const auto index = totals.find(*device.core_cycles_counter);
    const auto factor = index ? totals.factor(*index, load.basis) : std::nullopt;
    if (!factor) return std::vector<double>(out.size(), kUnavailable);
    core_cycles = columns.delivered(*index);
    const bool known_cores = load.basis == Basis::gpu && totals.cores().count;
    // A peak in the GPU's basis holds the cores already, and so do cycles summed over them.
    const double times = known_cores ? *factor / *totals.cores().count : *factor;
    for (double& v : core_cycles) v *= times;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double base = load.peak->per == model::PeakPer::second ? d.active_s[i]
                        : by_core                                ? core_cycles[i]
                                                                 : d.active_cycles[i];
    out[i] = base > 0 ? 100 * out[i] / (base * load.peak->value) : 0;
  }
  return out;
}

/// Share of the active time in which any of the queues named was busy; empty without any.
std::vector<double> queue_share(Columns& columns, std::span<const char* const> names, bool together,
                                const std::vector<double>& active_cycles) {
  std::vector<double> out;
  for (const char* name : names) {
    const std::vector<double>* cycles = columns.on_axis(name);
    if (cycles == nullptr) continue;
    out.resize(cycles->size(), 0);
    for (std::size_t i = 0; i < cycles->size(); ++i) {
      if (active_cycles[i] > 0 && (*cycles)[i] > 0) {
        out[i] = std::min(1.0, out[i] + (*cycles)[i] / active_cycles[i]);
      }
    }
    if (!together) break;
  }
  return out;
}

/// Amounts of the first of the counters named that is sampled on the axis.
std::vector<double> amounts(Columns& columns, std::span<const char* const> names) {
  for (const char* name : names) {
    const std::vector<double>* column = columns.on_axis(name);
    if (column == nullptr) continue;
    std::vector<double> out = *column;
    for (double& v : out) v = std::isnan(v) ? 0 : v;
    return out;
  }
  return {};
}

}  // namespace

UnitSeries unit_series(const Totals& totals, const Clock& clock, const model::Device& device,
                       std::span<const UnitLoad> loads) {
  UnitSeries out;
  const model::Capture& capture = totals.capture();
  const auto active = active_cycles_counter(capture, totals.binding());
  if (!active) return out;
  Columns columns(totals, *capture.counters[*active].axis);
  out.period_ns = columns.period_ns();
  out.interval = columns.intervals();

  Denominators d;
  d.active_cycles = columns.delivered(*active);
  for (std::size_t i = 0; i < out.size(); ++i) {
    double& cycles = d.active_cycles[i];
    if (std::isnan(cycles)) cycles = 0;
    const auto elapsed = clock.cycles(out.interval[i]);
    const double length = base::seconds(out.interval[i].length());
    const double busy = !elapsed             ? (cycles > 0 ? 1 : 0)
                        : elapsed->value > 0 ? std::min(1.0, cycles / elapsed->value)
                                             : 0;
    d.active_s.push_back(length * busy);
    out.active_ns.push_back(1e9 * length * busy);
  }
  out.fragment = queue_share(columns, kFragmentQueue, false, d.active_cycles);
  out.non_fragment = queue_share(columns, kNonFragmentQueue, false, d.active_cycles);
  if (out.non_fragment.empty()) {
    out.non_fragment = queue_share(columns, kNonFragmentQueues, true, d.active_cycles);
  }

  out.quads = amounts(columns, kQuads);
  out.warps = amounts(columns, kWarps);
  out.primitives = amounts(columns, kPrimitives);

  for (const std::string_view id : devices::unit_ids()) {
    const auto load = std::find_if(loads.begin(), loads.end(),
                                   [&](const UnitLoad& unit) { return unit.id == id; });
    const auto unit = std::find_if(device.units.begin(), device.units.end(),
                                   [&](const model::Unit& u) { return u.id == id; });
    if (load == loads.end() || unit == device.units.end() || !load->percent()) continue;
    std::vector<float> percent(out.size(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t p = 0; p < load->paths.size(); ++p) {
      const PathLoad& path = load->paths[p];
      if (!path.sol_percent && !path.active_percent) continue;
      const std::vector<double> values =
          path_percent(unit->paths[p], path, totals, columns, device, d);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto value = static_cast<float>(values[i]);
        if (!std::isnan(value) && !(percent[i] >= value)) percent[i] = value;
      }
    }
    out.units.emplace_back(id);
    out.percent.push_back(std::move(percent));
  }
  return out;
}

}  // namespace tilebound::analyze
