Access tokens, and the accounts they are of. No account and no credential:

  $ tpuctl auth print-access-token
  ERROR: (tpuctl.auth.print-access-token) You do not currently have an active account selected.
  Looked for, in this order:
    a token: --access-token-file=FILE, CLOUDSDK_AUTH_ACCESS_TOKEN, property auth/access_token_file
    a credential file: property auth/credential_file_override, GOOGLE_APPLICATION_CREDENTIALS
    an account: --account, property core/account
    application default credentials: */home/.config/gcloud/application_default_credentials.json (glob)
    the service account of this machine (metadata server)
  Sign in with one of:
    tpuctl auth login
    tpuctl auth application-default login
  To try without a cloud: tpuctl emulator start
  [4]
  $ tpuctl auth application-default print-access-token
  ERROR: (tpuctl.auth.application-default.print-access-token) There are no application default credentials.
  Make them: tpuctl auth application-default login
  [4]
  $ tpuctl auth list
  
  No credentialed accounts.
  
  To login, run:
    $ tpuctl auth login `ACCOUNT`
  
  $ tpuctl auth list --filter=status:ACTIVE --format='value(account)' 2>/dev/null

A token that somebody hands over:

  $ CLOUDSDK_AUTH_ACCESS_TOKEN=from-variable tpuctl auth print-access-token
  from-variable
  $ echo from-file >token
  $ tpuctl auth print-access-token --access-token-file=token
  from-file
  $ tpuctl auth print-access-token --access-token-file=token --format=json
  {
    "token": "from-file"
  }
  $ CLOUDSDK_AUTH_DISABLE_CREDENTIALS=true tpuctl auth print-access-token
  ERROR: (tpuctl.auth.print-access-token) There is no access token. This command is unauthenticated because the [auth/disable_credentials] property is True.
  [4]

Accounts of gcloud, with tokens from the emulator's token endpoint:

  $ start_emulator
  $ unset CLOUDSDK_AUTH_ACCESS_TOKEN_FILE CLOUDSDK_CORE_ACCOUNT
  $ export CLOUDSDK_CONFIG=$HOME/gcloud CLOUDSDK_AUTH_TOKEN_HOST=${CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU}token
  $ person() { mkdir -p "$CLOUDSDK_CONFIG/legacy_credentials/$1"; printf '{"type": "authorized_user", "client_id": "c", "client_secret": "s", "refresh_token": "%s"}' "$1" >"$CLOUDSDK_CONFIG/legacy_credentials/$1/adc.json"; }
  $ person me@example.com
  $ person you@example.com
  $ tpuctl config set account me@example.com
  Updated property [core/account].
  $ tpuctl auth list
   Credentialed Accounts
  ACTIVE  ACCOUNT
  *       me@example.com
          you@example.com
  
  To set the active account, run:
      $ tpuctl config set account `ACCOUNT`
  
  $ tpuctl auth list --filter=status:ACTIVE --format='value(account)'
  me@example.com
  
  To set the active account, run:
      $ tpuctl config set account `ACCOUNT`
  
  $ tpuctl auth list --filter-account=you@example.com --format=json
  [
    {
      "account": "you@example.com",
      "status": ""
    }
  ]
  
  To set the active account, run:
      $ tpuctl config set account `ACCOUNT`
  
  $ tpuctl auth print-access-token | grep -c .
  1
  $ tpuctl auth print-access-token you@example.com | grep -c .
  1
  $ PATH=$TPUCTL_TEST_SCRATCH/bin tpuctl auth print-access-token nobody@example.com
  ERROR: (tpuctl.auth.print-access-token) Your current active account [nobody@example.com] does not have any valid credentials.
  Sign in: tpuctl auth login
  For a service account: tpuctl auth activate-service-account --key-file=FILE
  Or hand over a token: --access-token-file=FILE
  [4]

The credentials that programs find, not the account's:

  $ printf '{"type": "authorized_user", "client_id": "c", "client_secret": "s", "refresh_token": "r"}' >adc.json
  $ GOOGLE_APPLICATION_CREDENTIALS=adc.json tpuctl auth application-default print-access-token | grep -c .
  1
  $ GOOGLE_APPLICATION_CREDENTIALS=nothing.json tpuctl auth application-default print-access-token
  ERROR: (tpuctl.auth.application-default.print-access-token) Failed to load the credential file [nothing.json] (GOOGLE_APPLICATION_CREDENTIALS): it was not found.
  Unset it, or put a credential file there.
  [4]
  $ CLOUDSDK_AUTH_ACCESS_TOKEN=another tpuctl auth application-default print-access-token
  ERROR: (tpuctl.auth.application-default.print-access-token) There are no application default credentials.
  Make them: tpuctl auth application-default login
  [4]
  $ cp adc.json "$CLOUDSDK_CONFIG/application_default_credentials.json"
  $ tpuctl auth application-default print-access-token | grep -c .
  1
