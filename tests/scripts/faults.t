Trouble that clouds make, as a user meets it.

  $ start_emulator --bucket=my-bucket
  $ make() {
  >   tpuctl queued-resources create "$1" --node-count=2 --node-prefix="$1" --accelerator-type=v4-16 --runtime-version=tpu-ubuntu2204-base --quiet "${@:2}" 2>/dev/null &&
  >     tpuctl queued-resources wait "$1" 2>/dev/null
  > }
  $ on() { tpuctl tpu-vm ssh "${1%/*}" --worker="${1#*/}" --command="$2" </dev/null 2>&1 | grep -v 'SSH\|Making'; }
  $ until_is() { for i in $(seq 300); do [ "$(tpuctl "$1" describe "$2" --format="value($3)" 2>&1)" = "$4" ] && return; sleep 0.1; done; tpuctl "$1" describe "$2"; }

No capacity: a node is refused, a queued resource waits and goes on when there is some.

  $ tpuctl emulator fault shortage
  Set fault [shortage].
  $ tpuctl tpu-vm create n --accelerator-type=v4-8 --version=tpu-ubuntu2204-base --quiet 2>&1 | grep ERROR
  ERROR: (tpuctl.tpu-vm.create) RESOURCE_EXHAUSTED: There is no more capacity in the zone "us-central2-b"; you can try in another zone where Cloud TPU Nodes are offered.
  $ tpuctl queued-resources create late --node-id=late --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base --quiet 2>/dev/null
  $ until_is queued-resources late state.state WAITING_FOR_RESOURCES
  $ sleep 1
  $ tpuctl queued-resources describe late --format='value(state.state)'
  WAITING_FOR_RESOURCES
  $ tpuctl emulator fault none
  Set fault [none].
  $ tpuctl queued-resources wait late 2>/dev/null
  $ tpuctl tpu-vm describe late --format='value(state)'
  READY

A worker that hangs:

  $ make q
  $ on q-0/0 'echo one >file; ls'
  file
  $ tpuctl emulator fault hang:q-0/0
  Set fault [hang:q-0/0].
  $ timeout 2 bash -c 'exec 3<>"/dev/tcp/$0/$CLOUDSDK_SSH_PORT" && head -n 1 <&3' "$(tpuctl tpu-vm describe q-0 --format='value(networkEndpoints[0].ipAddress)')"
  [124]
  $ tpuctl emulator fault heal:q-0
  Set fault [heal:q-0].
  $ on q-0/0 'cat file'
  one

Hardware that fails: other machines in its place, and the other slice is restarted.

  $ on q-1/0 'nohup sleep 97531 >/dev/null 2>&1 & echo started'
  started
  $ before=$(tpuctl tpu-vm describe q-0 --format='value(id)')
  $ tpuctl emulator fault replace:q-0
  Set fault [replace:q-0].
  $ until_is tpu-vm q-0 state REPAIRING
  $ until_is tpu-vm q-0 state READY
  $ until_is tpu-vm q-1 state READY
  $ [ "$before" = "$(tpuctl tpu-vm describe q-0 --format='value(id)')" ]
  [1]
  $ on q-0/0 'ls; echo "$?"'
  TPU VM [q-0] was made anew since the last time: it has other host keys, which are checked.
  0
  $ pgrep -u "$(id -u)" -fx 'sleep 97531'
  [1]

A spot node is reclaimed; and one whose state does not say so.

  $ make spot --spot
  $ on spot-0/0 'curl -s -H "Metadata-Flavor: Google" http://metadata.google.internal/computeMetadata/v1/instance/preempted'
  FALSE
  $ tpuctl emulator fault preempt:spot-0
  Set fault [preempt:spot-0].
  $ until_is queued-resources spot state.state SUSPENDED
  $ make silent --spot
  $ tpuctl emulator fault preempt:silent-1:unseen
  Set fault [preempt:silent-1:unseen].
  $ on silent-1/0 'sleep 1; curl -s -H "Metadata-Flavor: Google" http://metadata.google.internal/computeMetadata/v1/instance/preempted'
  TRUE
  $ for i in $(seq 150); do (exec 3<>"/dev/tcp/$(tpuctl tpu-vm describe silent-1 --format='value(networkEndpoints[0].ipAddress)')/$CLOUDSDK_SSH_PORT") 2>/dev/null || break; sleep 0.1; done
  $ tpuctl tpu-vm describe silent-1 --format='value(state, health)'
  READY\tHEALTHY (esc)
  $ tpuctl queued-resources describe silent --format='value(state.state)'
  ACTIVE

A bucket that refuses, and one with a hiccup:

  $ echo text >file
  $ tpuctl emulator fault 'http:403@*:/b/my-bucket/'
  Set fault [http:403@*:/b/my-bucket/].
  $ tpuctl storage cp file gs://my-bucket/file 2>&1 | tail -1
  ERROR: (tpuctl.storage.cp) * (glob)
  $ tpuctl emulator fault none 'http:503:2@*:/b/my-bucket/' 'slow:500ms@*:/b/my-bucket/'
  Set fault [none].
  Set fault [http:503:2@*:/b/my-bucket/].
  Set fault [slow:500ms@*:/b/my-bucket/].
  $ tpuctl storage cp file gs://my-bucket/file 2>/dev/null
  $ tpuctl storage cat gs://my-bucket/file
  text
