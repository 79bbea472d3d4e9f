What users see of workers that are not ready for them yet. Real ssh, to workers that are processes of the emulator.

  $ export XDG_RUNTIME_DIR=$TPUCTL_TEST_SCRATCH/run; mkdir -m 700 "$XDG_RUNTIME_DIR"
  $ start_emulator
  $ tpuctl tpu-vm create pod --version=tpu-ubuntu2204-base --accelerator-type=v4-32 --quiet 2>/dev/null
  $ tpuctl tpu-vm ssh pod --worker=all --command=true </dev/null 2>/dev/null
  $ forget() { for socket in "$XDG_RUNTIME_DIR"/tpuctl/*; do ssh -O exit -o ControlPath="$socket" nobody 2>/dev/null; done; true; }
  $ fault() { forget; tpuctl emulator fault "$@" 2>/dev/null; }
  $ on() { tpuctl tpu-vm ssh pod --worker="$1" --command='hostname | sed "s/.*-//"' "${@:2}" </dev/null 2>err | sort; tr -d '\r' <err | sed 's/127[0-9.]*\( port [0-9]*\)*/ADDRESS/; s/tpu[.][0-9][-.a-zA-Z0-9+\/]*/ALIAS/g'" ; s,$TPUCTL_TEST_SCRATCH,SCRATCH,; s/$(id -un)@/USER@/; s/user $(id -un)/user USER/" | awk 'seen[$0]++ { next } /^\[/ { print | "sort"; next } { print }'; }

Connections are refused while a machine boots. What is tried again is told once:

  $ fault refuse:pod/2:3s
  $ on all
  [pod/0] 0
  [pod/1] 1
  [pod/2] 2
  [pod/3] 3
  SSH: Attempting to connect to 4 workers...
  [pod/2] ssh: connect to host ADDRESS: Connection refused
  No connection to pod/2 yet; trying again...
  $ fault refuse:pod/2:3s refuse:pod/0:3s refuse:pod/1:3s refuse:pod/3:3s
  $ on all
  [pod/0] 0
  [pod/1] 1
  [pod/2] 2
  [pod/3] 3
  SSH: Attempting to connect to 4 workers...
  [pod/0] ssh: connect to host ADDRESS: Connection refused
  [pod/1] ssh: connect to host ADDRESS: Connection refused
  [pod/2] ssh: connect to host ADDRESS: Connection refused
  [pod/3] ssh: connect to host ADDRESS: Connection refused
  No connection to pod/0, pod/1, pod/2 and 1 more yet; trying again...
  $ fault refuse:pod/2:3s
  $ on 2
  2
  SSH: Attempting to connect to worker 2...
  ssh: connect to host ADDRESS: Connection refused
  Retrying: SSH command error: [ssh] exited with return code [255].

Logins that take long hold up nobody:

  $ fault late:pod/1:3s
  $ on all
  [pod/0] 0
  [pod/1] 1
  [pod/2] 2
  [pod/3] 3
  SSH: Attempting to connect to 4 workers...
  $ fault heal:pod

A key that was told just now is not known at once; one that was known and is refused is no reason to wait:

  $ fault keys:pod:4s
  $ on all --ssh-key-file=second
  [pod/0] 0
  [pod/1] 1
  [pod/2] 2
  [pod/3] 3
  Making an ssh key pair for Cloud TPU: second
  Propagating SSH public key to all workers of [pod]...
  SSH: Attempting to connect to 4 workers...
  [pod/0] USER@ADDRESS: Permission denied (publickey).
  [pod/1] USER@ADDRESS: Permission denied (publickey).
  [pod/2] USER@ADDRESS: Permission denied (publickey).
  [pod/3] USER@ADDRESS: Permission denied (publickey).
  No connection to pod/0, pod/1, pod/2 and 1 more yet; trying again (a new key takes a moment to arrive)...
  $ fault keys:pod:4s
  $ on 1 --ssh-key-file=third
  1
  Making an ssh key pair for Cloud TPU: third
  Propagating SSH public key to all workers of [pod]...
  SSH: Attempting to connect to worker 1...
  USER@ADDRESS: Permission denied (publickey).
  A new key takes a moment to arrive on the worker.
  Retrying: SSH command error: [ssh] exited with return code [255].
  $ fault heal:pod
  $ : >"$(echo "$TPUCTL_EMULATOR_DIR"/workers/pod-2-*/authorized_keys)"
  $ on all
  [pod/0] 0
  [pod/1] 1
  [pod/3] 3
  SSH: Attempting to connect to 4 workers...
  [pod/2] USER@ADDRESS: Permission denied (publickey).
  ##### Command execution on worker pod/2 could not be reached: no connection (USER@ADDRESS: Permission denied (publickey)).* (glob)
  1 of 4 workers failed; the first was [pod/2], which could not be reached: no connection (USER@ADDRESS: Permission denied (publickey)).
  $ on 2
  SSH: Attempting to connect to worker 2...
  USER@ADDRESS: Permission denied (publickey).
  ERROR: (tpuctl.tpu-vm.ssh) Worker pod/2 refuses the key [SCRATCH/emulator/ssh/key] for user USER.
  Another user: USER@pod. Another key: --ssh-key-file.

Guest attributes are switched off: there are no host keys, so that they are taken on first use:

  $ rm "$CLOUDSDK_SSH_KNOWN_HOSTS_FILE"
  $ fault mute:pod
  $ on 0,1
  [pod/0] 0
  [pod/1] 1
  SSH: Attempting to connect to 2 workers...
  [pod/0] Warning: Permanently added 'ALIAS' (ED25519) to the list of known hosts.
  [pod/1] Warning: Permanently added 'ALIAS' (ED25519) to the list of known hosts.
  $ on 0,1
  [pod/0] 0
  [pod/1] 1
  SSH: Attempting to connect to 2 workers...
  $ fault none

The service itself is slow:

  $ fault slow:1s
  $ on 0
  0
  SSH: Attempting to connect to worker 0...
  $ fault none

A machine stands still, and is healed while it is waited for:

  $ fault hang:pod/3
  $ (sleep 3; tpuctl emulator fault heal:pod/3 2>/dev/null) &
  $ on 1,3
  [pod/1] 1
  [pod/3] 3
  SSH: Attempting to connect to 2 workers...
  $ wait

A host key that is not the one the service tells, or that was there before, is not taken:

  $ change_key() { rm -f other_key*; ssh-keygen -q -t ed25519 -N '' -f other_key; cat other_key >"$(echo "$TPUCTL_EMULATOR_DIR"/workers/pod-1-*/host_key)"; }
  $ fault none; change_key
  $ on 1 | tail -n 2
  ERROR: (tpuctl.tpu-vm.ssh) Worker pod/1 shows another host key than the known one.
  The service tells the known one. If it was changed by hand: --strict-host-key-checking=no
  $ on 1,3 | grep -v '^.pod/1'
  [pod/3] 3
  SSH: Attempting to connect to 2 workers...
  ##### Command execution on worker pod/1 could not be reached: no connection (Host key verification failed).* (glob)
  1 of 2 workers failed; the first was [pod/1], which could not be reached: no connection (Host key verification failed).
  $ fault mute:pod; on 1 | head -n 1
  1
  $ fault mute:pod; change_key
  $ on 1 | tail -n 2
  ERROR: (tpuctl.tpu-vm.ssh) Worker pod/1 shows another host key than the known one.
  If it was changed, forget the old one: ssh-keygen -f SCRATCH/emulator/ssh/known_hosts -R ALIAS
  $ fault none; on 1 --strict-host-key-checking=no | head -n 1
  1
