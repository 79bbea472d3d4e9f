Signing in, on a machine without gcloud. A token endpoint, and a browser that says yes:

  $ python3 "$REPO/tests/support/network.py" api token; until [ -s token.port ]; do sleep 0.05; done
  $ export CLOUDSDK_AUTH_TOKEN_HOST=http://127.0.0.1:$(cat token.port)/token
  $ mkdir tools; for tool in bash cat chmod cut env grep head ls mkdir openssl rm sed sleep stat tail; do ln -s "$(command -v "$tool")" tools/; done
  $ ln -s "$(python3 -c 'import sys; print(sys.executable)')" tools/python3
  $ export PATH=$TPUCTL_TEST_SCRATCH/bin:$PWD/tools

  $ tpuctl auth login
  ERROR: (tpuctl.auth.login) There is no gcloud here to sign in with.
  Install the Google Cloud CLI, or sign in without it:
    with an OAuth client of your own: tpuctl auth login --client-id-file=FILE
    as a service account: tpuctl auth activate-service-account --key-file=FILE
    by workload identity federation: tpuctl auth login --cred-file=FILE, GOOGLE_APPLICATION_CREDENTIALS
    with a token: --access-token-file=FILE, CLOUDSDK_AUTH_ACCESS_TOKEN
  [4]

With an OAuth client of one's own:

  $ printf '{"installed": {"client_id": "my-client", "client_secret": "client-secret-of-mine", "auth_uri": "https://accounts.example/auth"}}' >client.json
  $ printf '{"web": {"client_id": "my-client", "client_secret": "client-secret-of-mine"}}' >web.json
  $ tpuctl auth login --client-id-file=web.json
  ERROR: (tpuctl.auth.login) The client id file [web.json] cannot be used: Only client IDs of type 'installed' are allowed, but encountered type 'web'.
  Make one of the type "Desktop app" at https://console.cloud.google.com/apis/credentials
  [4]
  $ BROWSER="$REPO/tests/support/browser.py" tpuctl auth login --client-id-file=client.json
  Your browser has been opened to visit:
  
      https://accounts.example/auth?response_type=code&client_id=my-client&redirect_uri=http%3A%2F%2F127.0.0.1%3A*%2F&scope=openid%20https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fuserinfo.email%20https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcloud-platform&state=*&access_type=offline&prompt=consent&code_challenge=*&code_challenge_method=S256 (glob)
  
  
  You are now logged in as [me@example.com].
  Your current project is [None].  You can change this setting by running:
    $ tpuctl config set project PROJECT_ID
  $ stat -c '%a %n' "$HOME/.config/gcloud/tpuctl/credentials/"*
  600 */home/.config/gcloud/tpuctl/credentials/me@example.com.json (glob)
  $ ls -A "$HOME/.config/gcloud"
  active_config
  config_sentinel
  configurations
  tpuctl
  $ tpuctl auth list
             Credentialed Accounts
  ACTIVE             ACCOUNT
  *                  me@example.com
  
  To set the active account, run:
      $ tpuctl config set account `ACCOUNT`
  
  $ tpuctl auth print-access-token
  access-token-of-mine
  $ BROWSER="$REPO/tests/support/browser.py" tpuctl auth login you@example.com --client-id-file=client.json 2>&1 | tail -1
  ERROR: (tpuctl.auth.login) You attempted to log in as account [you@example.com] but the received credentials were for account [me@example.com].

Without a browser on this machine, by hand: the whole address, or its code.

  $ pasted() { what=$1; shift; python3 "$REPO/tests/support/browser.py" --paste "$what" tpuctl auth "$@" --client-id-file=client.json --no-launch-browser; }
  $ pasted address login
  You are now logged in as [me@example.com].
  Your current project is [None].  You can change this setting by running:
    $ tpuctl config set project PROJECT_ID
  $ pasted code login | head -1
  You are now logged in as [me@example.com].
  $ pasted other login
  ERROR: (tpuctl.auth.login) You were not signed in: (mismatching_state) the answer belongs to another attempt to sign in.
  Try again from the beginning.
  [4]
  $ pasted nothing login
  ERROR: (tpuctl.auth.login) You were not signed in: the answer holds no code.
  [4]
  $ tpuctl auth login --client-id-file=client.json --no-browser </dev/null 2>&1 | tail -3
  The address, or the code in it:  
  ERROR: (tpuctl.auth.login) The question was not answered: there is no more input.
  Use --access-token-file=FILE and --quiet.
  $ tpuctl auth login --client-id-file=client.json --no-launch-browser --quiet
  ERROR: (tpuctl.auth.login) Signing in without a browser on this machine needs an answer, and questions are off.
  Leave out --quiet.
  [4]

The application default credentials:

  $ tpuctl auth application-default revoke
  Application Default Credentials have not been set up, nothing to revoke.
  $ tpuctl auth application-default set-quota-project payer
  ERROR: (tpuctl.auth.application-default.set-quota-project) Application default credentials have not been set up.
  Make them: tpuctl auth application-default login
  [4]
  $ pasted address application-default login
  Credentials saved to file: [*/home/.config/gcloud/application_default_credentials.json] (glob)
  
  These credentials will be used by any library that requests Application Default Credentials (ADC).
  $ tpuctl auth application-default set-quota-project payer 2>&1 | tail -1
  Quota project "payer" was added to ADC which can be used by Google client libraries for billing and quota. Note that some services may still bill the project owning the resource.
  $ stat -c %a "$HOME/.config/gcloud/application_default_credentials.json"
  600
  $ sed 's/"client_secret": ".*"/"client_secret": "..."/' "$HOME/.config/gcloud/application_default_credentials.json"
  {
    "account": "",
    "client_id": "my-client",
    "client_secret": "...",
    "quota_project_id": "payer",
    "refresh_token": "refresh-token-of-mine",
    "type": "authorized_user",
    "universe_domain": "googleapis.com"
  }
  $ tpuctl auth application-default print-access-token
  access-token-of-mine
  $ echo n | tpuctl auth application-default revoke
  You are about to revoke the credentials stored in: [*/home/.config/gcloud/application_default_credentials.json] (glob)
  
  Do you want to continue (Y/n)?  
  ERROR: (tpuctl.auth.application-default.revoke) Aborted by user.
  [1]
  $ tpuctl auth application-default revoke --quiet
  Credentials revoked.
  $ ls "$HOME/.config/gcloud" | grep default_credentials
  [1]

A service account's key, and a configuration of workload identity federation:

  $ openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out key.pem 2>/dev/null
  $ python3 -c 'import json; json.dump({"type": "service_account", "client_email": "robot@p.iam.gserviceaccount.com", "private_key": open("key.pem").read(), "project_id": "p"}, open("key.json", "w"))'
  $ tpuctl auth activate-service-account other@p.iam.gserviceaccount.com --key-file=key.json
  ERROR: (tpuctl.auth.activate-service-account) Invalid value for [ACCOUNT]: The given account name does not match the account name in the key file.  This argument can be omitted when using .json keys.
  [1]
  $ tpuctl auth activate-service-account --key-file=client.json
  ERROR: (tpuctl.auth.activate-service-account) Failed to load the credential file [*/client.json] * (glob)
  * (glob)
  [4]
  $ tpuctl auth activate-service-account --key-file=key.json --project=my-project
  Activated service account credentials for: [robot@p.iam.gserviceaccount.com]
  $ tpuctl auth print-access-token
  access-token-of-mine
  $ tpuctl auth list --format='value(account, status)' 2>/dev/null
  me@example.com\t (esc)
  robot@p.iam.gserviceaccount.com\t* (esc)
  $ tail -1 token.log
  POST /token jwt-bearer

Giving accounts up; a refresh token is withdrawn, a key cannot be:

  $ tpuctl auth revoke nobody@example.com
  ERROR: (tpuctl.auth.revoke) Unknown value for [accounts]: nobody@example.com
  [1]
  $ tpuctl auth revoke
  WARNING: [robot@p.iam.gserviceaccount.com] appears to be a service account. Service account tokens cannot be revoked, but they will expire automatically. To prevent use of the service account token earlier than the expiration, delete or disable the parent service account. To explicitly delete the key associated with the service account use `gcloud iam service-accounts keys delete` instead`.
  Revoked credentials:
   - robot@p.iam.gserviceaccount.com
  $ tpuctl config get account
  (unset)
  $ tpuctl auth revoke me@example.com
  Revoked credentials:
   - me@example.com
  $ grep -c revoke token.log
  2
  $ tpuctl auth revoke --all
  ERROR: (tpuctl.auth.revoke) Invalid value for [accounts]: No credentials available to revoke.
  [1]

With gcloud on PATH, signing in is gcloud's part, and its exit code is ours:

  $ printf '#!/bin/bash\necho "gcloud $*"; exit 3\n' >tools/gcloud; chmod +x tools/gcloud
  $ tpuctl auth login you@example.com --no-launch-browser --force
  gcloud auth login you@example.com --no-launch-browser --force
  [3]
  $ tpuctl auth application-default login --quiet
  gcloud auth application-default login --quiet
  [3]
  $ mkdir -p "$HOME/.config/gcloud/legacy_credentials/theirs@example.com"
  $ tpuctl auth revoke theirs@example.com
  gcloud auth revoke theirs@example.com --quiet
  [3]
  $ kill "$(cat token.pid)"
