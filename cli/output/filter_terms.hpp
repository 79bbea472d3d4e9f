// SPDX-License-Identifier: Apache-2.0
// What a filter expression is made of: conditions and their combinations. Private to filter*.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/output/filter.hpp"
#include "cli/output/moment.hpp"
#include "cli/output/transforms.hpp"

namespace tpuctl::cli::output {

using NodePtr = std::unique_ptr<Filter::Node>;

NodePtr both(NodePtr left, NodePtr right);
NodePtr either(NodePtr left, NodePtr right);
NodePtr negated(NodePtr inner);
/// Some value of the resource holds `word`, in any case.
NodePtr anywhere(const std::string& word);
/// What `key` and `chain` make of the resource is true to Python.
NodePtr truth(Key key, Chain chain);
/// KEY.calls() OP OPERAND, with one of the operators of the language; several operands for : and = only. Throws
/// Error{usage} for a regular expression that is none.
NodePtr term(Key key, Chain chain, const std::string& op, std::vector<std::string> operands);

/// A number as Python compares them: integers exactly, however long.
class Number {
 public:
  /// What int() or float() makes of the value; nothing when neither takes it.
  static std::optional<Number> of(const Json& value);
  int compare(const Number& other) const;
  /// As repr(), without a fraction of zeros.
  std::string text() const;

 private:
  double value_ = 0;
  std::string digits_;  ///< of an integer, with its sign and no zeros before
};

/// The right side of a term.
struct Operand {
  explicit Operand(std::string given);
  std::string text;
  std::optional<Number> number;
  bool constant = false;          ///< "true" or "false": compared as 1 and 0, and as text
  std::optional<TimePoint> time;  ///< what it means when it is compared with a time
  bool timely = false;            ///< it cannot be meant otherwise
};

/// A time with a date and a clock's reading, as the service writes them.
std::optional<TimePoint> time_in(const Json& value);

}  // namespace tpuctl::cli::output
