#include "analyze/cores.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "devices/catalogue.h"

namespace tilebound::analyze {

namespace {

/// More shader cores than any Mali has.
constexpr std::uint32_t kMostCores = 32;
/// Fewer values that are no integers than this prove nothing.
constexpr std::size_t kEnoughFractions = 8;
/// Enough of each counter to tell; a prefix would miss counters that start late.
constexpr std::size_t kValuesPerCounter = 4096;

/// Values of shader-core event counts that are no integers, and how many non-zero values there are.
struct Evidence {
  std::vector<double> fractions;
  std::size_t non_zero = 0;
};

Evidence collect(const model::Capture& capture, const devices::Binding& binding) {
  Evidence out;
  double scratch[base::Column::kBlock];
  for (std::size_t c = 0; c < capture.counters.size(); ++c) {
    const model::Counter& counter = capture.counters[c];
    const devices::CounterDefinition* definition = binding.entries[c].definition;
    if (!counter.sampled() || definition == nullptr || definition->derived() ||
        definition->scope != devices::Scope::shader_core ||
        counter.kind != model::CounterKind::count) {
      continue;
    }
    const std::size_t blocks = counter.values.block_count();
    const std::size_t step =
        std::max<std::size_t>(1, blocks * base::Column::kBlock / kValuesPerCounter);
    for (std::size_t b = 0; b < blocks; b += step) {
      for (const double v : counter.values.block(b, scratch)) {
        if (std::isnan(v) || v == 0) continue;
        ++out.non_zero;
        // Averages of large counts lose the fraction to rounding in decimal exports.
        if (v != std::nearbyint(v) && v < 1e7) out.fractions.push_back(v);
      }
    }
  }
  return out;
}

std::optional<std::uint32_t> smallest_divisor(const std::vector<double>& fractions) {
  for (std::uint32_t n = 2; n <= kMostCores; ++n) {
    // A text export keeps six decimals or so.
    const double tolerance = 2e-6 * n;
    if (std::all_of(fractions.begin(), fractions.end(), [&](double v) {
          return std::abs(v * n - std::nearbyint(v * n)) <= tolerance;
        })) {
      return n;
    }
  }
  return std::nullopt;
}

/// Cores that are busy with fragments never count more cycles than there are cores, and reach that
/// in a sample that is fragment work throughout.
std::optional<std::uint32_t> busiest_cores(const model::Capture& capture,
                                           const devices::Binding& binding) {
  const auto fragment = binding.find("MaliFragActiveCy");
  const auto active = binding.find("MaliGPUActiveCy");
  if (!fragment || !active) return std::nullopt;
  const model::Counter& a = capture.counters[*active];
  const model::Counter& f = capture.counters[*fragment];
  if (a.axis != f.axis) return std::nullopt;
  double most = 0;
  double scratch_a[base::Column::kBlock];
  double scratch_f[base::Column::kBlock];
  for (std::size_t b = 0; b < a.values.block_count(); ++b) {
    const auto av = a.values.block(b, scratch_a);
    const auto fv = f.values.block(b, scratch_f);
    for (std::size_t i = 0; i < av.size(); ++i) {
      if (av[i] > 1000) most = std::max(most, fv[i] / av[i]);
    }
  }
  const auto cores = static_cast<std::uint32_t>(std::lround(most));
  if (cores < 1 || cores > kMostCores || std::abs(most - cores) > 0.05) return std::nullopt;
  return cores;
}

}  // namespace

std::optional<double> Cores::gpu_factor() const {
  switch (counters) {
    case CoreCounters::summed:
      return 1;
    case CoreCounters::averaged:
      if (count) return static_cast<double>(*count);
      return std::nullopt;
    case CoreCounters::unknown:
      break;
  }
  if (count == 1U) return 1;
  return std::nullopt;
}

std::optional<double> Cores::core_factor() const {
  switch (counters) {
    case CoreCounters::averaged:
      return 1;
    case CoreCounters::summed:
      if (count) return 1.0 / *count;
      return std::nullopt;
    case CoreCounters::unknown:
      break;
  }
  if (count == 1U) return 1;
  return std::nullopt;
}

Cores find_cores(const model::Capture& capture, const devices::Binding& binding,
                 const CoreHints& hints) {
  Cores out;
  out.count = hints.count;
  out.count_source = hints.count_source;
  out.count_confidence = hints.count ? 1 : 0;
  const Evidence evidence = collect(capture, binding);
  const bool fractional = evidence.fractions.size() >= kEnoughFractions;
  if (hints.counters != CoreCounters::unknown) {
    out.counters = hints.counters;
    out.counters_source = "as asked";
  } else if (fractional) {
    out.counters = CoreCounters::averaged;
    out.counters_source = "values are fractions, so the producer averages over cores";
  } else if (evidence.non_zero >= kEnoughFractions) {
    out.counters = CoreCounters::summed;
    out.counters_source = "all values are integers, so they are sums over cores";
  }
  if (const auto config = binding.find("MaliConfigCoreCount"); !out.count && config) {
    const model::Counter& counter = capture.counters[*config];
    const double value = counter.values.size() > 0 ? counter.values.at(0) : 0;
    if (value >= 1 && value <= kMostCores) {
      out.count = static_cast<std::uint32_t>(std::lround(value));
      out.count_source = "the capture's own core count";
      out.count_confidence = 1;
    }
  }
  if (!out.count && out.counters == CoreCounters::averaged && fractional) {
    if (const auto n = smallest_divisor(evidence.fractions)) {
      out.count = n;
      out.count_source = "smallest number that makes every averaged value an integer";
      // Each independent fraction halves the chance that the true count is a multiple of n.
      out.count_confidence =
          std::min(0.95, 1 - std::pow(0.5, 0.25 * static_cast<double>(evidence.fractions.size())));
    }
  }
  if (!out.count && out.counters == CoreCounters::summed) {
    if (const auto n = busiest_cores(capture, binding)) {
      out.count = n;
      out.count_source = "most fragment cycles in one GPU-active cycle";
      out.count_confidence = 0.7;
    }
  }
  return out;
}

}  // namespace tilebound::analyze
