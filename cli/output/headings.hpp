// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/output/lexer.hpp"

namespace tpuctl::cli::output {

/// Headings for keys: the last name in capitals, with more of the key before it when that is taken.
class Headings {
 public:
  std::string make(const std::vector<std::string>& names);
  std::string make(const Key& key);

 private:
  std::vector<std::string> taken_;
};

}  // namespace tpuctl::cli::output
