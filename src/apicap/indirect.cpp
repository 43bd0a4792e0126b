#include "apicap/indirect.h"

#include <algorithm>

namespace tilebound::apicap {

namespace {

constexpr std::uint32_t kMostRecords = 1 << 20;

}  // namespace

std::uint32_t word(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return value;
}

void read_records(model::Draw& draw, std::uint32_t draws, std::uint32_t stride,
                  const RecordReader& read) {
  const std::uint32_t record = draw.indexed ? 20 : 16;
  const std::uint32_t step = std::max(stride, record);
  if (draws == 0) {
    draw.indirect = model::IndirectSource::known;
    draw.vertices = 0;
    draw.instances = 0;
    return;
  }
  if (draws > kMostRecords) return;
  const Contents::Read records = read(0, std::uint64_t{step} * (draws - 1) + record);
  if (records.gpu_written) draw.indirect = model::IndirectSource::gpu_written;
  if (!records.bytes) return;
  draw.indirect = model::IndirectSource::known;
  std::uint64_t vertices = 0;
  std::uint64_t instances = 0;
  for (std::uint32_t i = 0; i < draws; ++i) {
    const std::size_t at = std::size_t{step} * i;
    const model::IndirectRecord one{word(*records.bytes, at), word(*records.bytes, at + 4),
                                    word(*records.bytes, at + record - 4)};
    vertices += one.vertices;
    instances += one.instances;
    draw.records.push_back(one);
  }
  draw.vertices = vertices;
  draw.instances = instances;
}

}  // namespace tilebound::apicap
