// SPDX-License-Identifier: Apache-2.0
#include "cli/output/filter.hpp"
#include "base/json.hpp"
#include "tests/fuzz/fuzz.hpp"

void fuzz(std::string_view bytes) {
  static const tpuctl::Json resource{{"name", "projects/p/locations/z/nodes/n-1"}, {"state", "READY"}, {"createTime", "2024-05-01T00:00:01.5Z"},
                                     {"size", 7}, {"labels", tpuctl::Json{{"team", "vision"}}}, {"ok", true}};
  const tpuctl::cli::output::Filter filter(bytes);
  (void)filter.matches(resource);
}
