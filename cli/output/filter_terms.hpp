// SPDX-License-Identifier: Apache-2.0
// What a filter expression is made of: conditions and their combinations. Private to filter*.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/output/filter.hpp"

namespace tpuctl::cli::output {

using NodePtr = std::unique_ptr<Filter::Node>;

NodePtr both(NodePtr left, NodePtr right);
NodePtr either(NodePtr left, NodePtr right);
NodePtr negated(NodePtr inner);
/// Some value of the resource holds `word`, in any case.
NodePtr anywhere(const std::string& word);
/// KEY.calls() OP OPERAND, with one of the operators of the language; several operands for : and = only. Throws
/// Error{usage} for a regular expression that is none.
NodePtr term(Key key, std::vector<Call> calls, const std::string& op, std::vector<std::string> operands);

}  // namespace tpuctl::cli::output
