Waiting for a state. A slow emulator first: nothing is ready soon, and waiting ends when it is told to:

  $ start_emulator --speed=1
  $ tpuctl tpu-vm create slow --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --async
  $ tpuctl tpu-vm wait slow --timeout=1s
  $ tpuctl tpu-vm describe slow --format='value(state)'
  $ tpuctl tpu-vm create other --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --timeout=1s
  $ tpuctl tpu-vm wait slow --for=NONSENSE
  $ tpuctl tpu-vm wait slow --timeout=soon
  $ tpuctl tpu-vm wait nothing --timeout=1s
  $ tpuctl queued-resources create late --node-id=late --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base --async
  $ tpuctl queued-resources wait late --timeout=1s
  $ tpuctl queued-resources wait late --timeout=1s --format=json

A fast one: the state comes.

  $ tpuctl emulator stop
  $ start_emulator --speed=5000
  $ tpuctl tpu-vm wait slow
  $ tpuctl tpu-vm wait slow --for=READY
  $ tpuctl queued-resources wait late
  $ tpuctl queued-resources describe late --format='value(state.state)'

A state that cannot come any more ends the wait:

  $ tpuctl emulator fault stockout
  $ tpuctl queued-resources create never --node-id=never --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base --valid-until-duration=1h --quiet
  $ tpuctl queued-resources wait never
  $ tpuctl queued-resources wait never --for=ACTIVE --format=json
  $ tpuctl emulator fault none

Preempted while waited for, and gone:

  $ tpuctl queued-resources create spot --node-id=spot --spot --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base --quiet 2>/dev/null
  $ tpuctl queued-resources wait spot 2>/dev/null
  $ tpuctl emulator fault preempt:spot
  $ tpuctl queued-resources wait spot --for=SUSPENDED
  $ tpuctl queued-resources wait spot
  $ tpuctl tpu-vm delete slow --quiet --async
  $ tpuctl tpu-vm wait slow --for=deleted
  $ tpuctl tpu-vm wait slow --for=deleted
  $ tpuctl tpu-vm wait slow
