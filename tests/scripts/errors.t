What goes wrong, how it is said, and the exit code. First what is known before any request:

  $ unset CLOUDSDK_CORE_PROJECT
  $ tpuctl tpu-vm list
  ERROR: (tpuctl.tpu-vm.list) The [tpu] resource is not properly specified: no project is set.
  Set it with --project=PROJECT or CLOUDSDK_CORE_PROJECT, or for all commands: tpuctl config set project PROJECT
  [1]
  $ tpuctl tpu-vm list --project=p
  ERROR: (tpuctl.tpu-vm.list) The [tpu] resource is not properly specified: no zone is set.
  Set it with --zone=ZONE or CLOUDSDK_COMPUTE_ZONE, or for all commands: tpuctl config set compute/zone ZONE
  [1]
  $ tpuctl tpu-vm describe one --zone=us-central2-b
  ERROR: (tpuctl.tpu-vm.describe) The [tpu] resource is not properly specified: no project is set.
  Set it with --project=PROJECT or CLOUDSDK_CORE_PROJECT, or for all commands: tpuctl config set project PROJECT
  [1]
  $ CLOUDSDK_AUTH_ACCESS_TOKEN_FILE=/nothing tpuctl tpu-vm list --project=p --zone=us-central2-b
  ERROR: (tpuctl.tpu-vm.list) The access token file [/nothing] was not found.
  [4]
  $ start_emulator
  $ tpuctl tpu-vm lst
  ERROR: (tpuctl.tpu-vm) Invalid choice: 'lst'. Did you mean 'list'?
  Run `tpuctl tpu-vm --help` for its commands.
  [2]
  $ tpuctl tpuvm list
  ERROR: (tpuctl) Invalid choice: 'tpuvm'. Did you mean 'tpu-vm'?
  Run `tpuctl --help` for its commands.
  [2]
  $ tpuctl tpu-vm list --fromat=json
  ERROR: (tpuctl.tpu-vm.list) unrecognized arguments: --fromat=json (did you mean '--format'?)
  Run `tpuctl tpu-vm list --help` for its flags.
  [2]
  $ tpuctl tpu-vm create one --verison=tpu-ubuntu2204-base
  ERROR: (tpuctl.tpu-vm.create) unrecognized arguments: --verison=tpu-ubuntu2204-base (did you mean '--version'?)
  Run `tpuctl tpu-vm create --help` for its flags.
  [2]
  $ tpuctl tpu-vm create one
  ERROR: (tpuctl.tpu-vm.create) argument --version: Must be specified.
  Run `tpuctl tpu-vm create --help` for its flags.
  [2]
  $ tpuctl tpu-vm describe
  ERROR: (tpuctl.tpu-vm.describe) argument TPU: Must be specified.
  Run `tpuctl tpu-vm describe --help` for its flags.
  [2]
  $ tpuctl tpu-vm describe one two
  ERROR: (tpuctl.tpu-vm.describe) unrecognized arguments: two
  Run `tpuctl tpu-vm describe --help` for its flags.
  [2]
  $ tpuctl tpu-vm describe ''
  ERROR: (tpuctl.tpu-vm.describe) The name of the tpu is empty.
  [2]
  $ tpuctl queued-resources create q --accelerator-type=v4-8 --runtime-version=v --node-count=1
  ERROR: (tpuctl.queued-resources.create) Invalid value for [--node-count]: it must be greater than 1.
  For one node use --node-id=NAME.
  [2]
  $ tpuctl queued-resources create q --accelerator-type=v4-8 --runtime-version=v --node-count=0
  ERROR: (tpuctl.queued-resources.create) Invalid value for [--node-count]: it must be greater than 1.
  For one node use --node-id=NAME.
  [2]
  $ tpuctl queued-resources create q --accelerator-type=v4-8 --runtime-version=v --node-id=n --node-count=2
  ERROR: (tpuctl.queued-resources.create) argument --node-id: Exactly one of (--node-id | --node-count : --node-prefix --workload-type) must be specified.
  Run `tpuctl queued-resources create --help` for its flags.
  [2]
  $ tpuctl queued-resources create q --accelerator-type=v4-8 --runtime-version=v
  ERROR: (tpuctl.queued-resources.create) Exactly one of (--node-id | --node-count : --node-prefix --workload-type) must be specified.
  Run `tpuctl queued-resources create --help` for its flags.
  [2]
  $ tpuctl queued-resources create q --accelerator-type=v4-8 --runtime-version=v --node-id=n --spot --guaranteed
  ERROR: (tpuctl.queued-resources.create) argument --spot: At most one of --spot | --guaranteed | --best-effort can be specified.
  Run `tpuctl queued-resources create --help` for its flags.
  [2]
  $ tpuctl queued-resources create q --accelerator-type=v4-8 --runtime-version=v --node-id=n --valid-until-duration=soon
  ERROR: (tpuctl.queued-resources.create) argument --valid-until-duration: Failed to parse duration: 'soon'. Write a number with a unit, such as 90s, 30m, 6h or 1d12h.
  Run `tpuctl queued-resources create --help` for its flags.
  [2]
  $ tpuctl tpu-vm create one --version=v --accelerator-type=v4-8 --topology=2x2x1 --type=v4
  ERROR: (tpuctl.tpu-vm.create) argument --accelerator-type: At most one of --accelerator-type | --topology --type can be specified.
  Run `tpuctl tpu-vm create --help` for its flags.
  [2]
  $ tpuctl tpu-vm create one --version=v --metadata-from-file=key=nothing-here
  ERROR: (tpuctl.tpu-vm.create) Unable to read file [nothing-here]: No such file or directory.
  [1]
  $ tpuctl tpu-vm create one --version=v --labels=UPPER=x --dry-run | head -1
  POST http://127.0.0.1:*/v2alpha1/projects/emulator/locations/us-central2-b/nodes?alt=json&nodeId=one&requestId=* (glob)
  $ tpuctl emulator start --speed=fast
  ERROR: (tpuctl.emulator.start) Invalid value for [--speed]: [fast].
  Use a number above 0, e.g. 60.
  [2]

What the service refuses:

  $ tpuctl tpu-vm create Not_A_Name --version=tpu-ubuntu2204-base --accelerator-type=v4-8
  ERROR: (tpuctl.tpu-vm.create) [Not_A_Name] cannot be the name of a tpu: it holds 'N'.
  Small letters, digits and dashes are allowed, a letter first: not-a-name
  [2]
  $ tpuctl tpu-vm update one --autocheckpoint-enabled
  ERROR: (tpuctl.tpu-vm.update) Autocheckpoint is chosen when a TPU VM is created and cannot be changed afterwards.
  Delete it and create it again with --autocheckpoint-enabled; see what it has: tpuctl tpu-vm describe one --format='value(autocheckpointEnabled)'
  [2]
  $ tpuctl tpu-vm create one --version=no-such-version --accelerator-type=v4-8
  ERROR: (tpuctl.tpu-vm.create) INVALID_ARGUMENT: Runtime version 'no-such-version' is not available in zone 'us-central2-b'.
  - '@type': type.googleapis.com/google.rpc.BadRequest
    fieldViolations:
    - description: Runtime version 'no-such-version' is not available in zone 'us-central2-b'.
      field: node.runtime_version
  [1]
  $ tpuctl tpu-vm create one --version=tpu-ubuntu2204-base --accelerator-type=v4-7
  ERROR: (tpuctl.tpu-vm.create) NOT_FOUND: Resource 'projects/emulator/locations/us-central2-b/acceleratorTypes/v4-7' was not found. This command is authenticated with an access token from */emulator/gcloud/emulator-token specified by the [auth/access_token_file] property. (glob)
  - '@type': type.googleapis.com/google.rpc.ResourceInfo
    resourceName: projects/emulator/locations/us-central2-b/acceleratorTypes/v4-7
  Asked for was v4-7. What the zone offers: tpuctl accelerator-types list --zone=us-central2-b
  [3]
  $ tpuctl tpu-vm describe nothing
  ERROR: (tpuctl.tpu-vm.describe) NOT_FOUND: Resource 'projects/emulator/locations/us-central2-b/nodes/nothing' was not found. This command is authenticated with an access token from */emulator/gcloud/emulator-token specified by the [auth/access_token_file] property. (glob)
  - '@type': type.googleapis.com/google.rpc.ResourceInfo
    resourceName: projects/emulator/locations/us-central2-b/nodes/nothing
  [3]
  $ tpuctl queued-resources delete nothing --quiet
  ERROR: (tpuctl.queued-resources.delete) NOT_FOUND: Resource 'projects/emulator/locations/us-central2-b/queuedResources/nothing' was not found. This command is authenticated with an access token from */emulator/gcloud/emulator-token specified by the [auth/access_token_file] property. (glob)
  - '@type': type.googleapis.com/google.rpc.ResourceInfo
    resourceName: projects/emulator/locations/us-central2-b/queuedResources/nothing
  [3]
  $ tpuctl tpu-vm list --zone=mars-north1-a
  ERROR: (tpuctl.tpu-vm.list) PERMISSION_DENIED: Permission denied on 'locations/mars-north1-a' (or it may not exist). This command is authenticated with an access token from */emulator/gcloud/emulator-token specified by the [auth/access_token_file] property. (glob)
  - '@type': type.googleapis.com/google.rpc.ErrorInfo
    domain: googleapis.com
    reason: LOCATION_ACCESS_DENIED
  See which zones there are: tpuctl locations list
  [4]
  $ tpuctl tpu-vm create one --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --quiet 2>/dev/null
  $ tpuctl tpu-vm create one --version=tpu-ubuntu2204-base --accelerator-type=v4-8
  ERROR: (tpuctl.tpu-vm.create) ALREADY_EXISTS: Resource 'projects/emulator/locations/us-central2-b/nodes/one' already exists
  - '@type': type.googleapis.com/google.rpc.ResourceInfo
    resourceName: projects/emulator/locations/us-central2-b/nodes/one
  [5]
  $ tpuctl emulator fault http:403:1 http:401:4@GET:/nodes/one$
  Set fault [http:403:1].
  Set fault [http:401:4@GET:/nodes/one$].
  $ tpuctl tpu-vm list
  ERROR: (tpuctl.tpu-vm.list) PERMISSION_DENIED: The emulator was told to answer with 403. This command is authenticated with an access token from */emulator/gcloud/emulator-token specified by the [auth/access_token_file] property. (glob)
  [4]
  $ tpuctl tpu-vm describe one
  ERROR: (tpuctl.tpu-vm.describe) UNAUTHENTICATED: The emulator was told to answer with 401. This command is authenticated with an access token from */emulator/gcloud/emulator-token specified by the [auth/access_token_file] property. (glob)
  The token may have expired: hand over a new one.
  [4]
  $ tpuctl emulator fault none
  Set fault [none].

As JSON, for programs:

  $ tpuctl tpu-vm describe nothing --format=json
  {"error":{"code":3,"kind":"NOT_FOUND","message":"Resource 'projects/emulator/locations/us-central2-b/nodes/nothing' was not found. This command is authenticated with an access token from */emulator/gcloud/emulator-token specified by the [auth/access_token_file] property.","status":"NOT_FOUND","hint":"","details":[{"@type":"type.googleapis.com/google.rpc.ResourceInfo","resourceName":"projects/emulator/locations/us-central2-b/nodes/nothing"}],"http":404}} (glob)
  [3]
  $ tpuctl tpu-vm describe nothing --format=json 2>&1 | python3 -c 'import json, sys; error = json.load(sys.stdin)["error"]; print(sorted(error), error["code"], error["status"])'
  ['code', 'details', 'hint', 'http', 'kind', 'message', 'status'] 3 NOT_FOUND
  $ TPUCTL_ERROR_FORMAT=json tpuctl tpu-vm descrbe one
  {"error":{"code":2,"kind":"USAGE","message":"Invalid choice: 'descrbe'. Did you mean 'describe'?","status":"USAGE","hint":"Run `tpuctl tpu-vm --help` for its commands.","details":[]}}
  [2]
  $ tpuctl tpu-vm list --project='' --format=json
  {"error":{"code":2,"kind":"USAGE","message":"argument --project: the value is empty.","status":"USAGE","hint":"Is a variable not set? Leave the flag away, or give it a value.","details":[]}}
  [2]

Trouble that passes is not seen:

  $ tpuctl emulator fault http:429:1:retry-after=1
  Set fault [http:429:1:retry-after=1].
  $ tpuctl tpu-vm list --format='value(name)'
  one
  $ tpuctl emulator fault http:503:2
  Set fault [http:503:2].
  $ tpuctl tpu-vm list --format='value(name)'
  one
  $ tpuctl emulator fault reset:1
  Set fault [reset:1].
  $ tpuctl tpu-vm list --format='value(name)'
  one
  $ tpuctl emulator fault truncate:1
  Set fault [truncate:1].
  $ tpuctl tpu-vm list --format='value(name)'
  one
  $ tpuctl emulator fault lost:1@POST:/queuedResources
  Set fault [lost:1@POST:/queuedResources].
  $ tpuctl queued-resources create q --node-id=qn --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base
  Create request issued for: [q]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
  ...done.
  Created queued_resource [q].
  $ tpuctl queued-resources list --format='value(name)'
  q
  $ tpuctl emulator fault http:503:2@GET:/operations/
  Set fault [http:503:2@GET:/operations/].
  $ tpuctl tpu-vm delete one --quiet
  Delete request issued for: [one]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
  ...done.
  Deleted tpu [one].

Trouble that stays ends with 7, and how to know more:

  $ tpuctl emulator fault http:503
  Set fault [http:503].
  $ tpuctl tpu-vm list
  ERROR: (tpuctl.tpu-vm.list) UNAVAILABLE: The emulator was told to answer with 503.
  [7]
  $ tpuctl emulator fault none http:429:1:retry-after=3600
  Set fault [none].
  Set fault [http:429:1:retry-after=3600].
  $ tpuctl tpu-vm list
  ERROR: (tpuctl.tpu-vm.list) RESOURCE_EXHAUSTED: The emulator was told to answer with 429.
  The service asks to try again in 1h00m.
  [7]
  $ tpuctl emulator fault none
  Set fault [none].
  $ CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU=http://127.0.0.1:1/ tpuctl tpu-vm list
  ERROR: (tpuctl.tpu-vm.list) Cannot reach http://127.0.0.1:1: Failed to connect to 127.* port 1 after * ms: Couldn't connect to server. (glob)
  Does the emulator run? tpuctl emulator status, tpuctl emulator start
  [7]
  $ tpuctl emulator fault garbage
  Set fault [garbage].
  $ tpuctl tpu-vm list
  ERROR: (tpuctl.tpu-vm.list) The answer of http://127.0.0.1:* is not valid JSON; it begins with [{"name": "projects/]. (glob)
  Is something between you and the service (a proxy, a login page)? --log-http shows the whole answer.
  [1]
  $ tpuctl emulator fault none unreachable:europe-west4-b
  Set fault [none].
  Set fault [unreachable:europe-west4-b].
  $ tpuctl tpu-vm list --zone=-
  NAME  ZONE           ACCELERATOR_TYPE  TYPE  TOPOLOGY  NETWORK  RANGE          STATUS
  qn    us-central2-b  v4-8              V4    2x2x1     default  10.128.0.0/20  READY
  WARNING: The list is not whole. These locations could not be reached: europe-west4-b.
  [1]
  $ tpuctl emulator fault none
  Set fault [none].

No capacity, and quota:

  $ tpuctl emulator fault stockout:1
  Set fault [stockout:1].
  $ tpuctl tpu-vm create one --version=tpu-ubuntu2204-base --accelerator-type=v4-8
  Create request issued for: [one]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
  ...failed.
  ERROR: (tpuctl.tpu-vm.create) RESOURCE_EXHAUSTED: There is no more capacity in the zone "us-central2-b"; you can try in another zone where Cloud TPU Nodes are offered.
  Other zones that offer it: tpuctl accelerator-types list --all-zones --filter=type=v4-8
  Or take it when it is free, in whichever zone: tpuctl queued-resources create --zones=ZONE,ZONE; or try --spot.
  [8]
  $ tpuctl tpu-vm list --format='value(name, state)'
  qn\tREADY (esc)
  $ cat >quota.py <<'PY'
  > import http.server, json
  > # a service whose quota is used up
  > class Service(http.server.BaseHTTPRequestHandler):
  >     def do_POST(self):
  >         body = json.dumps({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED",
  >                                      "message": "Quota limit 'TPUV4sPerProjectPerZone' has been exceeded. Limit: 0 in zone us-central2-b."}}).encode()
  >         self.send_response(429)
  >         self.send_header("Content-Type", "application/json")
  >         self.send_header("Content-Length", str(len(body)))
  >         self.end_headers()
  >         self.wfile.write(body)
  >     def log_message(self, *_):
  >         pass
  > server = http.server.HTTPServer(("127.0.0.1", 0), Service)
  > with open("url.new", "w") as file:
  >     file.write("http://127.0.0.1:%d/" % server.server_port)
  > import os
  > os.rename("url.new", "url")
  > server.handle_request()
  > PY
  $ timeout 60 python3 quota.py &
  $ for i in $(seq 600); do [ -f url ] && break; sleep 0.1; done
  $ CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU=$(cat url) tpuctl tpu-vm create one --version=tpu-ubuntu2204-base --accelerator-type=v4-8
  ERROR: (tpuctl.tpu-vm.create) RESOURCE_EXHAUSTED: Quota limit 'TPUV4sPerProjectPerZone' has been exceeded. Limit: 0 in zone us-central2-b.
  A quota does not heal by waiting, and those of the zone and of the region are counted apart: free what you hold, or ask for more at https://console.cloud.google.com/iam-admin/quotas
  [9]
