// SPDX-License-Identifier: Apache-2.0
// Time zones by name. C has zones for the process's own only, so a named one is put into TZ for as long as a conversion
// takes.
#pragma once

#include <optional>
#include <string>

#include "cli/output/moment.hpp"

namespace tpuctl::cli::output {

/// While it lives, localtime_r and mktime use `zone`. Not for several threads: output is printed by one.
class ZoneOfProcess {
 public:
  explicit ZoneOfProcess(const Zone& zone);
  ~ZoneOfProcess();
  ZoneOfProcess(const ZoneOfProcess&) = delete;
  ZoneOfProcess& operator=(const ZoneOfProcess&) = delete;

 private:
  bool changed_ = false;
  std::optional<std::string> before_;
};

}  // namespace tpuctl::cli::output
