A TPU VM and a multislice, from nothing to nothing:

  $ start_emulator
  $ tpuctl config set project my-project
  Updated property [core/project].
  $ tpuctl config set compute/zone us-central2-b
  Updated property [compute/zone].
  $ tpuctl tpu-vm create one --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --autocheckpoint-enabled
  Create request issued for: [one]
  Waiting for operation [projects/my-project/locations/us-central2-b/operations/*] to complete... (glob)
  ...done.
  Created tpu [one].
  $ tpuctl tpu-vm describe one --format='value(state, autocheckpointEnabled)'
  READY\tTrue (esc)
  $ tpuctl queued-resources create pair --node-count=2 --node-prefix=s --accelerator-type=v4-16 --runtime-version=tpu-ubuntu2204-base 2>/dev/null
  $ tpuctl queued-resources wait pair 2>/dev/null
  $ tpuctl tpu-vm list
  NAME  ZONE           ACCELERATOR_TYPE  TYPE  TOPOLOGY  NETWORK  RANGE          STATUS
  one   us-central2-b  v4-8              V4    2x2x1     default  10.128.0.0/20  READY
  s-0   us-central2-b  v4-16             V4    2x2x2     default  10.128.0.0/20  READY
  s-1   us-central2-b  v4-16             V4    2x2x2     default  10.128.0.0/20  READY
  $ tpuctl queued-resources list
  NAME  ZONE           NODE_COUNT  ACCELERATOR_TYPE  TYPE  TOPOLOGY  STATE
  pair  us-central2-b  2           v4-16                             ACTIVE
  $ tpuctl queued-resources delete pair --force --quiet 2>/dev/null
  $ tpuctl tpu-vm delete one --quiet
  Delete request issued for: [one]
  Waiting for operation [projects/my-project/locations/us-central2-b/operations/*] to complete... (glob)
  ...done.
  Deleted tpu [one].
  $ tpuctl tpu-vm list
  Listed 0 items.
