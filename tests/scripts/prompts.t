Deleting asks, as gcloud does. The answer is a line of stdin, whether that is a terminal or not:

  $ start_emulator --speed=5000
  $ make() { tpuctl tpu-vm create "$1" --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --quiet 2>/dev/null; }
  $ make one
  $ echo n | tpuctl tpu-vm delete one
  You are about to delete tpu [one]
  
  Do you want to continue (Y/n)?  
  ERROR: (tpuctl.tpu-vm.delete) Aborted by user.
  [1]
  $ echo nonsense | tpuctl tpu-vm delete one
  You are about to delete tpu [one]
  
  Do you want to continue (Y/n)?  Please enter 'y' or 'n':  
  ERROR: (tpuctl.tpu-vm.delete) The question was not answered: there is no more input.
  Add --quiet to go on without being asked.
  [1]
  $ tpuctl tpu-vm delete one </dev/null
  You are about to delete tpu [one]
  
  Do you want to continue (Y/n)?  
  ERROR: (tpuctl.tpu-vm.delete) The question was not answered: there is no more input.
  Add --quiet to go on without being asked.
  [1]
  $ tpuctl tpu-vm describe one --format='value(state)'
  READY
  $ echo y | tpuctl tpu-vm delete one
  You are about to delete tpu [one]
  
  Do you want to continue (Y/n)?  
  Delete request issued for: [one]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/operation-1795992541570-5a7748aee3bef-ba9dd859-5e372671] to complete...
  ...done.
  Deleted tpu [one].
  $ make one
  $ echo YES | tpuctl tpu-vm delete one 2>/dev/null
  $ make one
  $ echo | tpuctl tpu-vm delete one 2>/dev/null
  $ tpuctl tpu-vm describe one 2>/dev/null
  [3]

Whoever says so beforehand is not asked:

  $ make one
  $ tpuctl tpu-vm delete one --quiet </dev/null
  Delete request issued for: [one]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/operation-1795992547813-ce28c87a3a529-2c847270-cd852f6f] to complete...
  ...done.
  Deleted tpu [one].
  $ make one
  $ CLOUDSDK_CORE_DISABLE_PROMPTS=1 tpuctl tpu-vm delete one </dev/null
  Delete request issued for: [one]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/operation-1795992549964-e30dd22e5cb84-6ad555e0-fbdbeef3] to complete...
  ...done.
  Deleted tpu [one].
  $ make one
  $ tpuctl tpu-vm delete one -q </dev/null 2>/dev/null

A queued resource names what goes with it:

  $ tpuctl queued-resources create pair --node-count=2 --node-prefix=s --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base --quiet 2>/dev/null
  $ tpuctl queued-resources wait pair 2>/dev/null
  $ echo n | tpuctl queued-resources delete pair --force
  You are about to delete queued_resource [pair]
  
  Do you want to continue (Y/n)?  
  ERROR: (tpuctl.queued-resources.delete) Aborted by user.
  [1]
  $ echo y | tpuctl queued-resources delete pair
  You are about to delete queued_resource [pair]
  
  Do you want to continue (Y/n)?  
  ERROR: (tpuctl.queued-resources.delete) FAILED_PRECONDITION: Queued resource 'projects/emulator/locations/us-central2-b/queuedResources/pair' is in state ACTIVE and cannot be deleted; use force to also delete its nodes.
  [1]
  $ echo y | tpuctl queued-resources delete pair --force
  You are about to delete queued_resource [pair]
  
  Do you want to continue (Y/n)?  
  Delete request issued for: [pair]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/operation-1795992554282-3fde97624526e-71eafeb0-1b305842] to complete...
  ...done.
  Deleted queued_resource [pair].
  $ tpuctl tpu-vm list
  Listed 0 items.

On a terminal the question is answered there:

  $ make one
  $ echo n | script -qec 'tpuctl tpu-vm delete one' /dev/null | tr -d '\r'
  n
  You are about to delete tpu [one]
  
  Do you want to continue (Y/n)?  ERROR: (tpuctl.tpu-vm.delete) Aborted by user.
  $ tpuctl tpu-vm describe one --format='value(state)'
  READY
