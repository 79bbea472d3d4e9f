// SPDX-License-Identifier: Apache-2.0
#include "cli/output/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/args.hpp"
#include "cli/output/display.hpp"
#include "cli/output/filter.hpp"
#include "cli/output/printer.hpp"

namespace tpuctl::cli::output {

namespace {

struct SortKey {
  Key key;
  Key unresolved;  ///< as typed: a label of the default table is not replaced by its key
  bool reverse = false;
};

[[noreturn]] void rethrow_as(std::string_view flag, const Error& error) {
  const std::string message = error.what();
  throw Error(error.kind,
              message.starts_with("argument ") ? message : "argument --" + std::string(flag) + ": " + message,
              error.hint);
}

std::vector<SortKey> sort_keys(const std::string& text) try {
  std::vector<SortKey> out;
  for (std::string& name : split_list(text)) {
    SortKey one;
    std::string_view field = text::trim(name);
    one.reverse = field.starts_with('~');
    while (field.starts_with('~')) field.remove_prefix(1);
    one.unresolved = parse_key(field);
    for (Step& step : one.unresolved) {
      if (step.what == Step::slice) step = {Step::index, {}, 0};  // the first item stands for the list
    }
    out.push_back(std::move(one));
  }
  return out;
} catch (const Error& error) {
  rethrow_as("sort-by", error);
}

// What --sort-by says to a table, which sorts by what it shows: ":(name:sort=1:reverse)".
std::string order_of(const std::vector<SortKey>& keys) {
  std::vector<std::string> parts;
  parts.reserve(keys.size());
  for (const SortKey& one : keys) {
    parts.push_back(
        fmt::format("{}:sort={}{}", key_text(one.unresolved), parts.size() + 1, one.reverse ? ":reverse" : ""));
  }
  return parts.empty() ? "" : ":(" + text::join(parts, ",") + ")";
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

Projection projection(const std::string& default_format, const Options& options,
                      const std::vector<SortKey>& order) try {
  const bool default_again = options.format.ends_with("default") && !options.default_name.empty();
  const std::string format = default_again ? options.default_name : options.format;
  if (!options.uri || !format.empty())
    return read_projection(default_again ? "" : default_format, format, order_of(order), options.flags);
  Projection out = read_projection("value(.)", "", order_of(order), options.flags);
  out.names = read_projection(default_format, "", "", options.flags).names;
  return out;
} catch (const Error& error) {
  rethrow_as("format", error);
}

Screen screen_of(const Streams& io, bool reader) { return {io.width, io.utf8, io.out_colour, reader}; }

}  // namespace

struct Pipeline::Impl {
  Impl(Streams& streams, Options given, const std::string& default_format, bool one)
      : io(streams),
        options(std::move(given)),
        single(one),
        order(sort_keys(options.sort_by)),
        flat(flatten_keys(options.flatten)) {
    Projection chosen = projection(default_format, options, order);
    const Aliases aliases = chosen.aliases();
    filter = Filter(options.filter, aliases);
    unseen = filter.keys();
    for (SortKey& key : order) key.key = resolve_alias(key.unresolved, aliases);
    const std::string name = chosen.format;
    disabled = name == "disable" || chosen.has("disable");
    printing = !name.empty() && name != "none" && !disabled;
    printer = make_printer({std::make_shared<StreamSink>(io), screen_of(io, options.screen_reader), std::move(chosen)});
  }

  void print(Json resource) {
    ++count;
    if (!printer) return;
    if (flat.empty() && !options.uri) return add(resource);
    std::vector<Json> all;
    all.push_back(flat.empty() ? std::move(resource) : without_nulls(resource));
    for (const Key& key : flat) {
      std::vector<Json> next;
      for (Json& one : all) {
        for (Json& part : flatten(std::move(one), key)) next.push_back(without_nulls(part));
      }
      all = std::move(next);
    }
    for (const Json& one : all) options.uri ? add(Json(address(one))) : add(one);
  }

  void add(const Json& resource) {
    printer->add(resource, !single || !flat.empty());
    // What is there should not wait for what is still to come from the service.
    const auto now = std::chrono::steady_clock::now();
    constexpr std::chrono::milliseconds kPatience(200);
    if (now - flushed < kPatience) return;
    io.flush();
    flushed = now;
  }

  std::string address(const Json& resource) const {
    if (options.address) return options.address(resource);
    for (const char* name : {"selfLink", "name"}) {
      if (resource[name].is_string()) return resource[name].text();
    }
    return {};
  }

  // As texts, like gcloud: a table sorts once more by what it shows, and there numbers are numbers.
  void print_sorted() {
    std::vector<std::pair<std::vector<std::string>, Json*>> rows;
    for (Json& one : held) {
      std::vector<std::string> values;
      for (const SortKey& key : order) {
        Json made;
        const Json* found = &get(one, key.unresolved, made);
        if (found->is_null() && key.key != key.unresolved) found = &get(one, key.key, made);
        values.push_back(python_text(*found));
      }
      rows.emplace_back(std::move(values), &one);
    }
    std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
      for (std::size_t i = 0; i < order.size(); ++i) {
        const int by = a.first[i].compare(b.first[i]);
        if (by != 0) return order[i].reverse ? by > 0 : by < 0;
      }
      return false;
    });
    for (auto& [values, resource] : rows) {
      if (options.limit > 0 && count >= options.limit) break;
      print(std::move(*resource));
    }
    held.clear();
  }

  // Keys of the filter that no resource has are likely misspelt.
  void note_keys(const Json& resource) {
    std::erase_if(unseen, [&](const Key& key) {
      Json made;
      return !get(resource, key, made).is_null();
    });
  }

  void warn_unseen() {
    if (unseen.empty() || seen == 0) return;
    std::set<std::string> names;
    for (const Key& key : unseen) names.insert(key_text(key));
    io.err("WARNING: The following filter keys were not present in any resource : " +
           text::printable(text::join({names.begin(), names.end()}, ", ")) + "\n");
  }

  Streams& io;
  Options options;
  bool single;
  std::vector<SortKey> order;
  std::vector<Key> flat;
  Filter filter{""};
  std::vector<Key> unseen;
  bool printing = false;
  bool disabled = false;
  std::unique_ptr<Printer> printer;
  std::vector<Json> held;  ///< with --sort-by everything waits here
  std::int64_t count = 0;  ///< resources printed
  std::int64_t seen = 0;
  std::chrono::steady_clock::time_point flushed;
  bool finished = false;
};

Pipeline::Pipeline(Streams& io, Options options, const std::string& default_format, bool single)
    : impl_(std::make_unique<Impl>(io, std::move(options), default_format, single)) {}

Pipeline::~Pipeline() {
  if (!impl_ || impl_->finished || impl_->count == 0 || !impl_->printer) return;
  try {
    impl_->printer->finish();
  } catch (const std::exception&) {  // the exception that is under way tells more
  }
}

void Pipeline::push(Json resource) {
  if (full()) return;
  ++impl_->seen;
  if (!impl_->unseen.empty()) impl_->note_keys(resource);
  if (!impl_->filter.matches(resource)) return;
  if (impl_->order.empty()) {
    impl_->print(std::move(resource));
  } else {
    impl_->held.push_back(std::move(resource));
  }
}

bool Pipeline::full() const {
  if (impl_->io.out_closed || impl_->disabled) return true;
  return impl_->order.empty() && impl_->options.limit > 0 && impl_->count >= impl_->options.limit;
}

void Pipeline::finish() {
  if (impl_->finished) return;
  impl_->finished = true;
  impl_->print_sorted();
  const bool limited = impl_->options.limit > 0 && impl_->count >= impl_->options.limit;
  if (impl_->printer) impl_->printer->finish();
  if (!limited) impl_->warn_unseen();
  const bool explicit_format = !impl_->options.format.empty();
  if (impl_->count == 0 && !impl_->single && !explicit_format && impl_->printing && !impl_->io.out_closed) impl_->io.err("Listed 0 items.\n");
}

bool Pipeline::prints() const { return impl_->printing; }

}  // namespace tpuctl::cli::output
