// SPDX-License-Identifier: Apache-2.0
// name(arguments).name(arguments)..., behind a key of a projection or of a filter.
#include "cli/output/chain.hpp"

#include <fmt/format.h>

#include "cli/output/display.hpp"
#include "cli/suggest.hpp"

namespace tpuctl::cli::output {

namespace {

Call read_call(Lexer& lexer, const std::string& name, const Surroundings& surroundings) {
  const std::size_t here = lexer.position();
  if (!find_transform(name)) {
    const std::string near = nearest(name, transform_names());
    throw UnknownTransform(lexer, fmt::format("Unknown transform function {}{}", name,
                                              near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
  }
  std::vector<std::string> written;
  for (Lexer::Token& token : lexer.arguments()) written.push_back(std::move(token.text));
  try {
    return make_call(name, written, surroundings);
  } catch (const Error& error) {
    const bool shows_where = std::string_view(error.what()).find("*HERE*") != std::string_view::npos;
    if (error.kind != tpuctl::Kind::usage || shows_where) throw;
    lexer.fail(error.what(), here);
  }
}

}  // namespace

UnknownTransform::UnknownTransform(const Lexer& lexer, const std::string& message)
    : Error(tpuctl::Kind::usage, lexer.annotated(message, lexer.position())) {}

Chain read_chain(Lexer& lexer, std::string name, const Surroundings& surroundings, std::string& condition) {
  Chain out;
  int map = 0;
  for (;;) {
    Call call = read_call(lexer, name, surroundings);
    if (name == "map") {
      const auto depth = call.written.empty() ? 1 : to_integer(call.written[0]);
      constexpr std::int64_t kDeepest = 100;
      if (!depth || *depth < 0 || *depth > kDeepest) lexer.fail("map() needs a number of levels");
      map = static_cast<int>(*depth);
    } else if (name == "if") {
      condition = call.written[0];
    } else if (name == "always") {
      out.always = out.always || out.calls.empty();
    } else {
      call.map = map;
      if (name != "synthesize") map = 0;  // there gcloud forgets to
      out.calls.push_back(std::move(call));
    }
    if (lexer.take(".") == '\0') return out;
    const Key next = lexer.key();
    if (next.size() != 1 || lexer.take("(") == '\0') lexer.fail("Transform function expected");
    name = next[0].text;
  }
}

}  // namespace tpuctl::cli::output
