// SPDX-License-Identifier: Apache-2.0
#include "cli/output/headings.hpp"

#include <algorithm>
#include <cctype>

#include "cli/output/fold.hpp"

namespace tpuctl::cli::output {

namespace {

// "acceleratorType" as "ACCELERATOR_TYPE". Capitals behind a small letter or digit are one word, however many.
std::string capitals(std::string_view camel) {
  auto is = [&](std::size_t i, int (*kind)(int)) {
    return i < camel.size() && kind(static_cast<unsigned char>(camel[i])) != 0;
  };
  std::string out;
  for (std::size_t i = 0; i < camel.size(); ++i) {
    if (i > 0 && is(i, std::isupper)) {
      const bool word = is(i - 1, std::islower) || is(i - 1, std::isdigit);
      if (word || is(i + 1, std::islower)) out += '_';
      while (word && is(i + 1, std::isupper)) out += camel[i++];
    }
    out += camel[i];
  }
  return upper_case(out);
}

}  // namespace

std::string Headings::make(const std::vector<std::string>& names) {
  std::string label;
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    label = label.empty() ? capitals(*name) : capitals(*name) + "_" + label;
    if (std::find(taken_.begin(), taken_.end(), label) == taken_.end()) {
      taken_.push_back(label);
      break;
    }
  }
  return label;
}

std::string Headings::make(const Key& key) {
  std::vector<std::string> names;
  for (const Step& step : key) {
    if (step.what == Step::name) names.push_back(step.text);
  }
  return make(names);
}

}  // namespace tpuctl::cli::output
