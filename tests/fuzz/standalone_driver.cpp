// Runs a fuzz target without libFuzzer: on each corpus file as it is, cut at many lengths, and with
// bytes changed, all from a fixed seed. The sanitizers say whether that went well.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kCuts = 400;
constexpr int kMutants = 400;

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

std::string mutate(const std::string& input, std::mt19937& random) {
  static constexpr char kInteresting[] = {'\0', '\xff', '\x7f', '\x80', '\x0a', ',', '"', '9'};
  std::string out = input;
  const int edits = 1 + static_cast<int>(random() % 8);
  for (int i = 0; i < edits && !out.empty(); ++i) {
    const std::size_t at = random() % out.size();
    switch (random() % 5) {
      case 0:
        out[at] = static_cast<char>(random());
        break;
      case 1:
        out[at] = kInteresting[random() % sizeof kInteresting];
        break;
      case 2:
        out.erase(at, 1 + random() % 16);
        break;
      case 3:
        out.insert(at, out.substr(random() % out.size(), 1 + random() % 32));
        break;
      default:
        out[at] = static_cast<char>(out[at] ^ (1 << (random() % 8)));
        break;
    }
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  std::mt19937 random(20261130);
  long runs = 0;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    const std::string input((std::istreambuf_iterator<char>(file)), {});
    run(input);
    const std::size_t step = std::max<std::size_t>(1, input.size() / kCuts);
    for (std::size_t cut = 0; cut < input.size(); cut += step, ++runs) run(input.substr(0, cut));
    for (int m = 0; m < kMutants; ++m, ++runs) run(mutate(input, random));
  }
  std::printf("%d files, %ld inputs\n", argc - 1, runs + argc - 1);
  return 0;
}
