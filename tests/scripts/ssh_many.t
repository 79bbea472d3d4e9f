Commands on many workers, some of which fail, hang, flood or are gone.

  $ start_emulator
  $ tpuctl tpu-vm create pod --version=tpu-ubuntu2204-base --accelerator-type=v4-32 --quiet 2>/dev/null
  $ mkdir -p "$HOME/.ssh" && echo "somebody ssh-rsa AAAA" >"$HOME/.ssh/known_hosts" && cp "$HOME/.ssh/known_hosts" before
  $ all() { tpuctl tpu-vm ssh pod --worker=all "$@"; }
  $ all --command=true </dev/null 2>/dev/null
  $ wc -l <"$CLOUDSDK_SSH_KNOWN_HOSTS_FILE"
  4
  $ cmp before "$HOME/.ssh/known_hosts"

The first failure is told with its last lines, and everybody has his turn:

  $ all --command='n=$(hostname); case $n in *-1) echo before; echo "no chips" >&2; exit 9 ;; esac; sleep 2; echo done' </dev/null 2>err | sort
  [pod/0] done
  [pod/1] before
  [pod/2] done
  [pod/3] done
  $ grep -v '^SSH\|^\[' err
  ##### Command execution on worker pod/1 failed with exit status 9. Continuing.
  1 of 4 workers failed; the first was [pod/1], which failed with exit status 9. Its last lines:
    * (glob)
    * (glob)
  $ grep '^  ' err | sort
    before
    no chips

With --fail-fast nobody goes on, neither here nor there:

  $ all --fail-fast --command='case $(hostname) in *-2) exit 5 ;; esac; sleep 86421' </dev/null 2>err
  [5]
  $ sort err
  ##### Command execution on worker pod/2 failed with exit status 5. Continuing.
  4 of 4 workers failed; the first was [pod/2], which failed with exit status 5.
  Ending the command on 3 workers...
  SSH: Attempting to connect to 4 workers...
  $ pgrep -f 'sleep 8642[1]'
  [1]

A time limit and Ctrl-C end the command on the workers too:

  $ all --worker-timeout=4s --command='sleep 86422' </dev/null 2>/dev/null
  [6]
  $ pgrep -f 'sleep 8642[2]'
  [1]
  $ running() { until [ "$(pgrep -fc "sleep $1")" -ge "$2" ]; do sleep 0.1; done; }
  $ all --command='sleep 86423' </dev/null 2>err & pid=$!
  $ running '8642[3]' 8 && kill -INT $pid; wait $pid
  [130]
  $ grep -v '^SSH' err
  Ending the command on 4 workers...
  ERROR: (tpuctl.tpu-vm.ssh) Interrupted.
  $ pgrep -f 'sleep 8642[3]'
  [1]
  $ tpuctl tpu-vm ssh pod --worker=3 --command='sleep 86424' </dev/null 2>err & pid=$!
  $ running '8642[4]' 2 && kill -TERM $pid; wait $pid
  [143]
  $ pgrep -f 'sleep 8642[4]'
  [1]

A worker that floods drowns nobody, lines stay whole, and log files have every byte:

  $ all --command='case $(hostname) in *-0) yes 0123456789012345678901234567890123456789 | head -n 300000 ;; *) for i in 1 2 3; do printf "a"; sleep 0.1; printf "b\n"; done ;; esac; printf end' </dev/null 2>/dev/null >out
  $ grep -v '^\[pod/0\] 0123456789012345678901234567890123456789$' out | sort | uniq -c | sed 's/^ *//'
  1 [pod/0] end
  3 [pod/1] ab
  1 [pod/1] end
  3 [pod/2] ab
  1 [pod/2] end
  3 [pod/3] ab
  1 [pod/3] end
  $ grep -c '^\[pod/0\] 0' out
  300000
  $ mkdir logs
  $ strange='head -c 3000000 /dev/zero | tr "\0" x; for i in 1 2 3 4 5 6 7 8 9; do printf "%s%%\r" $i; done; printf "\0\0"; echo end'
  $ all --output-directory=logs --command="$strange" </dev/null 2>/dev/null
  $ bash -c "$strange" >wanted; for i in 0 1 2 3; do cmp wanted logs/$i.log; done

A stdin that never ends holds up nobody who does not read it:

  $ mkfifo endless && exec 9<>endless
  $ all --command='echo fine' <endless 2>/dev/null | sort | uniq -c | sed 's/^ *//'
  1 [pod/0] fine
  1 [pod/1] fine
  1 [pod/2] fine
  1 [pod/3] fine
  $ exec 9>&-
  $ head -c 3000000 /dev/urandom >blob
  $ all --command='case $(hostname) in *-3) exec sleep 1 ;; esac; cksum' <blob 2>/dev/null | sort | sed "s/$(cksum <blob)/ALL OF IT/"
  [pod/0] ALL OF IT
  [pod/1] ALL OF IT
  [pod/2] ALL OF IT

Workers in trouble. One refuses connections for a while, and is tried again; one is slow; one hangs:

  $ fresh() { mkdir -p "$PWD/$1" && chmod 700 "$PWD/$1" && export XDG_RUNTIME_DIR=$PWD/$1; }  # no connections to share
  $ fresh run1
  $ tpuctl emulator fault refuse:pod/1:2s late:pod/2:1s 2>/dev/null
  $ all --command='echo here' </dev/null 2>/dev/null | sort
  [pod/0] here
  [pod/1] here
  [pod/2] here
  [pod/3] here
  $ fresh run2
  $ tpuctl emulator fault heal:pod hang:pod/3 2>/dev/null
  $ all --worker-timeout=20s --command='echo here' </dev/null 2>err | sort
  [pod/0] here
  [pod/1] here
  [pod/2] here
  $ tail -n 1 err
  1 of 4 workers failed; the first was [pod/3], which did not end within its time limit.
  $ tpuctl emulator fault heal:pod 2>/dev/null

A key that is refused is told at once, unless it is so new that the worker may not know it yet:

  $ fresh run3
  $ for keys in "$TPUCTL_EMULATOR_DIR"/workers/pod-2-*/authorized_keys; do cp "$keys" keys && : >"$keys"; done
  $ all --command='echo meow' </dev/null 2>err | sort
  [pod/0] meow
  [pod/1] meow
  [pod/3] meow
  $ grep '^#' err
  ##### Command execution on worker pod/2 could not be reached: no connection (*: Permission denied (publickey).). Continuing. (glob)
  $ tpuctl tpu-vm ssh pod --worker=2 --command=true </dev/null 2>&1 | grep -v '^SSH\|Permission'
  ERROR: (tpuctl.tpu-vm.ssh) No connection to worker pod/2.
  Is the machine up (tpuctl tpu-vm describe), and port 22 open for you? --internal-ip takes the internal address, --tunnel-through-iap needs no address.
  $ cp keys "$keys"
  $ fresh run4
  $ tpuctl emulator fault keys:pod:2s 2>/dev/null
  $ all --ssh-key-file=$PWD/another --command='echo known' </dev/null 2>/dev/null | sort | uniq -c | sed 's/^ *//'
  1 [pod/0] known
  1 [pod/1] known
  1 [pod/2] known
  1 [pod/3] known
  $ tpuctl emulator fault none 2>/dev/null

A key with a passphrase needs the agent; nobody is asked four times at once:

  $ ssh-keygen -q -t ed25519 -N secret -f locked
  $ all --ssh-key-file=$PWD/locked --command=true </dev/null 2>&1 | grep -v Propagating
  ERROR: (tpuctl.tpu-vm.ssh) The ssh key [*/locked] has a passphrase, and ssh-agent does not hold the key. (glob)
  Hand it over once: ssh-add */locked (glob)

Guest attributes switched off: ssh does without, the relay cannot:

  $ fresh run5
  $ tpuctl emulator fault mute:pod 2>/dev/null
  $ tpuctl tpu-vm ssh pod --command='echo still' </dev/null 2>/dev/null
  still
  $ tpuctl tpu-vm ssh pod --command=true --tunnel-through-iap </dev/null
  ERROR: (tpuctl.tpu-vm.ssh) IAP needs the host name of worker pod/0, and the guest attributes do not tell it.
  Wait until the TPU VM has started; are guest attributes switched off for it?
  [125]
  $ tpuctl emulator fault none 2>/dev/null

What ssh is given: nobody can be asked, one key is offered, this machine's locale stays here:

  $ mkdir shim && cat >shim/ssh <<'EOF'
  > #!/bin/sh
  > for word; do echo "$word"; done
  > env | grep '^LANG\|^LC_' | sed 's/=.*//'
  > EOF
  $ chmod +x shim/ssh
  $ LC_ALL=pt_PT.UTF-8 LANG=pt_PT.UTF-8 PATH=$PWD/shim:$PATH tpuctl tpu-vm ssh pod --command='a  b' </dev/null 2>/dev/null >given
  $ grep 'BatchMode\|IdentitiesOnly\|^a\|LC_\|LANG\|ServerAliveI' given
  IdentitiesOnly=yes
  ServerAliveInterval=15
  BatchMode=yes
  a  b
  LC_TPUCTL_SESSION
  $ PATH=$PWD/shim:$PATH tpuctl tpu-vm ssh pod --ssh-flag='-o ServerAliveInterval=1' --command=true </dev/null 2>/dev/null | grep ServerAliveI | head -n 1
  ServerAliveInterval=1

Few open files:

  $ unset XDG_RUNTIME_DIR
  $ (ulimit -n 50; all --command='echo within' </dev/null 2>/dev/null | sort)
  [pod/0] within
  [pod/1] within
  [pod/2] within
  [pod/3] within
