One command on many workers, of which some are dead, silent or loud. Real ssh, to workers that are processes of the emulator.

  $ export XDG_RUNTIME_DIR=$TPUCTL_TEST_SCRATCH/run; mkdir -m 700 "$XDG_RUNTIME_DIR"
  $ start_emulator
  $ tpuctl tpu-vm create pod --version=tpu-ubuntu2204-base --accelerator-type=v4-32 --quiet 2>/dev/null
  $ tpuctl tpu-vm ssh pod --worker=all --command=true </dev/null 2>/dev/null
  $ home() { echo "$TPUCTL_EMULATOR_DIR"/workers/pod-"$1"-*/home; }
  $ forget() { for socket in "$XDG_RUNTIME_DIR"/tpuctl/*; do ssh -O exit -o ControlPath="$socket" nobody 2>/dev/null; done; true; }
  $ fault() { tpuctl emulator fault "$@" 2>/dev/null; }
  $ runs() { pgrep -u "$(id -u)" -fx "$1" | wc -l; }
  $ on_all() { tpuctl tpu-vm ssh pod --worker=all --command="$1" "${@:2}" </dev/null; }
  $ other() { on_all 'case $(hostname) in *-1) '"$1"' ;; *) '"$2"' ;; esac' "${@:3}"; }

A failure is named with its last lines; the others go on:

  $ other 'seq 20; echo "it broke" >&2; exit 3' 'sleep 1; echo whole' >out
  SSH: Attempting to connect to 4 workers...
  [pod/1] it broke
  ##### Command execution on worker pod/1 failed with exit status 3. Continuing.
  1 of 4 workers failed; the first was [pod/1], which failed with exit status 3. Its last lines:
    17
    18
    19
    20
    it broke
  [3]
  $ grep -c whole out
  3
  $ other 'sleep 1; exit 3' 'exit 5' 2>&1 | tail -n 1 | sed 's,pod/[023],pod/N,'
  4 of 4 workers failed; the first was [pod/N], which failed with exit status 5.

With --fail-fast they are ended, here and there:

  $ other 'sleep 2; exit 3' 'exec sleep 97531' --fail-fast
  SSH: Attempting to connect to 4 workers...
  ##### Command execution on worker pod/1 failed with exit status 3.
  Ending the command on 3 workers...
  1 of 4 workers failed; the first was [pod/1], which failed with exit status 3. 3 others were ended.
  [3]
  $ runs 'sleep 97531'
  0
  $ other 'exit 3' 'sleep 1; echo whole' --fail-fast --batch-size=1
  SSH: Attempting to connect to 4 workers...
  [pod/0] whole
  ##### Command execution on worker pod/1 failed with exit status 3.
  1 of 4 workers failed; the first was [pod/1], which failed with exit status 3. 2 others were not started.
  [3]

A remote 255 is the command's own, and not taken for a connection that failed: nothing runs twice.

  $ other 'echo x >>tries; exit 255' true
  SSH: Attempting to connect to 4 workers...
  ##### Command execution on worker pod/1 failed with exit status 255 (its own, or a signal ended it).* (glob)
  1 of 4 workers failed; the first was [pod/1], which failed with exit status 255 (its own, or a signal ended it).
  [255]
  $ wc -l <"$(home 1)/tries"
  1
  $ other 'bash -c "kill -KILL \$\$"; exit $?' true 2>/dev/null
  [137]

A worker that is silent holds up nobody. At its time limit it is ended, and so is what runs on it:

  $ other 'exec sleep 97532' 'echo done' --worker-timeout=5s 2>err | sort
  [pod/0] done
  [pod/2] done
  [pod/3] done
  $ cat err; runs 'sleep 97532'
  SSH: Attempting to connect to 4 workers...
  ##### Command execution on worker pod/1 did not end within its time limit.
  Ending the command on 1 worker...
  1 of 4 workers failed; the first was [pod/1], which did not end within its time limit.
  0
  $ other 'exec sleep 97532' true --worker-timeout=3s 2>/dev/null
  [6]

A machine that stands still, so that nobody answers there:

  $ forget; fault hang:pod/1
  $ on_all 'echo done' --worker-timeout=3s 2>err | sort
  [pod/0] done
  [pod/2] done
  [pod/3] done
  $ fault heal:pod; cat err
  SSH: Attempting to connect to 4 workers...
  ##### Command execution on worker pod/1 did not answer within its time limit.
  1 of 4 workers failed; the first was [pod/1], which did not answer within its time limit.

A machine that is gone is tried again for a while; meanwhile the others do their work:

  $ fault refuse:pod/1; forget
  $ on_all 'echo done' 2>err | sort
  [pod/0] done
  [pod/2] done
  [pod/3] done
  $ fault heal:pod; sed 's/127[0-9.]* port [0-9]*/ADDRESS/' err
  SSH: Attempting to connect to 4 workers...
  [pod/1] ssh: connect to host ADDRESS: Connection refused
  No connection to pod/1 yet; trying again...
  ##### Command execution on worker pod/1 could not be reached: no connection (ssh: connect to host ADDRESS: Connection refused).
  1 of 4 workers failed; the first was [pod/1], which could not be reached: no connection (ssh: connect to host ADDRESS: Connection refused).

A connection that breaks in the middle is told, and the command is not started again:

  $ forget
  $ (while [ ! -s "$(home 1)/begun" ]; do sleep 0.1; done; tpuctl emulator fault hang:pod/1 2>/dev/null) &
  $ on_all 'echo x >>begun; sleep 8; echo whole' --ssh-flag='-o ServerAliveInterval=1 -o ServerAliveCountMax=3' >out
  SSH: Attempting to connect to 4 workers...
  ##### Command execution on worker pod/1 lost its connection. Continuing.
  1 of 4 workers failed; the first was [pod/1], which lost its connection.
  [255]
  $ fault heal:pod; grep -c whole out; wc -l <"$(home 1)/begun"
  3
  1
  $ forget; rm "$(home 0)/begun"
  $ (while [ ! -s "$(home 0)/begun" ]; do sleep 0.1; done; tpuctl emulator fault hang:pod/0 2>/dev/null) &
  $ tpuctl tpu-vm ssh pod --command='echo x >>begun; sleep 8; echo whole' --ssh-flag='-o ServerAliveInterval=1 -o ServerAliveCountMax=3' </dev/null
  SSH: Attempting to connect to worker 0...
  ERROR: (tpuctl.tpu-vm.ssh) The connection to worker pod/0 broke.
  The command may go on there; it was not started again.
  [255]
  $ fault heal:pod; wc -l <"$(home 0)/begun"; forget
  1

A flood drowns nobody. Lines stay whole, each with its worker:

  $ other 'yes "$(printf "%0500d" 0)" | head -n 200000' 'for i in 1 2 3; do echo "small $i"; sleep 0.2; done' 2>/dev/null >out
  $ grep -c small out
  9
  $ grep -cE '^\[pod/1\] 0{500}$' out; grep -vcE '^\[pod/1\] 0{500}$|^\[pod/[023]\] small [123]$' out
  200000
  0
  [1]
  $ awk '/small 1/ && !small { small = NR } /pod.1/ { flood = NR } END { print (small < flood ? "heard meanwhile" : small) }' out; rm out
  heard meanwhile

A file for each worker has what it said, whole; on the screen only what went wrong:

  $ mkdir logs
  $ other 'printf "no end"; echo bad >&2; exit 4' 'seq 3' --output-directory=logs
  SSH: Attempting to connect to 4 workers...
  [pod/1] bad
  ##### Command execution on worker pod/1 failed with exit status 4.* (glob)
  1 of 4 workers failed; the first was [pod/1], which failed with exit status 4. Its last lines:
    bad
    no end
  [4]
  $ cat logs/0.log; tr -d '\n' <logs/1.log | wc -c
  1
  2
  3
  9

What stdin is, when it is no terminal, goes whole to every worker; also to one that is asked again:

  $ head -c 3000000 /dev/urandom >blob
  $ fault refuse:pod/2:2s; forget
  $ tpuctl tpu-vm ssh pod --worker=all --command='sleep 0.$(hostname | sed "s/.*-//"); cksum' <blob 2>/dev/null | sed "s/$(cksum <blob)/whole/" | sort
  [pod/0] whole
  [pod/1] whole
  [pod/2] whole
  [pod/3] whole
  $ printf 'a\nb\n' | while read -r word; do tpuctl tpu-vm ssh pod --worker=0,1 --command="echo $word" </dev/null 2>/dev/null; done | sort
  [pod/0] a
  [pod/0] b
  [pod/1] a
  [pod/1] b
  $ yes | tpuctl tpu-vm ssh pod --worker=0,1 --command='head -n 1' 2>/dev/null | sort
  [pod/0] y
  [pod/1] y

Ctrl-C reaches the workers: nothing is left there.

  $ cat >interrupted.py <<'PY'
  > import os, signal, subprocess, sys, time
  > # interrupted.py SIGNAL COUNT PROGRAM COMMAND...: sends SIGNAL to COMMAND once PROGRAM runs COUNT times
  > number, count, program, command = getattr(signal, sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]
  > child = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
  > while len(subprocess.run(["pgrep", "-u", str(os.getuid()), "-fx", program], capture_output=True).stdout.split()) < count:
  >     time.sleep(0.1)
  > child.send_signal(number)
  > sys.exit(child.wait())
  > PY
  $ timeout 60 python3 interrupted.py SIGINT 4 'sleep 97533' tpuctl tpu-vm ssh pod --worker=all --command='sleep 97533; echo not here'
  SSH: Attempting to connect to 4 workers...
  Ending the command on 4 workers...
  Interrupted.
  [130]
  $ runs 'sleep 97533'
  0
  $ timeout 60 python3 interrupted.py SIGTERM 2 'sleep 97534' tpuctl tpu-vm ssh pod --worker=all --command='case $(hostname) in *-[01]) trap "" INT; sleep 97534 ;; esac'
  SSH: Attempting to connect to 4 workers...
  Ending the command on 2 workers...
  Terminated.
  [143]
  $ runs 'sleep 97534'
  0
  $ timeout 60 python3 interrupted.py SIGINT 1 'sleep 97535' tpuctl tpu-vm ssh pod --worker=3 --command='sleep 97535'
  SSH: Attempting to connect to worker 3...
  Ending the command on 1 worker...
  Interrupted.
  [130]
  $ runs 'sleep 97535'
  0
  $ forget
