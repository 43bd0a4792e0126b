#include "ingest/fuzz_reader.h"
#include "ingest/ovrgpuprofiler/ovrgpuprofiler.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tilebound::ingest::test::fuzz(tilebound::ingest::ovrgpuprofiler_importer(), data, size);
  return 0;
}
