// SPDX-License-Identifier: Apache-2.0
// Without libFuzzer: every line of the corpus file, and several thousand mutations of each. The generator has a fixed seed: a
// failure comes again. Usage: TARGET CORPUS [ROUNDS]
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size);

namespace {

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t bound) { return bound == 0 ? 0 : random() % bound; }

// What parsers stumble over, and bytes that mean something to one of them.
const std::vector<std::string>& pieces() {
  static const std::vector<std::string> list = {"(", ")", "[", "]", "{", "}", "\"", "'", "\\", ",", ":", "=", "~", "!", "-", "*", "^", "%", "\n",
                                                "\xff", "\xed\xa0\x80", std::string(1, '\0'), "9223372036854775808", "1e999", "NOT ", " AND ", " OR ",
                                                "table(", ".sub(", "[]", "%(x)s", "\\u0000", "((((((((((((((((", "[[[[[[[[[[[[[[[["};
  return list;
}

std::string mutated(std::string text, const std::vector<std::string>& corpus, Random& random) {
  for (std::size_t edits = 1 + below(random, 4); edits > 0; --edits) {
    const std::size_t at = below(random, text.size() + 1);
    switch (below(random, 5)) {
      case 0: text.insert(at, pieces()[below(random, pieces().size())]); break;
      case 1: text.erase(at, 1 + below(random, 8)); break;
      case 2: text.insert(at, 1, static_cast<char>(random())); break;
      case 3: text.insert(at, text.substr(below(random, text.size() + 1), below(random, 32))); break;
      default: {
        const std::string& other = corpus[below(random, corpus.size())];
        text = text.substr(0, at) + other.substr(below(random, other.size() + 1));
      }
    }
  }
  return text;
}

// A line may hold \n for a line break.
std::string unescaped(const std::string& line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool pair = line[i] == '\\' && i + 1 < line.size() && line[i + 1] == 'n';
    out += pair ? '\n' : line[i];
    i += pair ? 1 : 0;
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fputs("usage: TARGET CORPUS [ROUNDS]\n", stderr), 2;
  std::vector<std::string> corpus;
  std::ifstream file(argv[1]);
  for (std::string line; std::getline(file, line);) corpus.push_back(unescaped(line));
  if (corpus.empty()) return std::fprintf(stderr, "%s: no corpus\n", argv[1]), 2;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 2000;
  Random random(20240501);  // NOLINT(cert-msc51-cpp): the same inputs every time
  long inputs = 0;
  for (const std::string& seed : corpus) {
    for (int round = 0; round <= rounds; ++round, ++inputs) {
      const std::string text = round == 0 ? seed : mutated(seed, corpus, random);
      LLVMFuzzerTestOneInput(reinterpret_cast<const unsigned char*>(text.data()), text.size());
    }
  }
  std::printf("%ld inputs\n", inputs);
  return 0;
}
