#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apicap/spirv/spirv.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilebound;
  const auto words =
      apicap::spirv::words_of({reinterpret_cast<const char*>(data), size});  // bytes are chars
  if (!words) return 0;
  for (const model::Stage stage : {model::Stage::vertex, model::Stage::fragment}) {
    model::Shader shader;
    shader.stage = stage;
    apicap::spirv::analyse(*words, shader);
  }
  return 0;
}
