// SPDX-License-Identifier: Apache-2.0
#include "cli/output/pipeline.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/args.hpp"
#include "cli/output/filter.hpp"
#include "cli/output/printer.hpp"

namespace tpuctl::cli::output {

namespace {

struct SortKey {
  Key key;
  bool reverse = false;
};

[[noreturn]] void rethrow_as(std::string_view flag, const Error& error) {
  const std::string message = error.what();
  throw Error(error.kind,
              message.starts_with("argument ") ? message : "argument --" + std::string(flag) + ": " + message,
              error.hint);
}

std::vector<SortKey> sort_keys(const std::string& text, const Aliases& aliases) try {
  std::vector<SortKey> out;
  for (std::string& name : split_list(text)) {
    SortKey one;
    std::string_view field = text::trim(name);
    one.reverse = field.starts_with('~');
    while (field.starts_with('~')) field.remove_prefix(1);
    one.key = resolve_alias(parse_key(field), aliases);
    for (Step& step : one.key) {
      if (step.what == Step::slice) step = {Step::index, {}, 0};  // the first item stands for the list
    }
    out.push_back(std::move(one));
  }
  return out;
} catch (const Error& error) {
  rethrow_as("sort-by", error);
}

// "a[].b[]" is two steps: first every a, then every b of it.
std::vector<Key> flatten_keys(const std::string& text) try {
  std::vector<Key> out;
  for (const std::string& name : split_list(text)) {
    Key key;
    bool sliced = false;
    for (Step& step : parse_key(name)) {
      sliced = step.what == Step::slice;
      if (sliced) {
        out.push_back(key);
      } else {
        key.push_back(std::move(step));
      }
    }
    if (!sliced) out.push_back(key);
  }
  return out;
} catch (const Error& error) {
  rethrow_as("flatten", error);
}

// Nothing first, then numbers, then texts.
int compare(const Json& a, const Json& b) {
  auto rank = [](const Json& value) { return value.is_null() ? 0 : value.is_number() || value.is_bool() ? 1 : 2; };
  if (rank(a) != rank(b)) return rank(a) < rank(b) ? -1 : 1;
  if (rank(a) == 1) {
    const double left = a.is_bool() ? a.boolean() : a.number();
    const double right = b.is_bool() ? b.boolean() : b.number();
    return left < right ? -1 : left > right ? 1 : 0;
  }
  return display(a).compare(display(b));
}

ParsedFormat parsed(const std::string& default_format, const Options& options) try {
  if (options.uri && options.format.empty()) {
    ParsedFormat out = parse_format(default_format, "");
    out.format = parse_format("value(.)", "").format;
    return out;
  }
  return parse_format(default_format, options.format);
} catch (const Error& error) {
  rethrow_as("format", error);
}

}  // namespace

struct Pipeline::Impl {
  Impl(Streams& streams, Options given, const std::string& default_format, bool one)
      : io(streams),
        options(std::move(given)),
        single(one),
        format(parsed(default_format, options)),
        filter(options.filter, format.aliases),
        order(sort_keys(options.sort_by, format.aliases)),
        flat(flatten_keys(options.flatten)),
        flattens(!flat.empty()) {
    const std::string& name = format.format.name;
    printing = !name.empty() && name != "none" && name != "disable";
    printer = make_printer({io, format.format, single && !flattens, !order.empty(), options.screen_reader});
  }

  void print(Json resource) {
    ++count;
    std::vector<Json> all;
    all.push_back(std::move(resource));
    for (const Key& key : flat) {
      std::vector<Json> next;
      for (const Json& one : all) {
        for (Json& part : flatten(one, key)) next.push_back(std::move(part));
      }
      all = std::move(next);
    }
    for (const Json& one : all) printer->add(options.uri ? Json(address(one)) : one);
  }

  std::string address(const Json& resource) const {
    if (options.address) return options.address(resource);
    for (const char* name : {"selfLink", "name"}) {
      if (resource[name].is_string()) return resource[name].text();
    }
    return {};
  }

  void print_sorted() {
    std::stable_sort(held.begin(), held.end(), [&](const Json& a, const Json& b) {
      for (const SortKey& one : order) {
        Json made_a, made_b;
        const int by = compare(get(a, one.key, made_a), get(b, one.key, made_b));
        if (by != 0) return one.reverse ? by > 0 : by < 0;
      }
      return false;
    });
    for (Json& one : held) {
      if (options.limit > 0 && count >= options.limit) break;
      print(std::move(one));
    }
    held.clear();
  }

  Streams& io;
  Options options;
  bool single;
  ParsedFormat format;
  Filter filter;
  std::vector<SortKey> order;
  std::vector<Key> flat;
  bool flattens;
  bool printing = false;
  std::unique_ptr<Printer> printer;
  std::vector<Json> held;  ///< with --sort-by everything waits here
  std::int64_t count = 0;
  bool finished = false;
};

Pipeline::Pipeline(Streams& io, Options options, const std::string& default_format, bool single)
    : impl_(std::make_unique<Impl>(io, std::move(options), default_format, single)) {}

Pipeline::~Pipeline() {
  if (!impl_ || impl_->finished || impl_->count == 0) return;
  try {
    impl_->printer->finish();
  } catch (const std::exception&) {  // the exception that is under way tells more
  }
}

void Pipeline::push(Json resource) {
  if (full() || !impl_->filter.matches(resource)) return;
  if (impl_->order.empty()) {
    impl_->print(std::move(resource));
  } else {
    impl_->held.push_back(std::move(resource));
  }
}

bool Pipeline::full() const {
  if (impl_->io.out_closed) return true;
  return impl_->order.empty() && impl_->options.limit > 0 && impl_->count >= impl_->options.limit;
}

void Pipeline::finish() {
  if (impl_->finished) return;
  impl_->finished = true;
  impl_->print_sorted();
  impl_->printer->finish();
  const bool explicit_format = !impl_->options.format.empty();
  if (impl_->count == 0 && !impl_->single && !explicit_format && impl_->printing) impl_->io.err("Listed 0 items.\n");
}

bool Pipeline::prints() const { return impl_->printing; }

}  // namespace tpuctl::cli::output
