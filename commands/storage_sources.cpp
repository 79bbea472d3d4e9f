// SPDX-License-Identifier: Apache-2.0
#include "commands/storage_sources.hpp"

#include <deque>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "commands/storage_files.hpp"

namespace tpuctl::commands {

namespace {

using api::StorageUrl;
using api::StoredObject;
using Each = std::function<bool(Match)>;

Match object_match(StoredObject object, bool versions) {
  Match out;
  out.url = {true, object.bucket, object.name, versions ? object.generation : ""};
  out.object = std::move(object);
  return out;
}

Match container_match(const std::string& bucket, const std::string& prefix) {
  Match out;
  out.url = {true, bucket, prefix, ""};
  out.container = true;
  return out;
}

// Names with wildcards are expanded a level at a time; only ** asks for everything below.
bool expand_names(const Looking& looking, const std::string& bucket, const std::string& name, const Each& each) {
  const bool folders_only = name.ends_with('/');
  std::deque<std::string> left = {folders_only ? name.substr(0, name.size() - 1) : name};
  bool go_on = true;
  while (!left.empty() && go_on) {
    const api::GlobStep step = api::first_glob_step(left.front());
    left.pop_front();
    const api::Storage::Query query{.bucket = bucket, .prefix = step.prefix, .one_level = step.one_level,
                                    .versions = looking.versions, .full = looking.full};
    auto on_object = [&](StoredObject object) {
      const bool wanted = step.suffix.empty() && (!folders_only || object.name.ends_with('/'));
      if (wanted && api::step_keeps(step.pattern, object.name)) go_on = each(object_match(std::move(object), looking.versions));
      return go_on;
    };
    auto on_prefix = [&](const std::string& prefix) {
      if (!api::step_keeps(step.pattern, prefix)) return true;
      if (step.suffix.empty()) return go_on = each(container_match(bucket, prefix));
      if (api::has_wildcard(prefix)) {
        looking.warn("gs://" + bucket + "/" + prefix + " is left out: a folder with a wildcard in its name cannot be expanded.");
      } else {
        left.push_back(prefix + step.suffix);
      }
      return true;
    };
    looking.storage.list(query, on_object, on_prefix);
  }
  return go_on;
}

bool expand_in_bucket(const Looking& looking, const std::string& bucket, const StorageUrl& url, const Each& each) {
  if (url.name.empty()) return each(container_match(bucket, ""));
  const bool plain = !api::has_wildcard(url.name);
  if (plain && (!looking.versions || !url.generation.empty())) {
    if (auto object = looking.storage.find(bucket, url.name, url.generation)) {
      if (!each(object_match(std::move(*object), !url.generation.empty()))) return false;
      if (!url.name.ends_with('/')) return true;
    }
    if (!url.generation.empty()) return true;
  }
  return expand_names(looking, bucket, url.name, each);
}

void expand_cloud(const Looking& looking, const StorageUrl& url, const Each& each) {
  if (!url.is_provider() && !api::has_wildcard(url.bucket)) {
    expand_in_bucket(looking, url.bucket, url, each);
    return;
  }
  std::vector<std::string> buckets;
  looking.storage.buckets(looking.project, [&](const Json& bucket) { buckets.push_back(bucket["name"].text()); });
  for (const std::string& bucket : buckets) {
    if (!url.is_provider() && !api::glob_matches(url.bucket, bucket)) continue;
    if (!expand_in_bucket(looking, bucket, url, each)) return;
  }
}

}  // namespace

void expand(const Looking& looking, const StorageUrl& url, const Each& each) {
  if (url.cloud) return expand_cloud(looking, url, each);
  if (url.is_stream()) {
    Match stream;
    stream.url = url;
    stream.object.size = -1;
    each(std::move(stream));
    return;
  }
  std::string path = url.name;
  if (path.starts_with("~/")) path = file::join(looking.home, path.substr(2));
  for (const LocalEntry& entry : expand_path(path, looking.warn)) {
    Match out;
    out.url.name = entry.path;
    out.container = entry.folder;
    out.object.size = entry.size;
    if (!each(std::move(out))) return;
  }
}

void contents(const Looking& looking, const Match& container, const Each& each) {
  if (container.url.cloud) {
    const api::Storage::Query query{.bucket = container.url.bucket, .prefix = container.url.name, .versions = looking.versions,
                                    .full = looking.full};
    looking.storage.list(
        query, [&](StoredObject object) { return each(object_match(std::move(object), looking.versions)); },
        [](const std::string&) { return true; });
    return;
  }
  for (const LocalEntry& entry : files_below(container.url.name, looking.warn)) {
    Match out;
    out.url.name = entry.path;
    out.object.size = entry.size;
    if (!each(std::move(out))) return;
  }
}

Sources find_sources(const Looking& looking, const std::vector<std::string>& addresses, bool recursive) {
  Sources out;
  std::size_t tops = 0;
  for (const std::string& address : addresses) {
    const StorageUrl url = api::parse_storage_url(address);
    bool matched = false;
    std::vector<Match> containers;
    expand(looking, url, [&](Match match) {
      ++tops;
      if (match.container) {
        containers.push_back(std::move(match));
        return true;
      }
      matched = true;
      const std::string top = match.url.text();
      out.leaves.push_back({std::move(match), top});
      return true;
    });
    for (const Match& container : containers) {
      if (!recursive) {
        looking.warn(container.url.text() + " is left out: it is a folder, and --recursive is not given.");
        continue;
      }
      contents(looking, container, [&](Match match) {
        matched = true;
        out.leaves.push_back({std::move(match), container.url.text()});
        return true;
      });
      if (container.url.is_bucket()) out.containers.push_back(container.url.bucket);
    }
    if (!matched) out.unmatched.push_back(address);
  }
  out.many_tops = addresses.size() > 1 || tops > 1;
  return out;
}

Destination find_destination(const Looking& looking, const std::string& address) {
  Destination out;
  out.url = api::parse_storage_url(address);
  if (out.url.is_provider()) throw Error(Kind::usage, "The destination [" + address + "] names no bucket.");
  if (!out.url.generation.empty()) throw Error(Kind::usage, "The destination [" + address + "] must not name a generation.");
  const bool cloud = out.url.cloud;
  if (!cloud && out.url.name.starts_with("~/")) out.url.name = file::join(looking.home, out.url.name.substr(2));
  if (api::has_wildcard(out.url.bucket + out.url.name) && (cloud || !file::exists(out.url.name))) {
    std::vector<Match> matches;
    expand(looking, out.url, [&](Match match) {
      matches.push_back(std::move(match));
      return matches.size() < 2;
    });
    if (matches.size() != 1) {
      throw Error(Kind::failure, "The destination [" + address + "] must mean exactly one thing; its wildcards mean " +
                                     (matches.empty() ? "nothing." : "several."));
    }
    out.url = matches[0].url;
    out.exists = true;
    out.container = matches[0].container;
    return out;
  }
  if (!cloud) {
    out.exists = !out.url.is_stream() && file::exists(out.url.name);
    out.container = file::is_dir(out.url.name);
  } else if (out.url.is_bucket() || out.url.name.ends_with('/')) {
    out.container = true;
  } else if (looking.storage.find(out.url.bucket, out.url.name)) {
    out.exists = true;
  } else {
    const api::Storage::Query inside{.bucket = out.url.bucket, .prefix = out.url.name + "/", .most = 1};
    auto found = [&out] { out.exists = out.container = true; return false; };
    looking.storage.list(inside, [&](const StoredObject&) { return found(); }, [&](const std::string&) { return found(); });
  }
  return out;
}

namespace {

std::string without_end_slash(std::string text) {
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

// "." and "..", with or without something before: a folder that has no name of its own to be copied under.
bool is_nameless(const std::string& top) {
  const std::string last = file::base_name(without_end_slash(top));
  return last == "." || last == "..";
}

// The part of a path below the folder that was named, with that folder's name when it goes into another.
std::string below_top(const Destination& destination, const Sources& sources, const Item& source) {
  const bool nameless = !source.match.url.cloud && is_nameless(source.top);
  if (nameless && sources.many_tops) {
    throw Error(Kind::usage, "[" + source.top + "] has no name to be copied under, beside other sources.");
  }
  const bool into = destination.container || (!destination.exists && sources.many_tops);
  std::string ignored = without_end_slash(source.top);
  const std::size_t scheme = source.match.url.cloud ? 5 : 0;
  if (into && !nameless) {
    const auto slash = ignored.rfind('/');
    ignored.resize(slash == std::string::npos || slash < scheme ? scheme : slash);
  }
  std::string suffix = source.match.url.text().substr(ignored.size());
  suffix.erase(0, std::min(suffix.find_first_not_of('/'), suffix.size()));
  return suffix;
}

std::string last_part(const std::string& text) {
  const bool folder = text.ends_with('/');
  return file::base_name(folder ? text.substr(0, text.size() - 1) : text) + (folder ? "/" : "");
}

void refuse_to_leave(const std::string& suffix, const std::string& source) {
  for (const std::string& part : text::split(suffix, '/')) {
    if (part == "..") {
      throw Error(Kind::failure, source + " is not copied: its name would leave the folder it is copied to.");
    }
  }
}

}  // namespace

std::string copy_name(const Destination& destination, const Sources& sources, const Item& source) {
  const std::string text = source.match.url.text();
  const bool nested = text != source.top;
  const bool many = sources.leaves.size() > 1;
  const StorageUrl& to = destination.url;
  if (to.is_stream()) return to.name;
  if (!to.cloud && !destination.container && (many || nested)) {
    throw Error(Kind::usage, "The destination must be a folder that exists for what is copied here; [" + to.name + "] is none.",
                "Make it: mkdir -p " + text::shell_quote(to.name));
  }
  if (!to.cloud && !destination.container && to.name.ends_with('/')) {
    throw Error(Kind::usage, "The folder [" + to.name + "] does not exist.", "Make it: mkdir -p " + text::shell_quote(to.name));
  }
  if (!destination.container && !many && !nested) return to.text();
  if (source.match.url.is_stream()) {
    throw Error(Kind::usage, "What comes from standard input needs the name of an object as its destination.");
  }
  const std::string suffix = nested ? below_top(destination, sources, source) : last_part(text);
  if (!to.cloud) refuse_to_leave(suffix, text);
  const std::string base = without_end_slash(to.text());
  return file::join(base, suffix);
}

}  // namespace tpuctl::commands
