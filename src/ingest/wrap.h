#pragma once

#include <cstddef>

#include "base/column.h"
#include "model/capture.h"

/// Counter values that come from a register or a difference that wrapped around.
namespace tilebound::ingest {

/// Which values of a column are wrap faults, from what its ordinary values are.
class WrapRule {
 public:
  /// Looks at all of `values`, of a counter of `kind`.
  WrapRule(const base::Column& values, model::CounterKind kind);

  /// Whether `value` is a fault: beyond 2^62, where no counter gets; or, in a column whose ordinary
  /// values are far below, an ordinary value away from a multiple of 2^32 or from 2^64 (also as
  /// micro-, milli- or whole units of a nanosecond counter); or -1 as an unsigned maximum. A column
  /// whose values are often of that size keeps them: real rates are.
  bool faulty(double value) const;

  /// Whether any value may be faulty; false spares most columns a second look.
  bool any() const { return suspicious_; }

 private:
  model::CounterKind kind_;
  bool suspicious_ = false;
  bool rare_ = false;  // large values are few enough to be faults
  double ordinary_ = 0;
};

/// Makes wrapped values unavailable and notes "wrapped_value" for each counter that had some.
/// For every importer; runs on the finished capture.
void drop_wrapped_values(model::Capture& capture);

}  // namespace tilebound::ingest
