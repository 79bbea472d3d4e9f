Credentials of every kind, against Google's and AWS's identity services on loopback. The helper `seen` says what they were
asked.

  $ mkfifo "$TPUCTL_TEST_SCRATCH/alive"
  $ python3 "$REPO/tests/support/identity.py" "$TPUCTL_TEST_SCRATCH/port" <"$TPUCTL_TEST_SCRATCH/alive" &
  $ exec 9>"$TPUCTL_TEST_SCRATCH/alive"
  $ until [ -s "$TPUCTL_TEST_SCRATCH/port" ]; do sleep 0.05; done
  $ here=http://127.0.0.1:$(cat "$TPUCTL_TEST_SCRATCH/port")
  $ control() { curl -s -o "$TPUCTL_TEST_SCRATCH/out" -d "$1" "$here/control"; }
  $ reset() { curl -s -o "$TPUCTL_TEST_SCRATCH/out" -d '{}' "$here/reset"; }
  $ seen() {
  >   curl -s "$here/log" | python3 -c 'import json, sys
  > for call in json.load(sys.stdin):
  >     form, headers = call.get("form", {}), call["headers"]
  >     told = [form[name] for name in ("subject_token", "scope", "refresh_token") if name in form]
  >     told += [headers[name] for name in ("Authorization", "Metadata-Flavor") if name in headers]
  >     print(call["method"], call["path"].split("?")[0], *told)'
  >   reset
  > }
  $ export CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU=$here/ CLOUDSDK_AUTH_TOKEN_HOST=$here/token
  $ export CLOUDSDK_API_ENDPOINT_OVERRIDES_STS=$here/ CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS=$here/
  $ export CLOUDSDK_CORE_PROJECT=p CLOUDSDK_COMPUTE_ZONE=us-central2-b
  $ list() { tpuctl compute tpus tpu-vm list "$@"; }

GitHub Actions: the file that the workflow's sign-in step writes, and the variables that it sets. The token of the job is fetched,
exchanged, and the service account's asked for with that:

  $ cat >gha-creds-0123456789abcdef.json <<FILE
  > {"universe_domain": "googleapis.com", "type": "external_account",
  >  "audience": "//iam.googleapis.com/projects/123/locations/global/workloadIdentityPools/ci/providers/github",
  >  "subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "token_url": "https://sts.googleapis.com/v1/token",
  >  "service_account_impersonation_url":
  >    "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/ci@p.iam.gserviceaccount.com:generateAccessToken",
  >  "credential_source": {"url": "$here/subject?audience=https://iam.googleapis.com/projects/123",
  >    "headers": {"Authorization": "Bearer request-token-of-the-workflow"},
  >    "format": {"type": "json", "subject_token_field_name": "value"}}}
  > FILE
  $ export GOOGLE_APPLICATION_CREDENTIALS=$PWD/gha-creds-0123456789abcdef.json
  $ export CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE=$GOOGLE_APPLICATION_CREDENTIALS GOOGLE_GHA_CREDS_PATH=$GOOGLE_APPLICATION_CREDENTIALS
  $ list
  Listed 0 items.
  $ seen
  GET /subject Bearer request-token-of-the-workflow
  POST /v1/token subject-0001 https://www.googleapis.com/auth/iam
  POST /v1/projects/-/serviceAccounts/ci@p.iam.gserviceaccount.com:generateAccessToken Bearer federated-token-0002
  GET /v2/projects/p/locations/us-central2-b/nodes Bearer impersonated-token-0003

Tokens that live for three seconds: each request has a new one, from a new subject token.

  $ control '{"life": 3, "subject_life": 3}'
  $ list && list
  Listed 0 items.
  Listed 0 items.
  $ seen | grep -c subject-
  2

A job without the permission, and a pool that is gone:

  $ sed 's/request-token-of-the-workflow/of-yesterday-is-this-token/' "$GOOGLE_APPLICATION_CREDENTIALS" >stale.json
  $ CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE=stale.json list
  ERROR: (tpuctl.tpu-vm.list) No subject token from http://127.0.0.1:*: http://127.0.0.1:* answered HTTP 401 (text/plain). (glob)
  The headers in credential_source were refused. In GitHub Actions the job needs `permissions: id-token: write`, and the file is good for that job only.
  [4]
  $ control '{"answers": {"/v1/token": [{"status": 400, "json": {"error": "invalid_target", "error_description": "The target is not there."}}]}}'
  $ list
  ERROR: (tpuctl.tpu-vm.list) The Security Token Service gave no token for the subject token from http://127.0.0.1:*: invalid_target: The target is not there. (glob)
  The workload identity pool or provider is missing or disabled: check the audience [//iam.googleapis.com/projects/123/locations/global/workloadIdentityPools/ci/providers/github].
  [4]
  $ seen >"$TPUCTL_TEST_SCRATCH/out"

A file that would send tokens elsewhere is not used:

  $ sed 's/sts.googleapis.com/sts.example.com/' "$GOOGLE_APPLICATION_CREDENTIALS" >strange.json
  $ CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE=strange.json list
  ERROR: (tpuctl.tpu-vm.list) Failed to load the credential file [strange.json] (property auth/credential_file_override): token_url [https://sts.example.com/v1/token] is not an address of Google's: a secret could be stolen there.
  If you trust whoever made this file: TPUCTL_ALLOW_UNTRUSTED_CREDENTIAL_URLS=1
  [4]
  $ seen

A token that is refused is replaced once:

  $ control '{"answers": {"/v2/projects/p/locations/us-central2-b/nodes": [{"status": 401, "json": {"error": {"code": 401, "status": "UNAUTHENTICATED", "message": "Expired."}}}, {"json": {}}]}}'
  $ list
  Listed 0 items.
  $ seen | grep /v2/
  GET /v2/projects/p/locations/us-central2-b/nodes Bearer impersonated-token-0003
  GET /v2/projects/p/locations/us-central2-b/nodes Bearer impersonated-token-0006

Impersonation over a user's credential, with a delegate:

  $ unset CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE GOOGLE_GHA_CREDS_PATH
  $ echo '{"type": "authorized_user", "client_id": "client-id", "client_secret": "client-secret", "refresh_token": "refresh-secret"}' >user.json
  $ export GOOGLE_APPLICATION_CREDENTIALS=$PWD/user.json
  $ list --impersonate-service-account=middle@p.com,target@p.com
  WARNING: This command is using service account impersonation. All API calls will be executed as [target@p.com].
  Listed 0 items.
  $ seen
  POST /token refresh-secret
  POST /v1/projects/-/serviceAccounts/target@p.com:generateAccessToken Bearer user-token-0001
  GET /v2/projects/p/locations/us-central2-b/nodes Bearer impersonated-token-0002
  $ control '{"answers": {"/v1/projects/-/serviceAccounts/target@p.com:generateAccessToken": [{"status": 403, "json": {"error": {"code": 403, "status": "PERMISSION_DENIED", "message": "Permission denied."}}}]}}'
  $ CLOUDSDK_AUTH_IMPERSONATE_SERVICE_ACCOUNT=target@p.com list
  WARNING: This command is using service account impersonation. All API calls will be executed as [target@p.com].
  ERROR: (tpuctl.tpu-vm.list) PERMISSION_DENIED: Failed to impersonate [target@p.com]. Make sure the account that's trying to impersonate it has access to the service account itself and the "roles/iam.serviceAccountTokenCreator" role. Permission denied.
  [4]
  $ seen >"$TPUCTL_TEST_SCRATCH/out"

A service account's key, and a clock that is off:

  $ export GOOGLE_APPLICATION_CREDENTIALS=$REPO/tests/unit/auth/data/TEST_ONLY_service_account.json
  $ list
  Listed 0 items.
  $ CLOUDSDK_AUTH_SERVICE_ACCOUNT_USE_SELF_SIGNED_JWT=true tpuctl auth print-access-token | cut -c1-3
  eyJ
  $ control '{"skew": 7200}'
  $ list
  ERROR: (tpuctl.tpu-vm.list) There was a problem refreshing auth tokens for account tpuctl-test@test-project-1.iam.gserviceaccount.com: invalid_grant: Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.
  The clock of this machine is about 7* seconds (*) behind that of http://127.0.0.1:*: set it and try again. (glob)
  [4]
  $ seen >"$TPUCTL_TEST_SCRATCH/out"

A key that is spoiled is told of before anything is sent, and the machine's own settings of OpenSSL do not matter:

  $ sed 's/MIIEvQIB/MIIE/' "$GOOGLE_APPLICATION_CREDENTIALS" >spoiled.json
  $ GOOGLE_APPLICATION_CREDENTIALS=spoiled.json list
  ERROR: (tpuctl.tpu-vm.list) Failed to load the credential file [spoiled.json] (GOOGLE_APPLICATION_CREDENTIALS): the private_key of tpuctl-test@test-project-1.iam.gserviceaccount.com could not be read as an RSA private key (PEM); it may be cut short.
  Make a new key: gcloud iam service-accounts keys create FILE --iam-account=tpuctl-test@test-project-1.iam.gserviceaccount.com
  [4]
  $ seen
  $ OPENSSL_CONF=/nonexistent list
  Listed 0 items.
  $ seen >"$TPUCTL_TEST_SCRATCH/out"

A program of the user's, which must be allowed:

  $ cat >subject <<'PROGRAM'
  > #!/bin/sh
  > echo '{"version": 1, "success": true, "token_type": "urn:ietf:params:oauth:token-type:jwt", "id_token": "subject-of-a-program"}'
  > PROGRAM
  $ chmod +x subject
  $ echo '{"type": "external_account", "audience": "//iam.googleapis.com/x", "subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "credential_source": {"executable": {"command": "'"$PWD"'/subject"}}}' >program.json
  $ export GOOGLE_APPLICATION_CREDENTIALS=$PWD/program.json
  $ list
  ERROR: (tpuctl.tpu-vm.list) The credential wants to run [*/subject] for a subject token; programs need to be allowed. (glob)
  If you trust it: GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1
  [4]
  $ GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1 list
  Listed 0 items.
  $ seen
  POST /v1/token subject-of-a-program https://www.googleapis.com/auth/cloud-platform
  GET /v2/projects/p/locations/us-central2-b/nodes Bearer federated-token-0001

A machine of AWS: its metadata service is asked for a session first, and nothing is asked that the environment knows.

  $ sed 's/"executable".*/"environment_id": "aws1", "region_url": "HERE\/latest\/meta-data\/placement\/availability-zone", "url": "HERE\/latest\/meta-data\/iam\/security-credentials", "imdsv2_session_token_url": "HERE\/latest\/api\/token", "regional_cred_verification_url": "https:\/\/sts.{region}.amazonaws.com?Action=GetCallerIdentity\&Version=2011-06-15"}}/; s/oauth:token-type:jwt/aws:token-type:aws4_request/' program.json | sed "s,HERE,$here,g" >aws.json
  $ export GOOGLE_APPLICATION_CREDENTIALS=$PWD/aws.json
  $ list
  Listed 0 items.
  $ seen | cut -d' ' -f1,2
  PUT /latest/api/token
  GET /latest/meta-data/placement/availability-zone
  GET /latest/meta-data/iam/security-credentials
  GET /latest/meta-data/iam/security-credentials/role-of-the-machine
  POST /v1/token
  GET /v2/projects/p/locations/us-central2-b/nodes
  $ AWS_REGION=eu-west-1 AWS_ACCESS_KEY_ID=AKIDEXAMPLE AWS_SECRET_ACCESS_KEY=aws-secret list
  Listed 0 items.
  $ seen | cut -d' ' -f1,2
  POST /v1/token
  GET /v2/projects/p/locations/us-central2-b/nodes

The service account of a virtual machine. Its metadata server may be late, and is not spoken to through a proxy.

  $ unset GOOGLE_APPLICATION_CREDENTIALS
  $ export GCE_METADATA_HOST=${here#http://}
  $ control '{"answers": {"/computeMetadata/v1/instance/service-accounts/default/token": [{"status": 503, "text": ""}, {"json": {"access_token": "machine-token-late", "expires_in": 3599}}]}, "tokens": {"machine-token-late": 99999999999}}'
  $ http_proxy=http://127.0.0.1:1 no_proxy= tpuctl auth print-access-token
  machine-token-late
  $ seen
  GET /computeMetadata/v1/instance/service-accounts/default/token Google
  GET /computeMetadata/v1/instance/service-accounts/default/token Google
  $ unset GCE_METADATA_HOST

Tokens are kept between commands only when that is asked for, and only the user can read them:

  $ export GOOGLE_APPLICATION_CREDENTIALS=$PWD/user.json XDG_CACHE_HOME=$HOME/cache
  $ list && list
  Listed 0 items.
  Listed 0 items.
  $ seen | grep -c 'POST /token'
  2
  $ ls "$XDG_CACHE_HOME"
  ls: cannot access '*/cache': No such file or directory (glob)
  [2]
  $ export CLOUDSDK_TPU_TOKEN_CACHE=true
  $ list && list
  Listed 0 items.
  Listed 0 items.
  $ seen | grep -c 'POST /token'
  1
  $ stat -c '%a' "$XDG_CACHE_HOME/tpuctl/tokens" "$XDG_CACHE_HOME"/tpuctl/tokens/*.json
  700
  600
  $ unset CLOUDSDK_TPU_TOKEN_CACHE

No secret is on a screen, however much is asked for:

  $ export GOOGLE_APPLICATION_CREDENTIALS=$PWD/gha-creds-0123456789abcdef.json
  $ list --log-http --verbosity=debug >"$TPUCTL_TEST_SCRATCH/all" 2>&1
  $ GOOGLE_APPLICATION_CREDENTIALS=$PWD/user.json list --log-http --verbosity=debug >>"$TPUCTL_TEST_SCRATCH/all" 2>&1
  $ GOOGLE_APPLICATION_CREDENTIALS=$PWD/aws.json list --log-http --verbosity=debug >>"$TPUCTL_TEST_SCRATCH/all" 2>&1
  $ grep -c '^uri: ' "$TPUCTL_TEST_SCRATCH/all"
  12
  $ grep -E 'request-token-of|(federated|impersonated|user)-token|client-secret|refresh-secret|aws-s' "$TPUCTL_TEST_SCRATCH/all"
  [1]
  $ exec 9>&-
