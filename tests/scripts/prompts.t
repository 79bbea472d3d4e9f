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
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
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
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
  ...done.
  Deleted tpu [one].
  $ make one
  $ CLOUDSDK_CORE_DISABLE_PROMPTS=1 tpuctl tpu-vm delete one </dev/null
  Delete request issued for: [one]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
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
  Delete its nodes too: --force
  [1]
  $ echo y | tpuctl queued-resources delete pair --force
  You are about to delete queued_resource [pair]
  
  Do you want to continue (Y/n)?  
  Delete request issued for: [pair]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
  ...done.
  Deleted queued_resource [pair].
  $ tpuctl tpu-vm list
  Listed 0 items.

On a terminal the question is answered there:

  $ cat >answer.py <<'PY'
  > import os, pty, sys
  > # answer.py ANSWER COMMAND...: types ANSWER once COMMAND has asked (Y/n)
  > pid, terminal = pty.fork()
  > if pid == 0:
  >     os.execvp(sys.argv[2], sys.argv[2:])
  > text, typed = b"", False
  > while True:
  >     try:
  >         text += os.read(terminal, 4096)
  >     except OSError:
  >         break
  >     if b"(Y/n)?" in text and not typed:
  >         typed = True
  >         os.write(terminal, sys.argv[1].encode() + b"\n")
  > print(text.decode().replace("\r", ""), end="")
  > sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
  > PY
  $ make one
  $ timeout 60 python3 answer.py n tpuctl tpu-vm delete one
  You are about to delete tpu [one]
  
  Do you want to continue (Y/n)?  n
  ERROR: (tpuctl.tpu-vm.delete) Aborted by user.
  [1]
  $ tpuctl tpu-vm describe one --format='value(state)'
  READY
