// SPDX-License-Identifier: Apache-2.0
#include "cli/output/pipeline.hpp"
#include "base/json.hpp"
#include "cli/streams.hpp"
#include "tests/fuzz/fuzz.hpp"

void fuzz(std::string_view bytes) {
  static const tpuctl::Json resource{{"name", "projects/p/locations/z/nodes/n-1"}, {"createTime", "2024-05-01T00:00:01.5Z"}, {"size", 7},
                                     {"list", tpuctl::Json(tpuctl::Json::Array{1, "two", nullptr})}, {"ok", true}};
  tpuctl::cli::StringStreams io;
  tpuctl::cli::output::Options options;
  options.format = std::string(bytes);
  tpuctl::cli::output::Pipeline pipeline(io, options, "table(name, size)");
  pipeline.push(resource);
  pipeline.push(tpuctl::Json::object());
  pipeline.finish();
}
