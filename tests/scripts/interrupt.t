Ctrl-C while waiting: the wait ends, what is going on in the cloud goes on, and the text says how to look and how to undo.
Shells start background jobs with SIGINT ignored, so a small launcher gives it back.

  $ cat >interrupted.py <<'PY'
  > import os, signal, subprocess, sys
  > # interrupted.py SIGNAL WORD COMMAND...: sends SIGNAL to COMMAND once its stderr has said WORD
  > number, word, command = getattr(signal, sys.argv[1]), sys.argv[2], sys.argv[3:]
  > child = subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
  >                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
  > sent = False
  > for line in child.stderr:
  >     if not " after " in line:  # the state, if there was time for a look
  >         print(line, end="", file=sys.stderr, flush=True)
  >     if word in line and not sent:
  >         sent = True
  >         child.send_signal(number)
  > code = child.wait()
  > sys.exit(code if code >= 0 else 128 - code)
  > PY
  $ interrupted() { timeout 60 python3 interrupted.py "$@"; }
  $ start_emulator --speed=5000
  $ tpuctl tpu-vm create made --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --quiet 2>/dev/null
  $ tpuctl emulator stop 2>/dev/null
  $ start_emulator --speed=1
  $ interrupted SIGINT Waiting tpuctl tpu-vm create one --version=tpu-ubuntu2204-base --accelerator-type=v4-8
  Create request issued for: [one]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
  ...interrupted.
  Interrupted.
  The operation goes on in the cloud. Look: tpuctl operations describe projects/emulator/locations/us-central2-b/operations/* (glob)
  Undo: tpuctl tpu-vm delete projects/emulator/locations/us-central2-b/nodes/one
  [130]
  $ tpuctl tpu-vm describe one --format='value(state)'
  CREATING
  $ interrupted SIGINT Waiting tpuctl tpu-vm wait one
  Waiting for [one] to be READY...
  ...interrupted.
  Interrupted.
  [one] stays as it is. Wait on: tpuctl tpu-vm wait projects/emulator/locations/us-central2-b/nodes/one
  Give it up: tpuctl tpu-vm delete projects/emulator/locations/us-central2-b/nodes/one
  [130]
  $ interrupted SIGTERM Waiting tpuctl tpu-vm wait one
  Waiting for [one] to be READY...
  ...interrupted.
  Terminated.
  [one] stays as it is. Wait on: tpuctl tpu-vm wait projects/emulator/locations/us-central2-b/nodes/one
  Give it up: tpuctl tpu-vm delete projects/emulator/locations/us-central2-b/nodes/one
  [143]
  $ interrupted SIGTERM Waiting tpuctl tpu-vm create two --version=tpu-ubuntu2204-base --accelerator-type=v4-8
  Create request issued for: [two]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
  ...interrupted.
  Terminated.
  The operation goes on in the cloud. Look: tpuctl operations describe projects/emulator/locations/us-central2-b/operations/* (glob)
  Undo: tpuctl tpu-vm delete projects/emulator/locations/us-central2-b/nodes/two
  [143]
  $ interrupted SIGINT Waiting tpuctl queued-resources create q --node-id=qn --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base
  Create request issued for: [q]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
  ...interrupted.
  Interrupted.
  The operation goes on in the cloud. Look: tpuctl operations describe projects/emulator/locations/us-central2-b/operations/* (glob)
  Undo: tpuctl queued-resources delete projects/emulator/locations/us-central2-b/queuedResources/q
  [130]
  $ interrupted SIGINT Waiting tpuctl queued-resources wait q
  Waiting for [q] to be ACTIVE...
  ...interrupted.
  Interrupted.
  [q] stays as it is. Wait on: tpuctl queued-resources wait projects/emulator/locations/us-central2-b/queuedResources/q
  Give it up: tpuctl queued-resources delete projects/emulator/locations/us-central2-b/queuedResources/q
  [130]
  $ interrupted SIGINT Waiting tpuctl tpu-vm create three --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --format=json
  Create request issued for: [three]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
  ...interrupted.
  {"error":{"code":130,"kind":"INTERRUPTED","message":"Interrupted.","status":"INTERRUPTED","hint":"The operation goes on in the cloud. Look: tpuctl operations describe projects/emulator/locations/us-central2-b/operations/*\nUndo: tpuctl tpu-vm delete projects/emulator/locations/us-central2-b/nodes/three","details":[]}} (glob)
  [130]

The operation can be found again and waited for, as the text said:

  $ operation=$(tpuctl operations list --filter=metadata.target:nodes/one --format='value(name)')
  $ tpuctl operations describe "$operation" --format='value(metadata.verb, metadata.target, done)'
  create\tprojects/emulator/locations/us-central2-b/nodes/one\t (esc)
  $ interrupted SIGINT Waiting tpuctl operations wait "$operation"
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
  ...interrupted.
  Interrupted.
  The operation goes on in the cloud. Look: tpuctl operations describe projects/emulator/locations/us-central2-b/operations/* (glob)
  Give it up: tpuctl operations cancel projects/emulator/locations/us-central2-b/operations/* (glob)
  [130]

Deleting cannot be undone, and says so:

  $ interrupted SIGINT Waiting tpuctl tpu-vm delete made --quiet
  Delete request issued for: [made]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
  ...interrupted.
  Interrupted.
  The operation goes on in the cloud. Look: tpuctl operations describe projects/emulator/locations/us-central2-b/operations/* (glob)
  A deletion cannot be undone.
  [130]

While a request is resent, too:

  $ tpuctl emulator fault http:503
  Set fault [http:503].
  $ interrupted SIGINT INFO tpuctl tpu-vm list --verbosity=info 2>&1 | grep -v INFO
  Interrupted.
