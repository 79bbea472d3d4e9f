// SPDX-License-Identifier: Apache-2.0
// The other end of a browser that signs in: one page on 127.0.0.1, asked for once.
#pragma once

#include <string>

#include "base/time.hpp"

namespace tpuctl::auth {

class LoopbackPage {
 public:
  /// Listens on a free port of 127.0.0.1, and nowhere else. Throws Error{failure} when it cannot.
  LoopbackPage();
  ~LoopbackPage();
  LoopbackPage(const LoopbackPage&) = delete;
  LoopbackPage& operator=(const LoopbackPage&) = delete;

  std::string address() const;  ///< "http://127.0.0.1:PORT/"
  /// The query of the first GET of "/" that has one. Browsers open connections that they do not use, and ask for icons: neither is taken for the
  /// answer. The page that is shown says nothing of what was in the query. Throws Error{denied} after `limit`, and at a signal.
  std::string wait(Duration limit);

 private:
  int listener_ = -1;
  int port_ = 0;
};

}  // namespace tpuctl::auth
