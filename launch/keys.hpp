// SPDX-License-Identifier: Apache-2.0
// The user's ssh key pair, and its way onto the workers through the metadata.
#pragma once

#include <string>

#include "api/client.hpp"
#include "launch/workers.hpp"

namespace tpuctl::launch {

struct KeyPair {
  std::string file;           ///< the private half; the public one is FILE.pub
  std::string path_variable;  ///< where ssh-keygen is looked for
  bool make = true;           ///< false (a dry run): nothing is made, and the result may be empty
  bool overwrite = false;     ///< half a pair is replaced instead of an error
};

/// "ssh-rsa DATA" of the public half. The pair is made with ssh-keygen when neither half is there; half a pair is an
/// Error{failure} that names the missing half, unless `overwrite`.
std::string public_key(const KeyPair& pair, const Warn& say);

/// True when one of the "USER:TYPE DATA ..." lines of a metadata `ssh-keys` value has this key for this user.
bool has_key(const std::string& ssh_keys, const std::string& user, const std::string& key);

/// Puts the key into the node's metadata unless the node or the project has it. Returns the node as it is afterwards. A
/// conflict with another writer (409, 412) is solved by reading again.
Json propagate_key(api::Client& client, const api::Name& name, const Json& node, const Json& project_metadata,
                   const std::string& user, const std::string& key, const Warn& say);

/// Value of a key of Compute Engine's commonInstanceMetadata.items, or "".
std::string metadata_item(const Json& project, std::string_view key);

}  // namespace tpuctl::launch
