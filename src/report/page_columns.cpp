#include "report/page_columns.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace tilebound::report {

namespace {

constexpr std::uint16_t kUnavailable = 65535;
constexpr double kLargestCode = 65534;
/// With the largest value this far above the mean, half a code is 0.15 % of the mean.
constexpr double kMostSpread = 200;

template <typename T>
void append(std::string& bytes, T value) {
  // Both the machines that build this and the page's typed arrays are little-endian.
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

}  // namespace

std::string base64(std::string_view bytes) {
  static constexpr char kAlphabet[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += k <= count ? kAlphabet[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return out;
}

Json column(std::span<const double> values) {
  double largest = 0;
  double sum = 0;
  bool negative = false;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    largest = std::max(largest, v);
    sum += v;
    negative = negative || v < 0;
  }
  std::string bytes;
  if (negative || largest * static_cast<double>(values.size()) > kMostSpread * sum) {
    for (const double v : values) append(bytes, static_cast<float>(v));
    return {{"f32", base64(bytes)}};
  }
  const double scale = largest > 0 ? largest / kLargestCode : 1;
  for (const double v : values) {
    append(bytes,
           std::isfinite(v) ? static_cast<std::uint16_t>(std::lround(v / scale)) : kUnavailable);
  }
  return {{"u16", base64(bytes)}, {"scale", scale}};
}

Json exact_column(std::span<const double> values) {
  std::string bytes;
  for (const double v : values) append(bytes, v);
  return {{"f64", base64(bytes)}};
}

}  // namespace tilebound::report
