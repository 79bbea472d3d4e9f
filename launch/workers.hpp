// SPDX-License-Identifier: Apache-2.0
// Which machines a command means, and how each is reached. Facts: gcloud 528's ssh command, as recorded.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/client.hpp"

namespace tpuctl::launch {

struct HostKey {
  std::string type;  ///< "ssh-ed25519"
  std::string data;  ///< base64
};

/// One host of a slice.
struct Worker {
  std::string node;     ///< id of the TPU VM
  std::string owner;    ///< its full name
  int slice = 0;        ///< position of the TPU VM among those of the command
  int index = 0;        ///< position of the worker in its TPU VM
  std::string address;  ///< what ssh connects to
  std::string internal_address;
  bool external = false;  ///< it has an external address
  std::string hostname;  ///< from the guest attributes; empty when they do not tell
  std::string proxy;     ///< ssh's ProxyCommand, read by a shell after ssh has replaced its % marks; empty: a direct connection
  std::string alias;    ///< HostKeyAlias: tpu.<node uid>-<index>[-<last six of its ed25519 key>]
  std::vector<HostKey> host_keys;  ///< from the guest attributes; empty when there are none
  std::string label() const { return node + "/" + std::to_string(index); }
};

/// "n/0", "n/0 and 2 more"; empty when there are none.
std::string first_and_more(const std::vector<Worker>& workers);

/// A TPU VM with the workers that were chosen.
struct Slice {
  api::Name name;
  Json node;
  std::vector<Worker> workers;
};

using Warn = std::function<void(const std::string&)>;

/// The numbers of "all", "3" or "0,2-5" among `count` things called `noun` ("worker", "node"; also the flag's name): sorted,
/// each once. Throws Error{usage} for text that is none of these, Error{failure} for a number that is too large.
std::vector<int> parse_index_list(std::string_view text, int count, const std::string& noun);
inline std::vector<int> parse_worker_list(std::string_view text, int count) { return parse_index_list(text, count, "worker"); }

/// Whether ssh can work at all: throws Error{failure} for stopped, preempted and the like; warns for states in between and
/// for UNHEALTHY_MAINTENANCE.
void check_reachable_state(const Json& node, const std::string& id, const Warn& warn);

/// Number of workers of a node: its endpoints, less those of further network interfaces.
int worker_count(const Json& node);

/// The chosen workers with address and host keys (one getGuestAttributes call). Without guest attributes the workers have no
/// host keys and a shorter alias, as with gcloud.
std::vector<Worker> read_workers(api::Client& client, const api::Name& name, const Json& node, const std::string& chosen,
                                 bool internal_ip);

/// What a job or a multi-node command runs on: exactly one of the three is set.
struct Target {
  std::vector<std::string> tpus;  ///< names of TPU VMs
  std::string queued_resource;
  std::string prefix;  ///< all TPU VMs called PREFIX or PREFIX-<n>
  bool empty() const { return tpus.empty() && queued_resource.empty() && prefix.empty(); }
};

/// The names of the target's nodes in slice order (numeric suffix for a prefix and for the nodes of a queued resource).
/// Throws Error: nothing matches; the queued resource is not ACTIVE (its state is named).
std::vector<api::Name> find_nodes(api::Client& client, const Target& target, const std::string& project,
                                  const std::string& zone);

/// GETs the nodes and reads all their workers. Throws Error{failure} when several slices are not one multislice.
std::vector<Slice> read_slices(api::Client& client, const std::vector<api::Name>& names, bool internal_ip, const Warn& warn);

std::vector<Worker> all_workers(const std::vector<Slice>& slices);

}  // namespace tpuctl::launch
