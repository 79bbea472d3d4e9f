// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/error.hpp"
#include "cli/output/lexer.hpp"
#include "cli/output/transforms.hpp"

namespace tpuctl::cli::output {

/// What read_chain throws for a function that there is not: a filter must not take it for a word.
struct UnknownTransform : Error {
  UnknownTransform(const Lexer& lexer, const std::string& message);
};

/// Reads the calls behind a key, whose first `name` and opening parenthesis have been taken. if() sets `condition`;
/// map() and always() are marks on other calls. Throws Error{usage}.
Chain read_chain(Lexer& lexer, std::string name, const Surroundings& surroundings, std::string& condition);

}  // namespace tpuctl::cli::output
