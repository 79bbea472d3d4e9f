// SPDX-License-Identifier: Apache-2.0
#include "api/tls.hpp"

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <array>

#include "base/text.hpp"

namespace tpuctl::api {

namespace {

int verdict_index() {
  static const int kIndex = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return kIndex;
}

std::string common_name(const X509_NAME* name) {
  const int at = X509_NAME_get_index_by_NID(name, NID_commonName, -1);
  if (at < 0) return {};
  const ASN1_STRING* text = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, at));
  const auto* bytes = ASN1_STRING_get0_data(text);
  return text::printable(std::string(bytes, bytes + ASN1_STRING_length(text)));
}

int on_verified(int fine, X509_STORE_CTX* store) {
  if (fine) return fine;
  auto* ssl = static_cast<SSL*>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
  auto* verdict = ssl ? static_cast<Verdict*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), verdict_index())) : nullptr;
  if (!verdict || !verdict->reason.empty()) return fine;
  const int error = X509_STORE_CTX_get_error(store);
  verdict->reason = X509_verify_cert_error_string(error);
  verdict->expired = error == X509_V_ERR_CERT_HAS_EXPIRED;
  verdict->not_yet_valid = error == X509_V_ERR_CERT_NOT_YET_VALID;
  if (const X509* certificate = X509_STORE_CTX_get_current_cert(store)) {
    verdict->issuer = common_name(X509_get_issuer_name(certificate));
  }
  return fine;
}

struct Alert {
  std::string_view words;  ///< in OpenSSL's message
  std::string_view message;
  std::string_view hint;
};
constexpr std::string_view kShowOne = "Show a client certificate: tpuctl config set context_aware/use_client_certificate true";
constexpr std::array<Alert, 7> kAlerts = {{
    {"certificate required", "it wants a client certificate, and none was shown", kShowOne},
    {"alert handshake failure", "it refused the TLS handshake", "It may want a client certificate: "
                                                                "tpuctl config set context_aware/use_client_certificate true"},
    {"alert bad certificate", "it refused the client certificate", "See certificate_config.json for the file that was shown."},
    {"alert certificate expired", "the client certificate has expired", "See certificate_config.json for the file that was shown."},
    {"alert unknown ca", "it does not know who issued the client certificate", "See certificate_config.json for the file that was shown."},
    {"alert protocol version", "it speaks no TLS 1.2 or newer", ""},
    {"unsupported protocol", "it speaks no TLS 1.2 or newer", ""},
}};

}  // namespace

void watch_verification(void* ssl_context, Verdict& verdict) {
  auto* context = static_cast<SSL_CTX*>(ssl_context);
  SSL_CTX_set_ex_data(context, verdict_index(), &verdict);
  SSL_CTX_set_verify(context, SSL_CTX_get_verify_mode(context), on_verified);
}

void explain_tls(Failure& failure, const Verdict& verdict, const std::string& ca_file) {
  if (!verdict.reason.empty()) {
    const std::string issuer = verdict.issuer.empty() ? "" : ", issued by [" + verdict.issuer + "],";
    failure.permanent = true;
    failure.phase = Failure::Phase::not_sent;
    if (verdict.expired || verdict.not_yet_valid) {
      failure.message = "its certificate" + issuer + (verdict.expired ? " has expired" : " is not valid yet");
      failure.hint = "If this machine's clock is right, whoever runs the server or the proxy has to renew it.";
      return;
    }
    failure.message = "its certificate" + issuer + " is not trusted " + (ca_file.empty() ? "here" : "by [" + ca_file + "]") + ": " + verdict.reason;
    failure.hint = "Behind a proxy that inspects traffic, trust its root certificate:\n"
                   "  tpuctl config set core/custom_ca_certs_file FILE\n"
                   "or set CURL_CA_BUNDLE or SSL_CERT_FILE to a file of PEM certificates.";
    return;
  }
  const std::string lowered = text::lower(failure.message);
  for (const Alert& alert : kAlerts) {
    if (lowered.find(alert.words) == std::string::npos) continue;
    failure.permanent = true;
    failure.phase = Failure::Phase::not_sent;
    failure.message = alert.message;
    failure.hint = alert.hint;
    return;
  }
}

}  // namespace tpuctl::api
