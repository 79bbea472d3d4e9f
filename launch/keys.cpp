// SPDX-License-Identifier: Apache-2.0
#include "launch/keys.hpp"

#include "api/operations.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "launch/node_metadata.hpp"

namespace tpuctl::launch {

namespace {
// Type and data of a public key line; the comment is nobody's business.
std::string without_comment(const std::string& line) {
  const auto words = text::split(text::trim(line), ' ');
  return words.size() < 2 ? std::string() : words[0] + " " + words[1];
}

// The public half when both are there; empty when none is, or one only.
std::string both_halves(const KeyPair& pair) {
  const auto pub = file::read_if_exists(pair.file + ".pub");
  if (!pub || !file::exists(pair.file)) return {};
  std::string key = without_comment(*pub);
  if (key.empty()) throw Error(Kind::failure, "The public key file [" + pair.file + ".pub] is not an ssh key.");
  return key;
}

void make_pair(const KeyPair& pair, const Warn& say) {
  const bool has_private = file::exists(pair.file);
  if ((has_private || file::exists(pair.file + ".pub")) && !pair.overwrite) {
    throw Error(Kind::failure, "The ssh key file [" + pair.file + (has_private ? ".pub" : "") + "] is missing, but its other half is there.",
                has_private ? "Make it again: ssh-keygen -y -f " + pair.file + " > " + pair.file + ".pub, or use --force-key-file-overwrite"
                            : "Put the private key there, move the .pub file away, or use --force-key-file-overwrite.");
  }
  const std::string keygen = process::find_program("ssh-keygen", pair.path_variable);
  if (keygen.empty()) throw Error(Kind::failure, "There is no ssh-keygen on PATH.", "Install the OpenSSH client.");
  say("Making an ssh key pair for Cloud TPU: " + pair.file);
  file::remove(pair.file);  // ssh-keygen would ask
  process::Spec spec;
  spec.argv = {keygen, "-q", "-t", "rsa", "-b", "3072", "-N", "", "-C", "tpuctl", "-f", pair.file};
  const auto result = process::run(spec);
  if (result.status != 0) {
    throw Error(Kind::failure, "ssh-keygen failed: " + text::printable(text::trim(result.err + result.out)));
  }
}
}  // namespace

std::string public_key(const KeyPair& pair, const Warn& say) {
  std::string key = both_halves(pair);
  if (!key.empty() || !pair.make) return key;
  // Of two that come at once one makes it, and the other must not take half a pair for a broken one.
  file::make_dirs(file::dir_name(pair.file));
  const std::string lock_file = pair.file + ".lock";
  {
    const file::Lock lock(lock_file);
    if (key = both_halves(pair); key.empty()) {
      make_pair(pair, say);
      key = both_halves(pair);
    }
    file::remove(lock_file);
  }
  return key;
}

bool has_key(const std::string& ssh_keys, const std::string& user, const std::string& key) {
  for (const std::string& line : text::split(ssh_keys, '\n')) {
    const auto colon = line.find(':');
    if (colon == std::string::npos || line.substr(0, colon) != user) continue;
    if (without_comment(line.substr(colon + 1)) == key) return true;
  }
  return false;
}

std::string metadata_item(const Json& project, std::string_view key) {
  for (const Json& item : project.at("/commonInstanceMetadata/items").items()) {
    if (item["key"].text() == key) return item["value"].text();
  }
  return {};
}

Json propagate_key(api::Client& client, const api::Name& name, const Json& node, const Json& project_metadata,
                   const std::string& user, const std::string& key, const Warn& say) {
  if (has_key(metadata_item(project_metadata, "ssh-keys"), user, key)) return node;
  bool told = false;
  return change_metadata(client, name, node, [&](Json& metadata) {
    const std::string old = metadata["ssh-keys"].text();
    if (has_key(old, user, key)) return false;
    if (!told) say("Propagating SSH public key to all workers of [" + name.id + "]...");
    told = true;
    metadata.member("ssh-keys") = old + "\n" + user + ":" + key + " " + user;
    return true;
  });
}

}  // namespace tpuctl::launch
