Waiting for a state. A slow emulator first: nothing is ready soon, and waiting ends when it is told to:

  $ start_emulator --speed=1
  $ tpuctl tpu-vm create slow --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --async
  Create request issued for: [slow]
  Check operation [projects/emulator/locations/us-central2-b/operations/*] for status. (glob)
  $ tpuctl tpu-vm wait slow --timeout=1s
  Waiting for [slow] to be READY...
  CREATING after *. (glob)
  ...gave up.
  ERROR: (tpuctl.tpu-vm.wait) [slow] is still CREATING after *. (glob)
  Look at it with: tpuctl tpu-vm describe projects/emulator/locations/us-central2-b/nodes/slow
  [6]
  $ tpuctl tpu-vm describe slow --format='value(state)'
  CREATING
  $ tpuctl tpu-vm create other --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --timeout=1s
  Create request issued for: [other]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
  ...gave up.
  ERROR: (tpuctl.tpu-vm.create) Operation [projects/emulator/locations/us-central2-b/operations/*] has not finished in *. (glob)
  It goes on without tpuctl. Look at it with: tpuctl operations describe projects/emulator/locations/us-central2-b/operations/* (glob)
  [6]
  $ tpuctl tpu-vm wait slow --for=NONSENSE --timeout=1s 2>/dev/null
  [2]
  $ tpuctl tpu-vm wait slow --timeout=soon
  ERROR: (tpuctl.tpu-vm.wait) argument --timeout: Failed to parse duration: 'soon'. Write a number with a unit, such as 90s, 30m, 6h or 1d12h.
  Run `tpuctl tpu-vm wait --help` for its flags.
  [2]
  $ tpuctl tpu-vm wait nothing --timeout=1s
  Waiting for [nothing] to be READY...
  ...failed.
  ERROR: (tpuctl.tpu-vm.wait) NOT_FOUND: Resource 'projects/emulator/locations/us-central2-b/nodes/nothing' was not found. This command is authenticated with an access token from */emulator/gcloud/emulator-token specified by the [auth/access_token_file] property. (glob)
  - '@type': type.googleapis.com/google.rpc.ResourceInfo
    resourceName: projects/emulator/locations/us-central2-b/nodes/nothing
  [3]
  $ tpuctl queued-resources create late --node-id=late --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base --async
  Create request issued for: [late]
  Check operation [projects/emulator/locations/us-central2-b/operations/*] for status. (glob)
  $ tpuctl queued-resources wait late --timeout=1s
  Waiting for [late] to be ACTIVE...
  CREATING after *. (glob)
  ...gave up.
  ERROR: (tpuctl.queued-resources.wait) [late] is still CREATING after *. (glob)
  Look at it with: tpuctl queued-resources describe projects/emulator/locations/us-central2-b/queuedResources/late
  [6]
  $ tpuctl queued-resources wait late --timeout=1s --format=json
  Waiting for [late] to be ACTIVE...
  CREATING after *. (glob)
  ...gave up.
  {"error":{"code":6,"kind":"WAIT","message":"[late] is still CREATING after *.","status":"WAIT","hint":"Look at it with: tpuctl queued-resources describe projects/emulator/locations/us-central2-b/queuedResources/late","details":[]}} (glob)
  [6]

A fast one: the state comes.

  $ tpuctl emulator stop
  Stopping the emulator...
  ...done.
  $ start_emulator --speed=5000
  $ tpuctl tpu-vm create quick --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --async --format=none
  Create request issued for: [quick]
  Check operation [projects/emulator/locations/us-central2-b/operations/*] for status. (glob)
  $ tpuctl tpu-vm wait quick --timeout=60s 2>/dev/null
  $ tpuctl tpu-vm wait quick --for=READY --timeout=60s 2>/dev/null
  $ tpuctl tpu-vm wait quick --for=ready --timeout=60s 2>/dev/null
  $ tpuctl queued-resources create soon --node-id=soon --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base --async --format=none
  Create request issued for: [soon]
  Check operation [projects/emulator/locations/us-central2-b/operations/*] for status. (glob)
  $ tpuctl queued-resources wait soon --timeout=60s 2>/dev/null
  $ tpuctl queued-resources describe soon --format='value(state.state)'
  ACTIVE

A state that cannot come any more ends the wait:

  $ tpuctl emulator fault stockout
  Set fault [stockout].
  $ tpuctl queued-resources create never --node-id=never --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base --valid-until-duration=1h --quiet
  Create request issued for: [never]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
  ...done.
  Created queued_resource [never].
  $ tpuctl queued-resources wait never --timeout=60s
  Waiting for [never] to be ACTIVE...
  FAILED after *. (glob)
  ...gave up.
  ERROR: (tpuctl.queued-resources.wait) [never] is FAILED: There is no more capacity in the zone "us-central2-b"; you can try in another zone where Cloud TPU Nodes are offered.
  Look at it with: tpuctl queued-resources describe projects/emulator/locations/us-central2-b/queuedResources/never
  [6]
  $ tpuctl queued-resources wait never --for=ACTIVE --format=json --timeout=60s
  Waiting for [never] to be ACTIVE...
  FAILED after *. (glob)
  ...gave up.
  {"error":{"code":6,"kind":"WAIT","message":"[never] is FAILED: There is no more capacity in the zone \"us-central2-b\"; you can try in another zone where Cloud TPU Nodes are offered.","status":"WAIT","hint":"Look at it with: tpuctl queued-resources describe projects/emulator/locations/us-central2-b/queuedResources/never","details":[]}}
  [6]
  $ tpuctl emulator fault none
  Set fault [none].

Preempted while waited for, and gone:

  $ tpuctl queued-resources create spot --node-id=spot --spot --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base --quiet 2>/dev/null
  $ tpuctl queued-resources wait spot 2>/dev/null
  $ tpuctl emulator fault preempt:spot
  Set fault [preempt:spot].
  $ tpuctl queued-resources wait spot --for=SUSPENDED --timeout=60s 2>/dev/null
  $ tpuctl queued-resources wait spot --timeout=60s
  Waiting for [spot] to be ACTIVE...
  SUSPENDED after *. (glob)
  ...gave up.
  ERROR: (tpuctl.queued-resources.wait) [spot] is SUSPENDED.
  Look at it with: tpuctl queued-resources describe projects/emulator/locations/us-central2-b/queuedResources/spot
  [6]
  $ tpuctl tpu-vm delete quick --quiet --async
  Delete request issued for: [quick]
  Check operation [projects/emulator/locations/us-central2-b/operations/*] for status. (glob)
  $ tpuctl tpu-vm wait quick --for=deleted --timeout=60s 2>/dev/null
  $ tpuctl tpu-vm wait quick --for=deleted --timeout=60s 2>/dev/null
  $ tpuctl tpu-vm wait quick --timeout=60s
  Waiting for [quick] to be READY...
  ...failed.
  ERROR: (tpuctl.tpu-vm.wait) NOT_FOUND: Resource 'projects/emulator/locations/us-central2-b/nodes/quick' was not found. This command is authenticated with an access token from */emulator/gcloud/emulator-token specified by the [auth/access_token_file] property. (glob)
  - '@type': type.googleapis.com/google.rpc.ResourceInfo
    resourceName: projects/emulator/locations/us-central2-b/nodes/quick
  [3]
