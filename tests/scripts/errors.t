What goes wrong, how it is said, and the exit code. First what is known before any request:

  $ unset CLOUDSDK_CORE_PROJECT
  $ tpuctl tpu-vm list
  ERROR: (tpuctl.tpu-vm.list) The [tpu] resource is not properly specified: no project is set.
  Set it with --project=PROJECT, or for all commands: tpuctl config set project PROJECT
  [1]
  $ tpuctl tpu-vm list --project=p
  ERROR: (tpuctl.tpu-vm.list) The [tpu] resource is not properly specified: no zone is set.
  Set it with --zone=ZONE, or for all commands: tpuctl config set compute/zone ZONE
  [1]
  $ tpuctl tpu-vm describe one --zone=us-central2-b
  ERROR: (tpuctl.tpu-vm.describe) The [tpu] resource is not properly specified: no project is set.
  Set it with --project=PROJECT, or for all commands: tpuctl config set project PROJECT
  [1]
  $ tpuctl tpu-vm list --project=p --zone=us-central2-b --account=nobody@example.com
  ERROR: (tpuctl.tpu-vm.list) gcloud gave no access token for [nobody@example.com]: ERROR: (gcloud.config.config-helper) Your current active account [nobody@example.com] does not have any valid credentials
  Sign in again: gcloud auth login
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
  $ tpuctl tpu-vm create one --version=v --labels=UPPER=x --dry-run
  POST http://127.0.0.1:45911/v2alpha1/projects/emulator/locations/us-central2-b/nodes?alt=json&nodeId=one&requestId=988d2ad1-9a95-483c-a08d-18c6d0ce9f77
  {
    "acceleratorType": "v2-8",
    "autocheckpointEnabled": false,
    "labels": {
      "UPPER": "x"
    },
    "metadata": {},
    "networkConfig": {
      "enableExternalIps": true,
      "network": "default"
    },
    "runtimeVersion": "v",
    "schedulingConfig": {
      "preemptible": false,
      "provisioningModel": "STANDARD",
      "reserved": false,
      "spot": false
    },
    "shieldedInstanceConfig": {
      "enableSecureBoot": false
    }
  }
  $ tpuctl emulator start --speed=fast
  ERROR: (tpuctl.emulator.start) Invalid value for [--speed]: [fast].
  Use a number above 0, e.g. 60.
  [2]

What the service refuses:

  $ tpuctl tpu-vm create Not_A_Name --version=tpu-ubuntu2204-base --accelerator-type=v4-8
  ERROR: (tpuctl.tpu-vm.create) INVALID_ARGUMENT: Invalid node_id "Not_A_Name": must match ^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$
  - '@type': type.googleapis.com/google.rpc.BadRequest
    fieldViolations:
    - description: 'Invalid node_id "Not_A_Name": must match ^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$'
      field: node_id
  [1]
  $ tpuctl tpu-vm create one --version=no-such-version --accelerator-type=v4-8
  ERROR: (tpuctl.tpu-vm.create) INVALID_ARGUMENT: Runtime version 'no-such-version' is not available in zone 'us-central2-b'.
  - '@type': type.googleapis.com/google.rpc.BadRequest
    fieldViolations:
    - description: Runtime version 'no-such-version' is not available in zone 'us-central2-b'.
      field: node.runtime_version
  [1]
  $ tpuctl tpu-vm create one --version=tpu-ubuntu2204-base --accelerator-type=v4-7
  ERROR: (tpuctl.tpu-vm.create) NOT_FOUND: Resource 'projects/emulator/locations/us-central2-b/acceleratorTypes/v4-7' was not found This command is authenticated with an access token from /tmp/tpuctl-test.AEvSSE/emulator/gcloud/emulator-token specified by the [auth/access_token_file] property.
  - '@type': type.googleapis.com/google.rpc.ResourceInfo
    resourceName: projects/emulator/locations/us-central2-b/acceleratorTypes/v4-7
  [3]
  $ tpuctl tpu-vm describe nothing
  ERROR: (tpuctl.tpu-vm.describe) NOT_FOUND: Resource 'projects/emulator/locations/us-central2-b/nodes/nothing' was not found This command is authenticated with an access token from /tmp/tpuctl-test.AEvSSE/emulator/gcloud/emulator-token specified by the [auth/access_token_file] property.
  - '@type': type.googleapis.com/google.rpc.ResourceInfo
    resourceName: projects/emulator/locations/us-central2-b/nodes/nothing
  [3]
  $ tpuctl queued-resources delete nothing --quiet
  ERROR: (tpuctl.queued-resources.delete) NOT_FOUND: Resource 'projects/emulator/locations/us-central2-b/queuedResources/nothing' was not found This command is authenticated with an access token from /tmp/tpuctl-test.AEvSSE/emulator/gcloud/emulator-token specified by the [auth/access_token_file] property.
  - '@type': type.googleapis.com/google.rpc.ResourceInfo
    resourceName: projects/emulator/locations/us-central2-b/queuedResources/nothing
  [3]
  $ tpuctl tpu-vm list --zone=mars-north1-a
  ERROR: (tpuctl.tpu-vm.list) PERMISSION_DENIED: Permission denied on 'locations/mars-north1-a' (or it may not exist). This command is authenticated with an access token from /tmp/tpuctl-test.AEvSSE/emulator/gcloud/emulator-token specified by the [auth/access_token_file] property.
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
  ERROR: (tpuctl.emulator.fault) INVALID_ARGUMENT: Fault [] is not understood: it is empty.
  [1]
  $ tpuctl tpu-vm list
  NAME  ZONE           ACCELERATOR_TYPE  TYPE  TOPOLOGY  NETWORK  RANGE          STATUS
  one   us-central2-b  v4-8              V4    2x2x1     default  10.128.0.0/20  READY
  $ tpuctl tpu-vm describe one
  acceleratorConfig:
    topology: 2x2x1
    type: V4
  acceleratorType: v4-8
  apiVersion: V2
  cidrBlock: 10.128.0.0/20
  createTime: '2026-11-29T22:47:11.432294Z'
  health: HEALTHY
  id: '4000000002127189320'
  name: projects/emulator/locations/us-central2-b/nodes/one
  networkConfig:
    enableExternalIps: true
    network: projects/emulator/global/networks/default
    subnetwork: projects/emulator/regions/us-central2/subnetworks/default
  networkEndpoints:
  - accessConfig:
      externalIp: 127.211.0.1
    ipAddress: 127.211.0.1
    port: 8470
  runtimeVersion: tpu-ubuntu2204-base
  schedulingConfig:
    provisioningModel: STANDARD
  serviceAccount:
    email: 143876553016-compute@developer.gserviceaccount.com
    scope:
    - https://www.googleapis.com/auth/cloud-platform
  shieldedInstanceConfig: {}
  state: READY
  $ tpuctl emulator fault none
  ERROR: (tpuctl.emulator.fault) INVALID_ARGUMENT: Fault [] is not understood: it is empty.
  [1]

As JSON, for programs:

  $ tpuctl tpu-vm describe nothing --format=json
  {"error":{"code":3,"kind":"NOT_FOUND","message":"Resource 'projects/emulator/locations/us-central2-b/nodes/nothing' was not found This command is authenticated with an access token from /tmp/tpuctl-test.AEvSSE/emulator/gcloud/emulator-token specified by the [auth/access_token_file] property.","status":"NOT_FOUND","hint":"","details":[{"@type":"type.googleapis.com/google.rpc.ResourceInfo","resourceName":"projects/emulator/locations/us-central2-b/nodes/nothing"}],"http":404}}
  [3]
  $ tpuctl tpu-vm describe nothing --format=json 2>&1 | python3 -c 'import json, sys; error = json.load(sys.stdin)["error"]; print(sorted(error), error["code"], error["status"])'
  ['code', 'details', 'hint', 'http', 'kind', 'message', 'status'] 3 NOT_FOUND
  $ TPUCTL_ERROR_FORMAT=json tpuctl tpu-vm descrbe one
  {"error":{"code":2,"kind":"USAGE","message":"Invalid choice: 'descrbe'. Did you mean 'describe'?","status":"USAGE","hint":"Run `tpuctl tpu-vm --help` for its commands.","details":[]}}
  [2]
  $ tpuctl tpu-vm list --project='' --format=json
  {"error":{"code":1,"kind":"FAILURE","message":"The [tpu] resource is not properly specified: no project is set.","status":"FAILURE","hint":"Set it with --project=PROJECT, or for all commands: tpuctl config set project PROJECT","details":[]}}
  [1]

Trouble that passes is not seen:

  $ tpuctl emulator fault http:429:1:retry-after=1
  ERROR: (tpuctl.emulator.fault) INVALID_ARGUMENT: Fault [] is not understood: it is empty.
  [1]
  $ tpuctl tpu-vm list --format='value(name)'
  one
  $ tpuctl emulator fault http:503:2
  ERROR: (tpuctl.emulator.fault) INVALID_ARGUMENT: Fault [] is not understood: it is empty.
  [1]
  $ tpuctl tpu-vm list --format='value(name)'
  one
  $ tpuctl emulator fault reset:1
  ERROR: (tpuctl.emulator.fault) INVALID_ARGUMENT: Fault [] is not understood: it is empty.
  [1]
  $ tpuctl tpu-vm list --format='value(name)'
  one
  $ tpuctl emulator fault truncate:1
  ERROR: (tpuctl.emulator.fault) INVALID_ARGUMENT: Fault [] is not understood: it is empty.
  [1]
  $ tpuctl tpu-vm list --format='value(name)'
  one
  $ tpuctl emulator fault lost:1@POST:/queuedResources
  ERROR: (tpuctl.emulator.fault) INVALID_ARGUMENT: Fault [] is not understood: it is empty.
  [1]
  $ tpuctl queued-resources create q --node-id=qn --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base
  Create request issued for: [q]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/operation-1795992432998-9cb75f1d37129-c95e680c-0da2bf18] to complete...
  ...done.
  Created queued_resource [q].
  $ tpuctl queued-resources list --format='value(name)'
  q
  $ tpuctl emulator fault http:503:2@GET:/operations/
  ERROR: (tpuctl.emulator.fault) INVALID_ARGUMENT: Fault [] is not understood: it is empty.
  [1]
  $ tpuctl tpu-vm delete one --quiet
  Delete request issued for: [one]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/operation-1795992434120-83715440463e3-28817a77-783d338c] to complete...
  ...done.
  Deleted tpu [one].

Trouble that stays ends with 7, and how to know more:

  $ tpuctl emulator fault http:503
  ERROR: (tpuctl.emulator.fault) INVALID_ARGUMENT: Fault [] is not understood: it is empty.
  [1]
  $ tpuctl tpu-vm list
  NAME  ZONE           ACCELERATOR_TYPE  TYPE  TOPOLOGY  NETWORK  RANGE          STATUS
  qn    us-central2-b  v4-8              V4    2x2x1     default  10.128.0.0/20  READY
  $ tpuctl emulator fault none http:429:1:retry-after=3600
  ERROR: (tpuctl.emulator.fault) INVALID_ARGUMENT: Fault [] is not understood: it is empty.
  [1]
  $ tpuctl tpu-vm list
  NAME  ZONE           ACCELERATOR_TYPE  TYPE  TOPOLOGY  NETWORK  RANGE          STATUS
  qn    us-central2-b  v4-8              V4    2x2x1     default  10.128.0.0/20  READY
  $ tpuctl emulator fault none
  ERROR: (tpuctl.emulator.fault) INVALID_ARGUMENT: Fault [] is not understood: it is empty.
  [1]
  $ CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU=http://127.0.0.1:1/ tpuctl tpu-vm list
  ERROR: (tpuctl.tpu-vm.list) Cannot reach http://127.0.0.1:1: Failed to connect to 127.0.0.1 port 1 after 0 ms: Couldn't connect to server.
  Check the network and the property api_endpoint_overrides; nothing was changed.
  [7]
  $ tpuctl emulator fault garbage
  ERROR: (tpuctl.emulator.fault) INVALID_ARGUMENT: Fault [] is not understood: it is empty.
  [1]
  $ tpuctl tpu-vm list
  NAME  ZONE           ACCELERATOR_TYPE  TYPE  TOPOLOGY  NETWORK  RANGE          STATUS
  qn    us-central2-b  v4-8              V4    2x2x1     default  10.128.0.0/20  READY
  $ tpuctl emulator fault none unreachable:europe-west4-b
  ERROR: (tpuctl.emulator.fault) INVALID_ARGUMENT: Fault [] is not understood: it is empty.
  [1]
  $ tpuctl tpu-vm list --zone=-
  NAME  ZONE           ACCELERATOR_TYPE  TYPE  TOPOLOGY  NETWORK  RANGE          STATUS
  qn    us-central2-b  v4-8              V4    2x2x1     default  10.128.0.0/20  READY
  $ tpuctl emulator fault none
  ERROR: (tpuctl.emulator.fault) INVALID_ARGUMENT: Fault [] is not understood: it is empty.
  [1]

No capacity, and quota:

  $ tpuctl emulator fault stockout:1
  ERROR: (tpuctl.emulator.fault) INVALID_ARGUMENT: Fault [] is not understood: it is empty.
  [1]
  $ tpuctl tpu-vm create one --version=tpu-ubuntu2204-base --accelerator-type=v4-8
  Create request issued for: [one]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/operation-1795992462516-3e042050a36f5-62dba571-78cfb568] to complete...
  ...done.
  Created tpu [one].
  $ tpuctl tpu-vm list --format='value(name, state)'
  one\tREADY (esc)
  qn\tREADY (esc)
