#include "apicap/fuzz_reader.h"
#include "apicap/renderdoc/renderdoc.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tilebound::apicap::test::fuzz(tilebound::apicap::renderdoc::kImporter, data, size);
  return 0;
}
