// SPDX-License-Identifier: Apache-2.0
// The user's ssh key pair, and its way onto the workers through the metadata.
#pragma once

#include <string>

#include "api/client.hpp"
#include "launch/workers.hpp"

namespace tpuctl::launch {

/// "ssh-rsa DATA" of FILE.pub. The pair is made with ssh-keygen when neither half is there; half a pair is an
/// Error{failure} that names the missing half. With `make` false (a dry run) nothing is made and the result may be empty.
std::string public_key(const std::string& key_file, bool make, const std::string& path_variable, const Warn& say);

/// True when one of the "USER:TYPE DATA ..." lines of a metadata `ssh-keys` value has this key for this user.
bool has_key(const std::string& ssh_keys, const std::string& user, const std::string& key);

/// Puts the key into the node's metadata unless the node or the project has it. Returns the node as it is afterwards. A
/// conflict with another writer (409, 412) is solved by reading again.
Json propagate_key(api::Client& client, const api::Name& name, const Json& node, const Json& project_metadata,
                   const std::string& user, const std::string& key, const Warn& say);

/// Value of a key of Compute Engine's commonInstanceMetadata.items, or "".
std::string metadata_item(const Json& project, std::string_view key);

}  // namespace tpuctl::launch
