// SPDX-License-Identifier: Apache-2.0
// An ssh key for one transfer. It lives in memory alone, is handed to workers on their stdin, and opens nothing but one archive.
#pragma once

#include <string>

namespace tpuctl::launch {

struct RelayKey {
  std::string private_text;  ///< OpenSSH's own format, without a passphrase: a secret
  std::string public_line;   ///< "ssh-ed25519 DATA"
};

/// A fresh ed25519 pair. Throws Error{failure} where the machine's policy forbids ed25519.
RelayKey make_relay_key();

}  // namespace tpuctl::launch
