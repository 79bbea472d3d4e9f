// SPDX-License-Identifier: Apache-2.0
// How requests leave this machine, as the configuration says: proxy, authorities to trust, client certificate, and the
// headers that go with every request to Google.
#pragma once

#include <string>

#include "api/curl.hpp"
#include "api/http.hpp"
#include "base/environment.hpp"
#include "base/time.hpp"
#include "cli/config.hpp"

namespace tpuctl::commands {

/// The proxy in use for https, for people: "HOST:PORT" and who names it; both empty for none.
struct Proxy {
  std::string place{};
  std::string origin{};
  std::string url{};  ///< of proxy/*, with user and password; empty when the environment names it
};
/// Throws Error{failure} when only some of proxy/type, proxy/address and proxy/port are set.
Proxy proxy(const cli::Config& config, const Environment& env);

/// The file of authorities that takes the place of the system's, and who names it.
struct Authorities {
  std::string file{};
  std::string origin{};
};
/// core/custom_ca_certs_file, else CURL_CA_BUNDLE, REQUESTS_CA_BUNDLE (gcloud's), SSL_CERT_FILE. Throws Error{failure} when there is no
/// such file.
Authorities authorities(const cli::Config& config, const Environment& env);

/// The client certificate and its key as PEM files.
struct ClientCertificate {
  std::string certificate{};
  std::string key{};
  std::string origin{};  ///< the certificate configuration that names them
};
/// Empty unless a client certificate is to be shown. Throws Error{denied} when it is, and none can be used.
ClientCertificate client_certificate(const cli::Config& config, const Environment& env);

/// All of it. `patience` other than zero: a request is given up after that time.
api::CurlOptions curl_options(const cli::Config& config, const Environment& env, Duration patience);

/// core/request_reason and core/trace_token.
api::Headers marks(const cli::Config& config);

}  // namespace tpuctl::commands
