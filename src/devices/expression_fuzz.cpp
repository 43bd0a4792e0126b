#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "devices/expression.h"
#include "devices/profile.h"

using namespace tilebound;

/// Any text is an expression or an error; an expression's own text gives it back.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto parsed = devices::Expression::parse(text);
    const std::string canonical = parsed.text();
    if (devices::Expression::parse(canonical) != parsed) std::abort();
    parsed.evaluate([](std::string_view name) { return static_cast<double>(name.size() % 3); });
    parsed.product();
    parsed.binary();
  } catch (const base::InputError&) {
  }
  try {
    const auto list = devices::read_expressions(text);
    const std::string written = devices::write_expressions(list);
    if (devices::read_expressions(written) != list) std::abort();
    std::vector<model::Note> notes;
    const model::Device device = devices::device_from_expressions(list, notes);
    devices::expressions_of(device);
  } catch (const base::InputError&) {
  }
  return 0;
}
