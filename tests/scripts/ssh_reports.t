What people met with other tools when they ran commands on pods. Real ssh, to workers that are processes of the emulator.

  $ export XDG_RUNTIME_DIR=$TPUCTL_TEST_SCRATCH/run; mkdir -m 700 "$XDG_RUNTIME_DIR"
  $ start_emulator
  $ tpuctl tpu-vm create pod --version=tpu-ubuntu2204-base --accelerator-type=v4-32 --quiet 2>/dev/null
  $ forget() { for socket in "$XDG_RUNTIME_DIR"/tpuctl/*; do ssh -O exit -o ControlPath="$socket" nobody 2>/dev/null; done; true; }
  $ on_all() { tpuctl tpu-vm ssh pod --worker=all --command="$1" "${@:2}" </dev/null 2>err | sort; }

No agent is needed for a key without a passphrase:

  $ unset SSH_AUTH_SOCK
  $ on_all 'echo here'
  [pod/0] here
  [pod/1] here
  [pod/2] here
  [pod/3] here

One with a passphrase must be in an agent when several would ask; that is said before anybody is connected to, with and without a terminal:

  $ ssh-keygen -q -t rsa -N secret -f locked
  $ tpuctl tpu-vm ssh pod --worker=all --command=true --ssh-key-file=locked </dev/null
  Propagating SSH public key to all workers of [pod]...
  ERROR: (tpuctl.tpu-vm.ssh) The ssh key [locked] has a passphrase, and ssh-agent does not hold the key.
  Hand it over once: ssh-add locked
  [125]
  $ python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' tpuctl tpu-vm ssh pod --worker=all --command=true --ssh-key-file=locked </dev/null | tr -d '\r' | grep -a passphrase
  ERROR: (tpuctl.tpu-vm.ssh) The ssh key [locked] has a passphrase, and ssh-agent does not hold the key.
  $ eval "$(ssh-agent)" >/dev/null
  $ printf '#!/bin/sh\necho secret\n' >ask; chmod +x ask
  $ DISPLAY=none SSH_ASKPASS=$PWD/ask SSH_ASKPASS_REQUIRE=force ssh-add -q locked </dev/null
  $ on_all 'echo here' --ssh-key-file=locked | wc -l
  4

Many keys in the agent are no trouble, since only the chosen one is offered:

  $ for i in 1 2 3 4 5 6 7 8; do ssh-keygen -q -t ed25519 -N '' -f many$i; ssh-add -q many$i 2>/dev/null; done; ssh-add -q -d locked 2>/dev/null
  $ forget
  $ tpuctl tpu-vm ssh pod --command='echo let in' </dev/null 2>/dev/null
  let in
  $ kill $SSH_AGENT_PID; unset SSH_AUTH_SOCK

Lines stay whole, however they were written, and in order:

  $ on_all 'awk "BEGIN { for (i = 0; i < 2000; i++) printf(\"%04d%0196d%s\", i, 0, i < 1999 ? \"\n\" : \"\") }" | dd bs=7 status=none; echo "on stderr" >&2' >lines
  $ wc -l <lines
  8000
  $ grep -vcE '^\[pod/[0-3]\] [0-9]{200}$' lines
  0
  [1]
  $ tpuctl tpu-vm ssh pod --worker=all --command='seq 2000' </dev/null 2>/dev/null | awk '{ if ($2 != ++next_of[$1]) print "out of order", $0 }'
  $ sort err
  SSH: Attempting to connect to 4 workers...
  [pod/0] on stderr
  [pod/1] on stderr
  [pod/2] on stderr
  [pod/3] on stderr

The local locale stays here:

  $ mkdir -p "$HOME/.ssh"; printf 'Host *\n  SendEnv LANG LC_*\n' >"$HOME/.ssh/config"; forget
  $ env LC_ALL=pt_PT.UTF-8 LANG=pt_PT.UTF-8 tpuctl tpu-vm ssh pod --command='env | grep -E "pt_PT|LC_ALL"; printf ok' </dev/null
  SSH: Attempting to connect to worker 0...
  ok (no-eol)
  $ env LC_ALL=pt_PT.UTF-8 tpuctl tpu-vm ssh pod --worker=all --command='env | grep -c pt_PT; true' </dev/null 2>/dev/null | sort
  [pod/0] 0
  [pod/1] 0
  [pod/2] 0
  [pod/3] 0
  $ rm -r "$HOME/.ssh"

A command reaches the remote shell as it was given, to one worker and to many:

  $ address=$(tpuctl tpu-vm describe pod --format='value(networkEndpoints[0].ipAddress)')
  $ plain() { ssh -n -i "$CLOUDSDK_SSH_KEY_FILE" -p "$CLOUDSDK_SSH_PORT" -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR "$(id -un)@$address" -- "$1"; }
  $ check() { cmp <(plain "$1") <(tpuctl tpu-vm ssh pod --command="$1" </dev/null 2>/dev/null) && cmp <(plain "$1" | sed 's,^,[pod/0] ,') <(tpuctl tpu-vm ssh pod --worker=0,1 --command="$1" </dev/null 2>/dev/null | grep -a 'pod/0') && echo same; }
  $ check 'echo "a  b"'; check "printf '%s\n' \"it's\""; check "echo '\$HOME' \"\$HOME\""; check 'echo `id -un`'
  same
  same
  same
  same
  $ check "echo 'x;y' '*' '\\\\'"; check $'echo one\necho two'; check 'echo ünï'; check 'for i in 1 2; do echo "$i"; done | cat -A; (exit 3)'
  same
  same
  same
  same

The user's own list of hosts is left alone, and many at once write the other one well:

  $ ls "$HOME/.ssh/known_hosts" 2>/dev/null
  [2]
  $ rm "$CLOUDSDK_SSH_KNOWN_HOSTS_FILE"; forget
  $ for i in 1 2 3; do on_all true & done; wait
  $ grep -cE '^tpu\.[0-9]+-[0-3]-[^ ]{6} ssh-ed25519 [A-Za-z0-9+/=]{68} projects/' "$CLOUDSDK_SSH_KNOWN_HOSTS_FILE"; wc -l <"$CLOUDSDK_SSH_KNOWN_HOSTS_FILE"
  4
  4
  $ forget
