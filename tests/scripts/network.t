Networks that are not friendly. Servers of the session, an authority of its own, and who asks what where:

  $ "$REPO/tests/support/certificates.sh"
  $ serve() { python3 "$REPO/tests/support/network.py" "$@"; until [ -s "$2.port" ]; do sleep 0.05; done; }
  $ address() { echo "https://${2:-127.0.0.1}:$(cat "$1.port")/"; }
  $ ask() { CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU=$(address "$1" "$3") tpuctl tpu-vm list --zone="$2"; }
  $ export CLOUDSDK_CORE_PROJECT=my-project CLOUDSDK_AUTH_ACCESS_TOKEN=a-token-of-mine
  $ serve api good --cert good.pem --key good.key

An authority that nobody here knows; the message names it, and what to set:

  $ ask good z
  ERROR: (tpuctl.tpu-vm.list) The request to https://127.0.0.1:* failed: its certificate, issued by [Example Root CA], is not trusted here: unable to get local issuer certificate. (glob)
  Behind a proxy that inspects traffic, trust its root certificate:
    tpuctl config set core/custom_ca_certs_file FILE
  or set CURL_CA_BUNDLE or SSL_CERT_FILE to a file of PEM certificates.
  [1]
  $ CURL_CA_BUNDLE=ca.pem ask good z
  Listed 0 items.
  $ REQUESTS_CA_BUNDLE=ca.pem ask good z
  Listed 0 items.
  $ SSL_CERT_FILE=ca.pem ask good z
  Listed 0 items.
  $ CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE=$PWD/ca.pem ask good z
  Listed 0 items.
  $ SSL_CERT_FILE=other.pem ask good z 2>&1 | head -1
  ERROR: (tpuctl.tpu-vm.list) The request to https://127.0.0.1:* failed: its certificate, issued by [Example Root CA], is not trusted by [other.pem]: unable to get local issuer certificate. (glob)
  $ CURL_CA_BUNDLE=nothing.pem ask good z
  ERROR: (tpuctl.tpu-vm.list) The certificates to trust are not there: [nothing.pem], named by CURL_CA_BUNDLE.
  Correct it, or unset it to trust the system's authorities.
  [1]
  $ tpuctl config set core/custom_ca_certs_file ca.pem
  ERROR: (tpuctl.config.set) Invalid value for property [core/custom_ca_certs_file]: The provided path must be absolute.
  [1]
  $ tpuctl config set core/custom_ca_certs_file "$PWD/ca.pem"
  Updated property [core/custom_ca_certs_file].
  $ CURL_CA_BUNDLE=other.pem ask good z
  Listed 0 items.

Certificates that are no good, and TLS that is too old:

  $ serve api old --cert old.pem --key old.key
  $ ask old z
  ERROR: (tpuctl.tpu-vm.list) The request to https://127.0.0.1:* failed: its certificate, issued by [Example Root CA], has expired. (glob)
  If this machine's clock is right, whoever runs the server or the proxy has to renew it.
  [1]
  $ serve api other --cert other.pem --key other.key
  $ ask other z
  ERROR: (tpuctl.tpu-vm.list) The request to https://127.0.0.1:* failed: SSL: no alternative certificate subject name matches target host name '127.0.0.1'. (glob)
  [1]
  $ serve api ancient --cert good.pem --key good.key --tls TLSv1_1
  $ ask ancient z
  ERROR: (tpuctl.tpu-vm.list) The request to https://127.0.0.1:* failed: it speaks no TLS 1.2 or newer. (glob)
  [1]
  $ grep GET old.log other.log ancient.log
  [1]

IPv6, by address and by a name that has both:

  $ serve api six --cert good.pem --key good.key --host ::1
  $ ask six z '[::1]'
  Listed 0 items.
  $ ask six z localhost
  Listed 0 items.
  $ ask good z localhost
  Listed 0 items.

A service that wants to see a client certificate:

  $ serve api strict --cert good.pem --key good.key --client-ca ca.pem
  $ ask strict z
  ERROR: (tpuctl.tpu-vm.list) The request to https://127.0.0.1:* failed: it wants a client certificate, and none was shown. (glob)
  Show a client certificate: tpuctl config set context_aware/use_client_certificate true
  [1]
  $ tpuctl config set context_aware/use_client_certificate true
  Updated property [context_aware/use_client_certificate].
  $ ask strict z
  ERROR: (tpuctl.tpu-vm.list) No client certificate: [*/home/.config/gcloud/certificate_config.json] was not found. (glob)
  The file must name cert_configs.workload with cert_path and key_path; other sources of client certificates are not supported: use gcloud, or unset context_aware/use_client_certificate.
  [4]
  $ workload() { printf '{"cert_configs": {"workload": {"cert_path": "%s", "key_path": "%s"}}}' "$1" "$2" >"$HOME/.config/gcloud/certificate_config.json"; }
  $ workload "$PWD/me.pem" "$PWD/nothing.key"
  $ ask strict z
  ERROR: (tpuctl.tpu-vm.list) No client certificate: [*/nothing.key], named by [*/home/.config/gcloud/certificate_config.json], was not found. (glob)
  [4]
  $ workload "$PWD/me.pem" "$PWD/me.key"
  $ ask strict z
  Listed 0 items.
  $ grep GET strict.log
  GET /v2alpha1/projects/my-project/locations/z/nodes certificate=me
  $ openssl ec -in me.key -aes128 -passout pass:secret -out locked.key 2>/dev/null
  $ workload "$PWD/me.pem" "$PWD/locked.key"
  $ ask strict z </dev/null 2>&1 | grep -o 'unable to set private key file'
  unable to set private key file
  $ tpuctl config get api_endpoint_overrides/tpu
  (unset)
  Defaults to  https://tpu.mtls.googleapis.com/
  $ tpuctl config unset context_aware/use_client_certificate
  Unset property [context_aware/use_client_certificate].
  $ CLOUDSDK_CORE_UNIVERSE_DOMAIN=example.org tpuctl config get api_endpoint_overrides/storage
  (unset)
  Defaults to  https://storage.example.org/storage/v1/

A proxy that wants a user and a password, named by the environment in both cases:

  $ serve proxy proxy --user 'me:p@ss-w0rd'
  $ proxy=127.0.0.1:$(cat proxy.port)
  $ HTTPS_PROXY=http://$proxy ask good z
  ERROR: (tpuctl.tpu-vm.list) The request to https://127.0.0.1:* failed: the proxy [127.0.0.1:*], named by HTTPS_PROXY, wants another user name and password (HTTP 407). (glob)
  Set proxy/username and proxy/password, or put them into the address: http://USER:PASSWORD@HOST:PORT
  [1]
  $ https_proxy=http://me:p%40ss-w0rd@$proxy ask good z
  Listed 0 items.
  $ HTTPS_PROXY=http://me:p%40ss-w0rd@$proxy ask good z
  Listed 0 items.
  $ HTTPS_PROXY=http://$proxy NO_PROXY=127.0.0.1 ask good z
  Listed 0 items.
  $ https_proxy=http://$proxy no_proxy=127.0.0.1 ask good z
  Listed 0 items.
  $ cut -d' ' -f1,3 proxy.log
  CONNECT 407
  CONNECT 200
  CONNECT 200
  $ https_proxy=http://127.0.0.1:1 ask good z
  ERROR: (tpuctl.tpu-vm.list) Cannot reach https://127.0.0.1:*: the proxy [127.0.0.1:1], named by https_proxy, did not answer: Failed to connect to 127.0.0.1 port 1 after * (glob)
  Correct the proxy, or name the host in NO_PROXY when it is reached without one.
  [7]

Another universe has hosts of its own, and a credential of this one does not go there (a proxy that lets nobody through hears the host):

  $ serve proxy closed --refuse 403
  $ export CLOUDSDK_CORE_UNIVERSE_DOMAIN=example.org HTTPS_PROXY=http://127.0.0.1:$(cat closed.port)
  $ tpuctl tpu-vm list --zone=z 2>&1 | head -1
  ERROR: (tpuctl.tpu-vm.list) * https://tpu.example.org * (glob)
  $ cat closed.log
  CONNECT tpu.example.org:443 403
  $ printf '{"type": "authorized_user", "client_id": "c", "client_secret": "s", "refresh_token": "r"}' >user.json
  $ env -u CLOUDSDK_AUTH_ACCESS_TOKEN GOOGLE_APPLICATION_CREDENTIALS=user.json tpuctl tpu-vm list --zone=z
  ERROR: (tpuctl.tpu-vm.list) Failed to load the credential file [user.json] (GOOGLE_APPLICATION_CREDENTIALS): user credentials exist in the universe googleapis.com only, not in example.org.
  Sign in again: tpuctl auth application-default login
  [4]
  $ cat closed.log
  CONNECT tpu.example.org:443 403
  $ unset CLOUDSDK_CORE_UNIVERSE_DOMAIN HTTPS_PROXY

And by properties, which go before the environment and its exceptions:

  $ export CLOUDSDK_PROXY_TYPE=http CLOUDSDK_PROXY_ADDRESS=127.0.0.1 CLOUDSDK_PROXY_PORT=$(cat proxy.port)
  $ NO_PROXY=127.0.0.1 ask good z 2>&1 | head -1
  ERROR: (tpuctl.tpu-vm.list) The request to https://127.0.0.1:* failed: the proxy [127.0.0.1:*], named by the property proxy/address, wants another user name and password (HTTP 407). (glob)
  $ export CLOUDSDK_PROXY_USERNAME=me CLOUDSDK_PROXY_PASSWORD=p@ss-w0rd
  $ HTTPS_PROXY=http://127.0.0.1:1 ask good z
  Listed 0 items.
  $ tail -1 proxy.log | cut -d' ' -f1,3
  CONNECT 200
  $ CLOUDSDK_PROXY_PORT= ask good z
  ERROR: (tpuctl.tpu-vm.list) Please set all or none of the following properties: proxy/type, proxy/address and proxy/port
  [1]
  $ unset CLOUDSDK_PROXY_TYPE CLOUDSDK_PROXY_ADDRESS CLOUDSDK_PROXY_PORT CLOUDSDK_PROXY_USERNAME CLOUDSDK_PROXY_PASSWORD

The emulator is this machine, and never asked through a proxy:

  $ start_emulator
  $ http_proxy=http://127.0.0.1:1 https_proxy=http://127.0.0.1:1 ALL_PROXY=http://127.0.0.1:1 tpuctl tpu-vm list
  Listed 0 items.
  $ tpuctl emulator stop 2>/dev/null
  $ unset "${!CLOUDSDK_@}"
  $ export CLOUDSDK_CORE_PROJECT=my-project CLOUDSDK_AUTH_ACCESS_TOKEN=a-token-of-mine CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE=$PWD/ca.pem

A redirect is not followed, and no token goes over plain http to somebody else:

  $ ask good moved
  ERROR: (tpuctl.tpu-vm.list) https://127.0.0.1:* answered HTTP 302: {} (glob)
  It points to https://127.0.0.1:*, but redirects are not followed: a credential goes to nobody else. (glob)
  [1]
  $ grep -c elsewhere good.log
  0
  [1]
  $ CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU=http://tpu.example.com/ tpuctl tpu-vm list --zone=z
  ERROR: (tpuctl.tpu-vm.list) An access token is not sent over plain http to [http://tpu.example.com/v2alpha1/projects/my-project/locations/z/nodes?alt=json]. (glob)
  Use https in the endpoint override.
  [4]

An API that is not enabled; a clock that is wrong:

  $ ask good disabled 2>&1 | tail -2
  Enable it with: gcloud services enable tpu.googleapis.com --project=my-project
  or at https://console.developers.google.com/apis/api/tpu.googleapis.com/overview?project=my-project
  $ ask good late 2>&1 | tail -1
  The clock of this machine is about * seconds (*) behind that of https://127.0.0.1:*: set it and try again. (glob)

Whose quota, why, and for whom: headers of the request.

  $ sent() { : >good.log; ask good "${1:-z}" 2>&1; cat good.log; }
  $ sent
  Listed 0 items.
  GET /v2alpha1/projects/my-project/locations/z/nodes
  $ CLOUDSDK_BILLING_QUOTA_PROJECT=payer sent
  Listed 0 items.
  GET /v2alpha1/projects/my-project/locations/z/nodes X-Goog-User-Project=payer
  $ CLOUDSDK_BILLING_QUOTA_PROJECT=CURRENT_PROJECT sent
  Listed 0 items.
  GET /v2alpha1/projects/my-project/locations/z/nodes X-Goog-User-Project=my-project
  $ CLOUDSDK_BILLING_QUOTA_PROJECT=LEGACY sent
  Listed 0 items.
  GET /v2alpha1/projects/my-project/locations/z/nodes
  $ CLOUDSDK_BILLING_QUOTA_PROJECT=CURRENT_PROJECT_WITH_FALLBACK sent denied-project
  Listed 0 items.
  GET /v2alpha1/projects/my-project/locations/denied-project/nodes X-Goog-User-Project=my-project
  GET /v2alpha1/projects/my-project/locations/denied-project/nodes
  $ CLOUDSDK_BILLING_QUOTA_PROJECT=payer sent denied-project | head -1
  ERROR: (tpuctl.tpu-vm.list) PERMISSION_DENIED: Refused: USER_PROJECT_DENIED. This command is authenticated with an access token from the CLOUDSDK_AUTH_ACCESS_TOKEN environment variable.
  $ sent foreign
  WARNING: The credential names no quota project, and the API is not enabled in the one it came with: [my-project] is charged instead. To set it for good: tpuctl config set billing/quota_project my-project
  Listed 0 items.
  GET /v2alpha1/projects/my-project/locations/foreign/nodes
  GET /v2alpha1/projects/my-project/locations/foreign/nodes X-Goog-User-Project=my-project
  $ CLOUDSDK_CORE_REQUEST_REASON='ticket 17' CLOUDSDK_CORE_TRACE_TOKEN=trace-me sent
  Listed 0 items.
  GET /v2alpha1/projects/my-project/locations/z/nodes X-Goog-Request-Reason=ticket 17 Cookie=trace-me

More and more is told, but no secret:

  $ CLOUDSDK_CORE_VERBOSITY=info ask good z
  INFO: This command is authenticated with an access token from the CLOUDSDK_AUTH_ACCESS_TOKEN environment variable.
  Listed 0 items.
  $ CLOUDSDK_CORE_VERBOSITY=debug ask good z
  INFO: This command is authenticated with an access token from the CLOUDSDK_AUTH_ACCESS_TOKEN environment variable.
  DEBUG: GET https://127.0.0.1:*/v2alpha1/projects/my-project/locations/z/nodes?alt=json: HTTP 200 in * ms (glob)
  Listed 0 items.
  $ kill $(cat ./*.pid)
