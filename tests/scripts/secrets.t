Every kind of secret in use, everything told that can be told, and none of it is a secret. All output is kept:

  $ python3 "$REPO/tests/support/network.py" api api; until [ -s api.port ]; do sleep 0.05; done
  $ "$REPO/tests/support/certificates.sh"
  $ python3 "$REPO/tests/support/network.py" api tls --cert good.pem --key good.key; until [ -s tls.port ]; do sleep 0.05; done
  $ python3 "$REPO/tests/support/network.py" proxy proxy --user 'me:proxy-password-of-mine'; until [ -s proxy.port ]; do sleep 0.05; done
  $ base=http://127.0.0.1:$(cat api.port)/
  $ export CLOUDSDK_CORE_PROJECT=my-project CLOUDSDK_AUTH_TOKEN_HOST=${base}token CLOUDSDK_API_ENDPOINT_OVERRIDES_STS=$base
  $ export CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU=$base CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS=$base TPUCTL_ALLOW_UNTRUSTED_CREDENTIAL_URLS=1
  $ export CLOUDSDK_CORE_TRACE_TOKEN=trace-token-of-mine CLOUDSDK_CORE_VERBOSITY=debug CLOUDSDK_CORE_LOG_HTTP=true
  $ kept() { "$@" >>all 2>&1; echo $?; }
  $ with() { kept env GOOGLE_APPLICATION_CREDENTIALS="$1" tpuctl tpu-vm list --zone=z "${@:2}"; }

Tokens of all origins:

  $ kept env CLOUDSDK_AUTH_ACCESS_TOKEN=token-in-variable tpuctl tpu-vm list --zone=z
  0
  $ echo token-in-file >token
  $ kept tpuctl tpu-vm list --zone=z --access-token-file=token
  0
  $ printf '{"type": "authorized_user", "client_id": "c", "client_secret": "client-secret-of-mine", "refresh_token": "refresh-token-of-mine"}' >user.json
  $ with user.json
  0
  $ with user.json --impersonate-service-account=other@p.iam.gserviceaccount.com
  0
  $ openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out key.pem 2>/dev/null
  $ python3 -c 'import json; json.dump({"type": "service_account", "client_email": "robot@p.iam.gserviceaccount.com", "private_key": open("key.pem").read()}, open("key.json", "w"))'
  $ with key.json
  0
  $ CLOUDSDK_AUTH_SERVICE_ACCOUNT_USE_SELF_SIGNED_JWT=true with key.json
  0
  $ echo subject-token-of-mine >subject
  $ printf '{"type": "external_account", "audience": "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x", "subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "token_url": "%stoken", "credential_source": {"file": "%s/subject"}}' "$base" "$PWD" >pool.json
  $ with pool.json
  0

What is refused: a token, a key that is no key, a file that is no JSON:

  $ kept env CLOUDSDK_AUTH_ACCESS_TOKEN=token-in-variable tpuctl tpu-vm list --zone=late
  4
  $ sed 's/PRIVATE KEY/NOTHING/g' key.json >broken.json
  $ with broken.json
  4
  $ printf '{"refresh_token": "refresh-token-of-mine"' >cut.json
  $ with cut.json
  4

A proxy with a password, accounts taken up and given up, and the doctor:

  $ export CLOUDSDK_PROXY_TYPE=http CLOUDSDK_PROXY_ADDRESS=127.0.0.1 CLOUDSDK_PROXY_PORT=$(cat proxy.port) CURL_CA_BUNDLE=ca.pem
  $ export CLOUDSDK_PROXY_USERNAME=me CLOUDSDK_PROXY_PASSWORD=proxy-password-of-mine
  $ CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU=https://127.0.0.1:$(cat tls.port)/ kept env CLOUDSDK_AUTH_ACCESS_TOKEN=token-in-variable tpuctl tpu-vm list --zone=z
  0
  $ CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU=https://127.0.0.1:1/ kept env CLOUDSDK_AUTH_ACCESS_TOKEN=token-in-variable tpuctl doctor
  [17] (re)
  $ with user.json --format=json
  0
  $ printf '{"installed": {"client_id": "my-client", "client_secret": "client-secret-of-mine", "auth_uri": "https://accounts.example/auth"}}' >client.json
  $ BROWSER="$REPO/tests/support/browser.py" kept tpuctl auth login --client-id-file=client.json
  0
  $ kept tpuctl auth activate-service-account --key-file=key.json
  0
  $ kept tpuctl doctor
  0
  $ kept tpuctl auth revoke --all
  0

It was a lot, and nothing in it:

  $ grep -c '^==== request start' all
  [1-9][0-9]+ (re)
  $ grep -c 'Authorization: --- Token Redacted ---' all
  [1-9][0-9]* (re)
  $ cat >secrets <<'LIST'
  > token-in-variable
  > token-in-file
  > access-token-of-mine
  > refresh-token-of-mine
  > client-secret-of-mine
  > trace-token-of-mine
  > subject-token-of-mine
  > token-of-another
  > proxy-password-of-mine
  > eyJ
  > CODE.
  > BEGIN PRIVATE
  > LIST
  $ sed -n 2,4p key.pem | cut -c1-40 >>secrets
  $ grep -nFf secrets all
  [1]

Nor in the arguments of anybody, for none of them ever was one; and the log of the servers shows that they all were used:

  $ sort -u api.log | grep -v GET
  POST /revoke
  POST /token authorization_code
  POST /token jwt-bearer
  POST /token refresh_token
  POST /token token-exchange
  POST /v1/projects/-/serviceAccounts/other@p.iam.gserviceaccount.com:generateAccessToken
  $ kill $(cat ./*.pid)
