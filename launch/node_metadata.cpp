// SPDX-License-Identifier: Apache-2.0
#include "launch/node_metadata.hpp"

#include "api/operations.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace tpuctl::launch {

Json change_metadata(api::Client& client, const api::Name& name, const Json& node, const std::function<bool(Json& metadata)>& change) {
  constexpr int kTries = 5;
  Json current = node;
  for (int attempt = 1;; ++attempt) {
    Json metadata = current["metadata"].is_object() ? current["metadata"] : Json::object();
    if (!change(metadata)) return current;
    const api::Call call = client.patch_call(name, Json{{"metadata", std::move(metadata)}}, {"metadata"});
    try {
      api::wait_for_operation(client, client.send(call), {.timeout = std::chrono::minutes(10)});
      return client.get(name);
    } catch (const Error& error) {
      if (error.kind != Kind::conflict || attempt >= kTries) throw;
      client.clock().sleep(seconds(text::random_unit()));
    }
    current = client.get(name);
  }
}

}  // namespace tpuctl::launch
