// SPDX-License-Identifier: Apache-2.0
// storage ls: gcloud's columns and headings.
#include <fmt/format.h>

#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "commands/storage.hpp"

namespace tpuctl::commands {

namespace {

constexpr int kAllLevels = 1 << 30;

class Lister {
 public:
  Lister(Context& context, api::Storage& storage)
      : context_(context), looking_(looking_of(context, storage)), long_(context.args.on("long")),
        readable_(context.args.on("readable-sizes")) {
    looking_.versions = context.args.on("all-versions");
    if (context.args.has("format") || context.args.on("json")) {
      looking_.full = true;
      pipeline_.emplace(context.frame.io, context.output(), "json");
    }
  }
  void list(const std::string& address);
  void finish() {
    if (pipeline_) pipeline_->finish();
  }

 private:
  void show(const Match& match, int levels);
  void row(const Match& match);
  void heading(const Match& match);
  std::string line(const Match& match) const;
  bool reader_gone() const { return context_.frame.io.out_closed; }

  Context& context_;
  Looking looking_;
  bool long_;
  bool readable_;
  std::optional<cli::output::Pipeline> pipeline_{};
  bool printed_ = false;  ///< something of the current address
  std::int64_t objects_ = 0;
  std::int64_t bytes_ = 0;
};

// Everything in the container, one level; with `*` behind its name.
api::StorageUrl inside(const Match& container) {
  api::StorageUrl url = container.url;
  url.name += '*';
  return url;
}

std::string Lister::line(const Match& match) const {
  const std::string address = match.url.text() + (match.url.generation.empty() ? "" : "#" + match.url.generation);
  if (!long_ || match.url.is_bucket()) return address;
  if (match.container) return fmt::format("{:>10}  {:>20}  {}", "", "", address);
  const auto created = parse_rfc3339(match.object.created);
  return fmt::format("{:>10}  {:>20}  {}", readable_ ? human_bytes(match.object.size) : std::to_string(match.object.size),
                     created ? rfc3339(*created) : match.object.created, address);
}

void Lister::row(const Match& match) {
  printed_ = true;
  if (!match.container) {
    ++objects_;
    bytes_ += match.object.size;
  }
  if (!pipeline_) {
    context_.frame.io.out(text::printable(line(match)) + "\n");
    return;
  }
  const std::string type = match.url.is_bucket() ? "bucket" : match.container ? "prefix" : "object";
  Json out{{"url", match.url.text()}, {"type", type}};
  if (context_.args.on("json")) {  // gcloud's shape
    out.member("url") = match.url.text() + (match.container ? "" : "#" + match.object.generation);
    if (!match.container || match.url.is_bucket()) out.member("type") = "cloud_" + type;
    if (!match.object.resource.is_null()) out.member("metadata") = match.object.resource;
  } else {
    for (const auto& [name, value] : match.object.resource.members()) out.member(name) = value;
  }
  pipeline_->push(std::move(out));
}

void Lister::heading(const Match& match) {
  if (!pipeline_) context_.frame.io.out((printed_ ? "\n" : "") + text::printable(match.url.text()) + ":\n");
  printed_ = true;
}

// A container's heading and what is in it, `levels` deep; or the row of anything else.
void Lister::show(const Match& match, int levels) {
  if (!match.container || levels <= 0) return row(match);
  heading(match);
  expand(looking_, inside(match), [&](const Match& one) {
    show(one, levels - 1);
    return !reader_gone();
  });
}

void Lister::list(const std::string& address) {
  const api::StorageUrl url = api::parse_storage_url(address);
  if (!url.cloud) throw Error(Kind::usage, "[" + address + "] is not in Cloud Storage; ls shows what is under gs://.");
  const bool buckets_only = url.is_provider() || (context_.args.on("buckets") && url.is_bucket());
  const bool recursive = (context_.args.on("recursive") || context_.args.on("recurse")) && address.find("**") == std::string::npos;
  const int levels = buckets_only ? 0 : recursive ? kAllLevels : 1;
  printed_ = false;
  objects_ = bytes_ = 0;
  // The first is held back: alone and a container, it shows what is in it without a heading.
  std::optional<Match> first;
  bool several = false;
  expand(looking_, url, [&](const Match& match) {
    if (!first) {
      first = match;
      return true;
    }
    if (!several) show(*first, levels);
    several = true;
    show(match, levels);
    return !reader_gone();
  });
  if (!first) {
    throw Error(Kind::not_found, "[" + address + "] matches no object.",
                url.is_provider() ? "" : "See what is there: tpuctl storage ls gs://" + url.bucket);
  }
  if (buckets_only && url.is_bucket() && !several && !api::has_wildcard(url.bucket)) looking_.storage.bucket(url.bucket);
  if (!several) {
    if (first->container && levels == 1) {
      expand(looking_, inside(*first), [&](const Match& one) {
        row(one);
        return !reader_gone();
      });
      if (!printed_ && !url.is_bucket()) throw Error(Kind::not_found, "[" + address + "] matches no object.");
    } else {
      show(*first, levels);
    }
  }
  if (long_ && !buckets_only && !pipeline_) {
    context_.frame.io.out(fmt::format("TOTAL: {} objects, {} bytes ({})\n", objects_, bytes_, human_bytes(bytes_)));
  }
}

}  // namespace

int run_storage_list(cli::Frame& frame, const cli::Args& args) {
  Context context(frame, args);
  return with_credential_words(context, [&] {
    api::Storage storage = storage_of(context);
    Lister lister(context, storage);
    std::vector<std::string> addresses = args.positionals("ADDRESS");
    if (addresses.empty()) addresses = {"gs://"};
    for (const std::string& address : addresses) lister.list(address);
    lister.finish();
    return 0;
  });
}

}  // namespace tpuctl::commands
