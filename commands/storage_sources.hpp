// SPDX-License-Identifier: Apache-2.0
// What addresses with wildcards mean, in Cloud Storage and on this machine, and what a copy of it is called. The rules are
// gcloud's.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/storage.hpp"
#include "api/storage_url.hpp"

namespace tpuctl::commands {

/// One thing an address means: an object, a file, standard input, or a container (bucket, prefix, folder).
struct Match {
  api::StorageUrl url{};  ///< containers in the cloud end with a slash; paths stay as they were spelled, "./x" too
  bool container = false;
  api::StoredObject object{};  ///< of an object; for a file only its size; size -1: not known (a stream)
};

/// What is told on stderr while looking: what is left out and why.
using Warn = std::function<void(const std::string&)>;

struct Looking {
  api::Storage& storage;
  std::string project{};  ///< whose buckets "gs://" and wildcards in bucket names mean
  std::string home{};     ///< of "~/"
  Warn warn;
  bool versions = false;  ///< also objects that are no longer live
  bool full = false;      ///< objects with their whole resource
};

/// Calls `each` with everything that `url` means, one level deep, as it is found; it returns false to stop.
void expand(const Looking& looking, const api::StorageUrl& url, const std::function<bool(Match)>& each);
/// Everything in a container, at any depth, without the containers in it.
void contents(const Looking& looking, const Match& container, const std::function<bool(Match)>& each);

/// Something to copy or remove.
struct Item {
  Match match;
  std::string top;  ///< what it was found under (its own text when the address meant it itself)
};
struct Sources {
  std::vector<Item> leaves;             ///< nothing but objects, files and streams
  std::vector<std::string> containers{};  ///< buckets that were named or matched, when looking recursively
  std::vector<std::string> unmatched{};   ///< addresses that meant nothing
  bool many_tops = false;                 ///< more than one address, or one that means several things
};
Sources find_sources(const Looking& looking, const std::vector<std::string>& addresses, bool recursive);

/// Where a copy goes.
struct Destination {
  api::StorageUrl url{};
  bool exists = false;
  bool container = false;  ///< exists as one, or is one by its name: a bucket, or gs:// with a slash at the end
};
/// Throws Error{usage} for what can be no destination, Error{failure} when wildcards in it mean nothing or several things.
Destination find_destination(const Looking& looking, const std::string& address);

/// The name of the copy of `source`. Throws Error{usage} when there is no good one: standard input without a name, a file
/// where a folder must be, a name that leaves the folder it is copied to.
std::string copy_name(const Destination& destination, const Sources& sources, const Item& source);

}  // namespace tpuctl::commands
