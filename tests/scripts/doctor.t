What stands between a command and the API, on a machine where nothing is set up:

  $ tpuctl doctor
  ok    tpuctl         version * (glob)
  ok    configuration  default (*/home/.config/gcloud/configurations/config_default, not written yet) (glob)
  FAIL  project        The [project] resource is not properly specified: no project is set.
                       Set it with --project=PROJECT or CLOUDSDK_CORE_PROJECT, or for all commands: tpuctl config set project PROJECT
  warn  zone           none is set
                       Give --zone=ZONE each time, or: tpuctl config set compute/zone ZONE
  ok    endpoint       https://tpu.googleapis.com/
  ok    proxy          none
  ok    certificates   of the system
  FAIL  credential     You do not currently have an active account selected.
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
  ok    ssh            OpenSSH_*, key */home/.ssh/google_compute_engine (made at the first use) (glob)
  ok    gcloud         * (glob)
  [1]
  $ ls -A "$HOME"

On an emulator everything is fine:

  $ start_emulator
  $ tpuctl doctor --format='value(check, status)'
  tpuctl\tok (esc)
  configuration\tok (esc)
  project\tok (esc)
  zone\tok (esc)
  endpoint\tok (esc)
  proxy\tok (esc)
  certificates\tok (esc)
  credential\tok (esc)
  credential file\tok (esc)
  quota project\tok (esc)
  token\tok (esc)
  API\tok (esc)
  ssh\tok (esc)
  gcloud\tok (esc)

Who would sign, from which file, for whose quota, through which proxy:

  $ printf '{"type": "authorized_user", "client_id": "c", "client_secret": "client-secret-of-mine", "refresh_token": "refresh-token-of-mine", "quota_project_id": "payer"}' >adc.json
  $ export GOOGLE_APPLICATION_CREDENTIALS=$PWD/adc.json CLOUDSDK_AUTH_TOKEN_HOST=${CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU}token
  $ unset CLOUDSDK_AUTH_ACCESS_TOKEN_FILE CLOUDSDK_CORE_ACCOUNT
  $ HTTPS_PROXY=http://me:p%40ss-w0rd@proxy.example:3128 no_proxy=.example.org tpuctl doctor >screen; echo $?
  0
  $ grep -E '^.{6}(proxy|credential|quota|token)' -A1 screen
  ok    proxy            proxy.example:3128 (HTTPS_PROXY), except for .example.org
  ok    certificates     of the system
  ok    credential       authenticated using the credentials in */adc.json, specified by GOOGLE_APPLICATION_CREDENTIALS (glob)
  warn  credential file  */adc.json can be read by others (glob)
                         chmod 600 */adc.json (glob)
  ok    quota project    payer
  ok    token            good for * (glob)
  ok    API              answers in * ms (glob)
  $ grep -E 'secret-of-mine|token-of-mine|w0rd' screen
  [1]

The exit code is that of the first thing that is wrong:

  $ echo '{"type": "foo"}' >"$PWD/adc.json"
  $ tpuctl doctor --format=json >out.json
  [4]
  $ python3 -c 'import json; print(*[(row["check"], row["detail"]) for row in json.load(open("out.json")) if row["status"] == "fail"])'
  ('credential', 'Failed to load the credential file [*/adc.json] (GOOGLE_APPLICATION_CREDENTIALS): *foo*) (glob)
  $ CLOUDSDK_AUTH_ACCESS_TOKEN=some-token CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU=http://127.0.0.1:1/ tpuctl doctor | grep -A1 FAIL
  FAIL  API            Cannot reach http://127.0.0.1:1: Failed to connect to 127.0.0.1 port 1 after * (glob)
                       Does the emulator run? tpuctl emulator status, tpuctl emulator start
  $ CLOUDSDK_AUTH_ACCESS_TOKEN=some-token CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU=http://127.0.0.1:1/ tpuctl doctor >screen
  [7]
  $ CLOUDSDK_PROXY_TYPE=http CLOUDSDK_AUTH_ACCESS_TOKEN=some-token tpuctl doctor | grep FAIL
  FAIL  proxy          Please set all or none of the following properties: proxy/type, proxy/address and proxy/port
  $ printf '[core\n' >"$CLOUDSDK_CONFIG/configurations/config_default"
  $ tpuctl doctor
  ok    tpuctl         version * (glob)
  FAIL  configuration  */configurations/config_default:1: a [section] header is expected before the first property. (glob)
                       Correct the file by hand; gcloud cannot read it either.
  [1]
