#include "ingest/fuzz_reader.h"
#include "ingest/libgpulayers/libgpulayers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tilebound::ingest::test::fuzz(tilebound::ingest::libgpulayers_importer(), data, size);
  return 0;
}
