The same resources in every dress:

  $ start_emulator --speed=5000
  $ tpuctl tpu-vm list
  Listed 0 items.
  $ tpuctl tpu-vm list --format=json
  []
  $ tpuctl tpu-vm list --format=yaml
  $ tpuctl tpu-vm list --format='value(name)'
  $ tpuctl tpu-vm create one --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --labels=team=vision --quiet 2>/dev/null
  $ tpuctl queued-resources create two --node-count=2 --node-prefix=s --accelerator-type=v4-16 --runtime-version=tpu-ubuntu2204-base --quiet 2>/dev/null
  $ tpuctl queued-resources wait two 2>/dev/null
  $ tpuctl tpu-vm list --format=default --filter=name:one
  ---
  acceleratorConfig:
    topology: 2x2x1
    type: V4
  acceleratorType: v4-8
  apiVersion: V2
  cidrBlock: 10.128.0.0/20
  createTime: '*' (glob)
  health: HEALTHY
  id: '4000000002127189320'
  labels:
    team: vision
  name: projects/emulator/locations/us-central2-b/nodes/one
  networkConfig:
    enableExternalIps: true
    network: projects/emulator/global/networks/default
    subnetwork: projects/emulator/regions/us-central2/subnetworks/default
  networkEndpoints:
  - accessConfig:
      externalIp: 127.* (glob)
    ipAddress: 127.* (glob)
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
  $ tpuctl tpu-vm list --format='table(name.basename():label=WHO, state, networkEndpoints.len():label=WORKERS:align=right)'
  WHO  STATUS  WORKERS
  one  READY         1
  s-0  READY         2
  s-1  READY         2
  $ tpuctl tpu-vm list --format='table[no-heading](name.basename(), labels.team)'
  one  vision
  s-0
  s-1
  $ tpuctl tpu-vm list --format='table[box,title=TPUs](name.basename(), state)'
  \xe2\x94\x8c\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x90 (esc)
  \xe2\x94\x82      TPUs     \xe2\x94\x82 (esc)
  \xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\xac\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\xa4 (esc)
  \xe2\x94\x82 NAME \xe2\x94\x82 STATUS \xe2\x94\x82 (esc)
  \xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\xbc\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\xa4 (esc)
  \xe2\x94\x82 one  \xe2\x94\x82 READY  \xe2\x94\x82 (esc)
  \xe2\x94\x82 s-0  \xe2\x94\x82 READY  \xe2\x94\x82 (esc)
  \xe2\x94\x82 s-1  \xe2\x94\x82 READY  \xe2\x94\x82 (esc)
  \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\xb4\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x98 (esc)
  $ tpuctl tpu-vm list --format='csv(name.basename(), labels.team, acceleratorType)'
  name,team,accelerator_type
  one,vision,v4-8
  s-0,,v4-16
  s-1,,v4-16
  $ tpuctl tpu-vm list --format='value(name.basename(), labels.team, acceleratorType)'
  one\tvision\tv4-8 (esc)
  s-0\t\tv4-16 (esc)
  s-1\t\tv4-16 (esc)
  $ tpuctl tpu-vm list --format='value[separator=","](name.basename(), state)'
  one,READY
  s-0,READY
  s-1,READY
  $ tpuctl tpu-vm list --format='json(name, state)'
  [
    {
      "name": "projects/emulator/locations/us-central2-b/nodes/one",
      "state": "READY"
    },
    {
      "name": "projects/emulator/locations/us-central2-b/nodes/s-0",
      "state": "READY"
    },
    {
      "name": "projects/emulator/locations/us-central2-b/nodes/s-1",
      "state": "READY"
    }
  ]
  $ tpuctl tpu-vm list --format='yaml(name.basename(), networkEndpoints[].ipAddress)' --limit=2
  ---
  name: one
  networkEndpoints:
  - ipAddress: 127.* (glob)
  ---
  name: s-0
  networkEndpoints:
  - ipAddress: 127.* (glob)
  - ipAddress: 127.* (glob)
  $ tpuctl tpu-vm list --format=text --filter=name:one | sed -n 1,3p
  ---
  acceleratorConfig.topology:                  2x2x1
  acceleratorConfig.type:                      V4
  $ tpuctl tpu-vm list --format='list(name)'
   - one
   - s-0
   - s-1
  $ tpuctl tpu-vm describe one --format='get(acceleratorConfig.topology)'
  2x2x1
  $ tpuctl tpu-vm describe one --format='config(state, acceleratorType)'
  acceleratorType = v4-8
  state = READY
  $ tpuctl tpu-vm list --format=none
  $ tpuctl tpu-vm describe one --format=none
  $ tpuctl tpu-vm list --uri
  http://127.0.0.1:*/v2alpha1/projects/emulator/locations/us-central2-b/nodes/one (glob)
  http://127.0.0.1:*/v2alpha1/projects/emulator/locations/us-central2-b/nodes/s-0 (glob)
  http://127.0.0.1:*/v2alpha1/projects/emulator/locations/us-central2-b/nodes/s-1 (glob)

A resource as JSON and as YAML is the same resource:

  $ tpuctl tpu-vm describe one --format=json | python3 -c 'import json, sys; one = json.load(sys.stdin); print(one["name"], sorted(one) == list(one))'
  projects/emulator/locations/us-central2-b/nodes/one True
  $ tpuctl tpu-vm describe one | sed -n '/^labels/,/^[^ l]/p'
  labels:
    team: vision
  name: projects/emulator/locations/us-central2-b/nodes/one

Filter, order and limit:

  $ tpuctl tpu-vm list --filter='acceleratorType=v4-16 AND NOT name~/s-1$' --format='value(name.basename())'
  s-0
  $ tpuctl tpu-vm list --sort-by=~name --limit=2 --format='value(name.basename())'
  s-1
  s-0
  $ tpuctl tpu-vm list --sort-by=acceleratorType,~name --format='value(acceleratorType, name.basename())'
  v4-16\ts-1 (esc)
  v4-16\ts-0 (esc)
  v4-8\tone (esc)
  $ tpuctl tpu-vm list --flatten='networkEndpoints[]' --filter=name:s-0 --format='value(name.basename(), networkEndpoints.port)'
  s-0\t8470 (esc)
  s-0\t8470 (esc)
  $ tpuctl tpu-vm list --filter=labels.team=nobody
  Listed 0 items.
  $ tpuctl tpu-vm list --filter=labels.team=nobody --format=json
  []

What cannot be understood is a mistake of usage, and no request is made:

  $ tpuctl tpu-vm list --format=jsn
  ERROR: (tpuctl.tpu-vm.list) argument --format: Invalid choice: 'jsn'. Valid choices are [*, json, *] (did you mean 'json'?) (glob)
  `tpuctl help formats` explains them.
  [2]
  $ tpuctl tpu-vm list --format='table(name'
  ERROR: (tpuctl.tpu-vm.list) argument --format: Expected ) in projection expression [table(name *HERE*].
  [2]
  $ tpuctl tpu-vm list --format='value(name.nofunction())'
  ERROR: (tpuctl.tpu-vm.list) argument --format: Unknown transform function nofunction [value(name.nofunction( *HERE* ))].
  [2]
  $ tpuctl tpu-vm list --filter='name='
  ERROR: (tpuctl.tpu-vm.list) argument --filter: Operand expected [name= *HERE*].
  `tpuctl help filters` explains the language.
  [2]
  $ tpuctl tpu-vm list --filter='(name=a'
  ERROR: (tpuctl.tpu-vm.list) argument --filter: Closing ) expected [(name=a *HERE*].
  `tpuctl help filters` explains the language.
  [2]
  $ tpuctl tpu-vm list --limit=0
  ERROR: (tpuctl.tpu-vm.list) argument --limit: Value must be greater than or equal to 1; received: 0
  Run `tpuctl tpu-vm list --help` for its flags.
  [2]
  $ tpuctl tpu-vm list --limit=many
  ERROR: (tpuctl.tpu-vm.list) argument --limit: 'many' is not a whole number.
  Run `tpuctl tpu-vm list --help` for its flags.
  [2]
  $ tpuctl tpu-vm list --format=
  NAME  ZONE           ACCELERATOR_TYPE  TYPE  TOPOLOGY  NETWORK  RANGE          STATUS
  one   us-central2-b  v4-8              V4    2x2x1     default  10.128.0.0/20  READY
  s-0   us-central2-b  v4-16             V4    2x2x2     default  10.128.0.0/20  READY
  s-1   us-central2-b  v4-16             V4    2x2x2     default  10.128.0.0/20  READY

The property core/default_format says it for every command that has no say of its own:

  $ CLOUDSDK_CORE_DEFAULT_FORMAT=json tpuctl tpu-vm describe one | head -1
  {

A reader that leaves early is no error; a full disk is:

  $ head -c 200000 /dev/zero | tr '\0' x >script
  $ for name in a b c; do
  >   tpuctl tpu-vm create $name --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --metadata-from-file=script=script --quiet 2>/dev/null
  > done
  $ (tpuctl tpu-vm list --format=yaml; echo "exit code $?" >code) | head -1
  ---
  $ cat code
  exit code 0
  $ (tpuctl tpu-vm list --format='value(metadata)'; echo "exit code $?" >code) | true
  $ cat code
  exit code 0
  $ tpuctl tpu-vm list >/dev/full
  ERROR: (tpuctl.tpu-vm.list) Cannot write to standard output: No space left on device.
  [1]
  $ tpuctl tpu-vm describe one --format=json >/dev/full
  {"error":{"code":1,"kind":"FAILURE","message":"Cannot write to standard output: No space left on device.","status":"FAILURE","hint":"","details":[]}}
  [1]
  $ tpuctl --version >/dev/full
  ERROR: (tpuctl) Cannot write to standard output: No space left on device.
  [1]
  $ tpuctl help >/dev/full
  ERROR: (tpuctl.help) Cannot write to standard output: No space left on device.
  [1]

Guest attributes are a list like any other:

  $ tpuctl tpu-vm get-guest-attributes one --filter=namespace:tpu --format='value(key, worker_id)'
  hostname	0
  $ tpuctl tpu-vm get-guest-attributes one --sort-by=~key --limit=1 --format='value(key)'
  ssh-ed25519

Output can be switched off, by the flag and by the property:

  $ tpuctl tpu-vm list --no-user-output-enabled
  $ CLOUDSDK_CORE_USER_OUTPUT_ENABLED=false tpuctl tpu-vm list
  $ tpuctl config set compute/region us-central2 --no-user-output-enabled
  $ tpuctl tpu-vm describe nobody --no-user-output-enabled 2>&1 | grep -c ERROR
  1
  $ CLOUDSDK_CORE_USER_OUTPUT_ENABLED=false tpuctl tpu-vm list --user-output-enabled --format='value(name)' --filter=name:one
  one
