Who logs in, and where: OS Login, and machines that were made anew. Real ssh, to workers that are processes of the emulator.

  $ export XDG_RUNTIME_DIR=$TPUCTL_TEST_SCRATCH/run; mkdir -m 700 "$XDG_RUNTIME_DIR"
  $ start_emulator
  $ forget() { for socket in "$XDG_RUNTIME_DIR"/tpuctl/*; do ssh -O exit -o ControlPath="$socket" nobody 2>/dev/null; done; true; }
  $ make() { tpuctl tpu-vm create "$1" --version=tpu-ubuntu2204-base --accelerator-type=v4-16 --quiet "${@:2}" 2>/dev/null; }
  $ words() { tr -d '\r' | sed "s/$(id -un)/USER/g; s/127[0-9.]*/ADDRESS/; s,$TPUCTL_TEST_SCRATCH,SCRATCH,"; }
  $ on() { tpuctl tpu-vm ssh "$1" --worker=all --command='echo "$USER"' "${@:2}" </dev/null 2>&1 | words | sort; }

With OS Login the account has the keys and says who the user is, whatever the local login name:

  $ make login --metadata=enable-oslogin=TRUE
  $ export LOGNAME=somebody
  $ CLOUDSDK_CORE_ACCOUNT= on login
  ERROR: (tpuctl.tpu-vm.ssh) TPU VM [login] uses OS Login, and no account is set.
  Making an ssh key pair for Cloud TPU: SCRATCH/emulator/ssh/key
  Set it: tpuctl config set account ACCOUNT
  $ export CLOUDSDK_CORE_ACCOUNT=me@example.com
  $ on login
  Propagating SSH public key to all workers of [login]...
  SSH: Attempting to connect to 2 workers...
  [login/0] USER
  [login/1] USER
  $ on login
  SSH: Attempting to connect to 2 workers...
  [login/0] USER
  [login/1] USER
  $ on else@login | grep OS
  Using OS Login user [USER] instead of requested user [else].
  $ on "$(id -un)@login" | grep OS
  [1]

A key in the metadata alone does not open such a machine, and a key that has expired does not either:

  $ forget
  $ ssh-keygen -q -t rsa -N '' -f other
  $ tpuctl tpu-vm update login --update-metadata="ssh-keys=$(id -un):$(cut -d' ' -f1,2 other.pub)" --quiet 2>/dev/null
  $ address=$(tpuctl tpu-vm describe login --format='value(networkEndpoints[0].ipAddress)')
  $ plain() { ssh -n -i "$1" -p "$CLOUDSDK_SSH_PORT" -o BatchMode=yes -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR "$(id -un)@$address" echo let in 2>&1 | words; }
  $ plain other
  USER@ADDRESS: Permission denied (publickey).
  $ on login --ssh-key-file=other --ssh-key-expire-after=10s
  SSH: Attempting to connect to 2 workers...
  [login/0] USER
  [login/1] USER
  $ forget; sleep 11
  $ plain other
  USER@ADDRESS: Permission denied (publickey).
  $ plain "$CLOUDSDK_SSH_KEY_FILE"
  let in
  $ on login --ssh-key-file=other
  SSH: Attempting to connect to 2 workers...
  [login/0] USER
  [login/1] USER
  $ on login --ssh-key-file=other --ssh-key-expire-after=2mo
  ERROR: (tpuctl.tpu-vm.ssh) argument --ssh-key-expire-after: Failed to parse duration: '2mo'. Write a number with a unit, such as 90s, 30m, 6h or 1d12h.
  Run `tpuctl tpu-vm ssh --help` for its flags.
  $ unset LOGNAME CLOUDSDK_CORE_ACCOUNT

A node that was made anew under its old name is another machine. ssh works at once, and says so, once:

  $ make pod
  $ on pod
  Propagating SSH public key to all workers of [pod]...
  SSH: Attempting to connect to 2 workers...
  [pod/0] USER
  [pod/1] USER
  $ sort "$CLOUDSDK_SSH_KNOWN_HOSTS_FILE" | sed 's/tpu.[0-9]*-\(.\)-[^ ]* ssh-ed25519 [^ ]*/\1 KEY/' | grep pod
  0 KEY projects/emulator/locations/us-central2-b/nodes/pod
  1 KEY projects/emulator/locations/us-central2-b/nodes/pod
  $ tpuctl tpu-vm delete pod --quiet 2>/dev/null; make pod
  $ tpuctl tpu-vm ssh pod --worker=1 --command='echo again' </dev/null
  Propagating SSH public key to all workers of [pod]...
  TPU VM [pod] was made anew since the last time: it has other host keys, which are checked.
  SSH: Attempting to connect to worker 1...
  again
  $ on pod
  SSH: Attempting to connect to 2 workers...
  [pod/0] USER
  [pod/1] USER
  $ grep -c pod "$CLOUDSDK_SSH_KNOWN_HOSTS_FILE"
  2

Nor does the user's own folder know of all this:

  $ ls -A "$HOME/.ssh" 2>&1 | words
  ls: cannot access 'SCRATCH/home/.ssh': No such file or directory
