// SPDX-License-Identifier: Apache-2.0
// The functions of a projection: name.basename(), zone.scope(), nodeSpec.len(), ... A row each; its arguments are read
// once, when the expression is.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"

namespace tpuctl::cli::output {

/// What stands in the parentheses of a call.
class Arguments {
 public:
  /// `parameters` are the names in order, with a bar before the optional ones: "sep|undefined". Only a function with
  /// optional ones takes NAME=VALUE; "*" takes any number. Throws Error{usage} for too many, too few and unknown names.
  Arguments(std::string_view function, std::string_view parameters, const std::vector<std::string>& written);

  std::string text(std::string_view name, std::string_view fallback = {}) const;
  std::optional<std::string> given(std::string_view name) const;
  /// Throws Error{usage} when it is no number.
  std::int64_t integer(std::string_view name, std::int64_t fallback) const;
  /// "false", "0" and "" are false.
  bool on(std::string_view name, bool fallback) const;
  const std::vector<std::string>& all() const { return all_; }  ///< those without a name, as written

 private:
  std::string function_;
  std::vector<std::string> all_;
  std::vector<std::pair<std::string, std::string>> values_;
};

using Function = std::function<Json(const Json&)>;

/// What a function may use besides its arguments.
struct Surroundings {
  /// Makes a function that gives the values of columns, which are written as in a projection.
  std::function<std::function<std::vector<Json>(const Json&)>(const std::vector<std::string>&)> columns;
};

struct Transform {
  std::string_view name;
  std::string_view parameters;
  Function (*prepare)(const Arguments& arguments, const Surroundings& surroundings);
  std::string_view help;
};

/// All of them, by name.
std::span<const Transform> transforms();
const Transform* find_transform(std::string_view name);
std::vector<std::string> transform_names();

/// The colour that a text is shown in ("red", "yellow", "green", "blue"), or "".
using Colouring = std::function<std::string(const std::string&)>;

/// One call in a projection. `map` is how many levels of lists it goes down.
struct Call {
  std::string name;
  std::vector<std::string> written;  ///< arguments without a name
  Function function;
  Colouring colouring;  ///< of color() only
  int map = 0;
};

/// The calls behind a key, from left to right.
struct Chain {
  std::vector<Call> calls;
  int level = 0;        ///< of the projection it was written in
  bool always = false;  ///< always() came first: in effect in every projection

  /// `colour` is set when the last call gives the value one. uri() looks at the `whole` resource, when given.
  Json apply(const Json& value, std::string* colour = nullptr, const Json* whole = nullptr) const;
};

/// Reads name(arguments). Throws Error{usage} for an unknown name or arguments that it does not take.
Call make_call(const std::string& name, const std::vector<std::string>& written, const Surroundings& surroundings);

// The rows' functions, by what they are about.
Function make_basename(const Arguments&, const Surroundings&);
Function make_segment(const Arguments&, const Surroundings&);
Function make_scope(const Arguments&, const Surroundings&);
Function make_lower(const Arguments&, const Surroundings&);
Function make_upper(const Arguments&, const Surroundings&);
Function make_split(const Arguments&, const Surroundings&);
Function make_sub(const Arguments&, const Surroundings&);
Function make_regex(const Arguments&, const Surroundings&);
Function make_trailoff(const Arguments&, const Surroundings&);
Function make_uri(const Arguments&, const Surroundings&);
Function make_yesno(const Arguments&, const Surroundings&);
Function make_encode(const Arguments&, const Surroundings&);
Function make_decode(const Arguments&, const Surroundings&);
Function make_text(const Arguments&, const Surroundings&);

Function make_count(const Arguments&, const Surroundings&);
Function make_extract(const Arguments&, const Surroundings&);
Function make_filter(const Arguments&, const Surroundings&);
Function make_first_of(const Arguments&, const Surroundings&);
Function make_flatten(const Arguments&, const Surroundings&);
Function make_group(const Arguments&, const Surroundings&);
Function make_join(const Arguments&, const Surroundings&);
Function make_length(const Arguments&, const Surroundings&);
Function make_list(const Arguments&, const Surroundings&);
Function make_not_null(const Arguments&, const Surroundings&);
Function make_slice(const Arguments&, const Surroundings&);
Function make_sort(const Arguments&, const Surroundings&);
Function make_synthesize(const Arguments&, const Surroundings&);

Function make_float(const Arguments&, const Surroundings&);
Function make_size(const Arguments&, const Surroundings&);
Function make_resolution(const Arguments&, const Surroundings&);
Function make_date(const Arguments&, const Surroundings&);
Function make_duration(const Arguments&, const Surroundings&);
Function make_iso(const Arguments&, const Surroundings&);

Colouring make_colouring(const Arguments& arguments);

}  // namespace tpuctl::cli::output
