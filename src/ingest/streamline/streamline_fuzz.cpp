#include "ingest/fuzz_reader.h"
#include "ingest/streamline/streamline.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tilebound::ingest::test::fuzz(tilebound::ingest::streamline_importer(), data, size);
  return 0;
}
