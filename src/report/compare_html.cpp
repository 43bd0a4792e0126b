#include "report/compare.h"

namespace tilebound::report {

std::string comparison_html(const ComparisonInput& in) {
  return comparison_json(in);
}

}  // namespace tilebound::report
