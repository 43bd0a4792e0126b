#include "apicap/fuzz_reader.h"
#include "apicap/gfxreconstruct/gfxreconstruct.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tilebound::apicap::test::fuzz(tilebound::apicap::gfxreconstruct::kImporter, data, size);
  return 0;
}
