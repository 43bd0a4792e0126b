#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyze/sampling.h"
#include "devices/catalogue.h"
#include "model/capture.h"

/// What is in a capture, and how far it can be trusted.
namespace tilebound::analyze {

/// One counter as delivered, over all its samples.
struct CounterSummary {
  std::size_t index = 0;  // into Capture::counters
  std::size_t samples = 0;
  std::size_t unavailable = 0;
  std::optional<double> total;  // of a count: the sum of the values as delivered
  std::optional<double> mean;   // of the available values
  std::optional<double> min;
  std::optional<double> max;
  bool fractional = false;  // some value is no integer
};

struct TrustReport {
  std::vector<CounterSummary> counters;  // parallel to Capture::counters
  std::vector<Sampling> axes;            // parallel to Capture::axes
  std::size_t specs = 0;                 // counters that the capture describes or delivers
  std::size_t sampled = 0;               // of them, with samples
  std::vector<model::Note> notes;        // the importer's, then what this report found
};

/// `bindings`: one for each GPU that has counters.
TrustReport trust_report(const model::Capture& capture,
                         const std::vector<devices::Binding>& bindings);

/// The GPUs that have counters, ascending.
std::vector<std::uint32_t> gpus_of(const model::Capture& capture);

/// "no GPU counters in this trace", with what was recorded instead; empty when there are samples.
std::string no_counters_reason(const model::Capture& capture);

}  // namespace tilebound::analyze
