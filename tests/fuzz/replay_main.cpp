// SPDX-License-Identifier: BSL-1.0
// Feeds every file of a corpus folder to a fuzz target, where libFuzzer is not: inputs that once
// broke something stay tests under every compiler.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

int main(int argc, char** argv) {
  if (argc != 2 || !std::filesystem::is_directory(argv[1])) {
    std::fputs("usage: replay CORPUS_FOLDER\n", stderr);
    return 2;
  }
  std::vector<std::filesystem::path> inputs;
  for (auto const& entry : std::filesystem::directory_iterator(argv[1])) {
    if (entry.is_regular_file()) {
      inputs.push_back(entry.path());
    }
  }
  std::sort(inputs.begin(), inputs.end());
  for (std::filesystem::path const& input : inputs) {
    std::printf("%s\n", input.c_str());
    std::fflush(stdout);
    std::ifstream stream{input, std::ios::binary};
    std::vector<char> const bytes{std::istreambuf_iterator<char>{stream}, {}};
    std::vector<std::uint8_t> const data(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(data.data(), data.size());
  }
  std::printf("%zu inputs replayed\n", inputs.size());
  return inputs.empty() ? 1 : 0;
}
