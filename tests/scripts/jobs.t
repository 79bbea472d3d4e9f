Jobs: one command on all workers of one or more slices, without this terminal.

  $ cat >interrupted.py <<'PY'
  > import signal, subprocess, sys
  > # interrupted.py WORD COMMAND...: Ctrl-C for COMMAND once its stderr has said WORD
  > child = subprocess.Popen(sys.argv[2:], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
  >                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
  > for line in child.stderr:
  >     print(line, end="", file=sys.stderr)
  >     if sys.argv[1] in line:
  >         child.send_signal(signal.SIGINT)
  > sys.exit(child.wait())
  > PY
  $ quiet() { grep -v 'WARNING: TPU VM\|attempt 1: \|SSH public key\|Making an ssh key' "$@"; }

  $ start_emulator
  $ tpuctl queued-resources create pair --node-count=2 --node-prefix=s --accelerator-type=v4-16 --runtime-version=tpu-ubuntu2204-base --quiet 2>/dev/null
  $ tpuctl queued-resources wait pair 2>/dev/null
  $ tpuctl jobs list
  Listed 0 items.

To the end, following worker 0 of slice 0:

  $ tpuctl jobs run hello --queued-resource=pair -- 'echo "hello from $(hostname | sed "s/.*-//")"; exit 0' </dev/null 2>err
  hello from 0
  $ quiet err
  Starting job [hello] on 4 workers of 2 TPU VMs.
  Job [hello] finished after 1 attempt.
  $ grep WARNING err
  WARNING: TPU VM [s-0] was made without --autocheckpoint-enabled: maintenance will end its processes at once, and what was not saved is lost. It can only be switched on by making it again.
  WARNING: TPU VM [s-1] was made without --autocheckpoint-enabled: maintenance will end its processes at once, and what was not saved is lost. It can only be switched on by making it again.
  $ tpuctl jobs describe hello --format='value(state)'
  FINISHED
  $ tpuctl jobs logs hello
  hello from 0
  $ tpuctl jobs logs hello --worker=all | sort
  [s-0/0] hello from 0
  [s-0/1] hello from 1
  [s-1/0] hello from 0
  [s-1/1] hello from 1
  $ tpuctl jobs wait hello
  Job [hello] finished after 1 attempt.

A failing worker decides the exit code, and its last lines are shown:

  $ tpuctl jobs run fails --tpu=s-0 -- 'for i in 1 2 3; do echo "line $i"; done; case $(hostname) in *-1) echo "cannot open data" >&2; exit 41 ;; esac; sleep 1000' </dev/null 2>err
  line 1
  line 2
  line 3
  [41]
  $ quiet err
  Starting job [fails] on 2 workers of 1 TPU VM.
  Job [fails]: ending what still runs on the other workers.
  Job [fails] failed: worker s-0/1 was the first (s-0/1 exited with 41). Its last lines:
    [s-0/1] line 1
    [s-0/1] line 2
    [s-0/1] line 3
    [s-0/1] cannot open data
  $ tpuctl jobs wait fails 2>/dev/null
  [41]
  $ tpuctl jobs describe fails --format='value(state, workers.len())'
  FAILED\t2 (esc)
  $ tpuctl jobs run not-there --tpu=s-0 -- /no/such/program </dev/null 2>/dev/null
  /usr/bin/bash: line 1: /no/such/program: No such file or directory
  [127]

One text is for a shell, several words are the words of a program:

  $ tpuctl jobs run text --tpu=s-1 -- 'printf "<%s>" "a  b" "$((1 + 1))"; echo' </dev/null 2>/dev/null
  <a  b><2>
  $ tpuctl jobs run words --tpu=s-1 -- printf '<%s>' 'a  b' '$((1 + 1))' "it's" '\n' </dev/null 2>/dev/null
  <a  b><$((1 + 1))><it's><\n> (no-eol)
  $ tpuctl jobs run nothing --tpu=s-1 </dev/null
  ERROR: (tpuctl.jobs.run) argument -- COMMAND: Must be specified after `--`.
  Run `tpuctl jobs run --help` for its flags.
  [2]
  $ tpuctl jobs run Bad_Name --tpu=s-1 -- true </dev/null
  ERROR: (tpuctl.jobs.run) Invalid job name [Bad_Name].
  Use lower-case letters, digits and dashes, at most 63, beginning with a letter.
  [2]
  $ tpuctl jobs run nothing -- true </dev/null
  ERROR: (tpuctl.jobs.run) Exactly one of (--tpu | --queued-resource | --prefix) must be specified.
  Run `tpuctl jobs run --help` for its flags.
  [2]
  $ tpuctl jobs run nothing --tpu=none-such -- true </dev/null
  ERROR: (tpuctl.jobs.run) NOT_FOUND: Resource 'projects/emulator/locations/us-central2-b/nodes/none-such' was not found. This command is authenticated with an access token from */emulator/gcloud/emulator-token specified by the [auth/access_token_file] property. (glob)
  - '@type': type.googleapis.com/google.rpc.ResourceInfo
    resourceName: projects/emulator/locations/us-central2-b/nodes/none-such
  [125]
  $ tpuctl jobs run hello --tpu=s-1 --env=1X=y -- true </dev/null 2>&1 | quiet
  ERROR: (tpuctl.jobs.run) [1X] is no name of an environment variable.

What the command finds: its folder, its variables. A secret is on no command line and in no log:

  $ mkdir -p code/inner
  $ echo 'import sys; print(open("inner/data").read(), sys.argv[1:])' >code/main.py
  $ printf 42 >code/inner/data
  $ tpuctl jobs run folder --tpu=s-0 --workdir=code -- python3 main.py 'x y' </dev/null 2>/dev/null
  42 ['x y']
  $ printf 'TOKEN=s3cr3t-%s\n# a comment\n\nEMPTY=\n' value >secrets.env
  $ chmod 600 secrets.env
  $ tpuctl jobs run secret --tpu=s-0 --env=PLAIN='a b' --env-file=secrets.env --detach -- 'echo "$PLAIN ${#TOKEN} <$EMPTY>"; exec 9<>"$TPUCTL_ACCEL_DEVICE"; exec sleep 1000' </dev/null 2>/dev/null
  $ for i in $(seq 300); do tpuctl jobs logs secret 2>/dev/null | grep -q 'a b' && break; sleep 0.2; done
  $ tpuctl jobs logs secret
  a b 12 <>
  $ ps -eo args | grep -c '[s]3cr3t-value'
  0
  [1]
  $ find "$TPUCTL_EMULATOR_DIR" "$HOME" -type f -exec grep -l s3cr3t-value {} + | xargs stat -c '%a %n' | sed 's/[^ ]*jobs/jobs/'
  600 jobs/secret/env
  600 jobs/secret/env

A second job while one runs is refused on all workers, before anything is started on one of them; so is the same
name again:

  $ tpuctl jobs run second --queued-resource=pair -- 'touch "$HOME/second-was-here"' </dev/null 2>&1 | quiet
  Starting job [second] on 4 workers of 2 TPU VMs.
  ERROR: (tpuctl.jobs.run) The job was not started on any worker:
    s-0/0: job [secret] is running on this worker
    s-0/1: job [secret] is running on this worker
  Mend it and run the same command again.
  $ tpuctl tpu-vm ssh s-1 --worker=all --command='ls second-was-here' </dev/null 2>/dev/null
  [2]
  $ tpuctl jobs run secret --tpu=s-0 -- true </dev/null 2>err
  [125]
  $ quiet err
  Starting job [secret] on 2 workers of 1 TPU VM.
  ERROR: (tpuctl.jobs.run) The job was not started on any worker:
    s-0/0: a job of this name is running already
    s-0/1: a job of this name is running already
  Mend it and run the same command again.
  $ tpuctl jobs stop secret
  Stopping job [secret]: SIGTERM now, SIGKILL after 5m00s.
  Stopped job [secret].
  $ tpuctl jobs describe secret --format='value(state)'
  STOPPED
  $ tpuctl jobs wait secret
  ERROR: (tpuctl.jobs.wait) Job [secret] was stopped.
  [143]
  $ tpuctl jobs stop secret
  Stopping job [secret]: SIGTERM now, SIGKILL after 5m00s.
  Job [secret] had ended already.

Detach, come back, look, stop:

  $ tpuctl jobs run long --queued-resource=pair --detach -- 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); echo "step $i"; sleep 0.2; done' </dev/null 2>&1 | quiet
  Starting job [long] on 4 workers of 2 TPU VMs.
  Job [long] runs. Follow it: tpuctl jobs attach long
  $ for i in $(seq 300); do tpuctl jobs logs long 2>/dev/null | grep -q 'step 3' && break; sleep 0.2; done
  $ tpuctl jobs describe long --format='value(state)'
  RUNNING
  $ tpuctl jobs logs long | sed -n 1,3p
  step 1
  step 2
  step 3
  $ tpuctl jobs logs long --worker=s-1/1 --tail=1 | sed 's/[0-9]*$/N/'
  step N
  $ tpuctl jobs logs long --worker=all --tail=1 | sed 's/[0-9]*$/N/' | sort
  [s-0/0] step N
  [s-0/1] step N
  [s-1/0] step N
  [s-1/1] step N
  $ tpuctl jobs logs long --worker=s-9/0
  ERROR: (tpuctl.jobs.logs) The job has no worker [s-9/0].
  Workers are named TPU/NUMBER.
  [1]
  $ tpuctl jobs logs long --worker=nonsense
  ERROR: (tpuctl.jobs.logs) The job has no worker [nonsense].
  Workers are named TPU/NUMBER.
  [1]
  $ timeout 60 python3 interrupted.py RUNNING tpuctl jobs attach long >log
  Job [long] attempt 1: RUNNING
  Interrupted.
  The job goes on without this terminal. Come back: tpuctl jobs attach long
  Stop it: tpuctl jobs stop long
  [130]
  $ tpuctl jobs wait long --timeout=2s
  Job [long] attempt 1: RUNNING
  ERROR: (tpuctl.jobs.wait) Job [long] is still running after *. (glob)
  [6]
  $ tpuctl jobs stop long --grace=20s
  Stopping job [long]: SIGTERM now, SIGKILL after *. (glob)
  Stopped job [long].
  $ tpuctl jobs wait long 2>/dev/null
  [143]
  $ tpuctl jobs list
  NAME       TARGET                ZONE           STATE     ATTEMPT  WORKERS  AUTOCHECKPOINT  MAINTENANCE
  fails      tpu s-0               us-central2-b  FAILED    1        2        False
  folder     tpu s-0               us-central2-b  FINISHED  1        2        False
  hello      queued-resource pair  us-central2-b  FINISHED  1        4        False
  long       queued-resource pair  us-central2-b  STOPPED   1        4        False
  not-there  tpu s-0               us-central2-b  FAILED    1        2        False
  secret     tpu s-0               us-central2-b  STOPPED   1        2        False
  text       tpu s-1               us-central2-b  FINISHED  1        2        False
  words      tpu s-1               us-central2-b  FINISHED  1        2        False
  $ tpuctl jobs describe nothing
  ERROR: (tpuctl.jobs.describe) Job [nothing] is not known on this machine, and no queued resource of the zone carries its label.
  Say where it runs: --tpu=TPU, --queued-resource=QUEUED_RESOURCE or --prefix=PREFIX
  [3]
  $ tpuctl jobs logs nothing
  ERROR: (tpuctl.jobs.logs) Job [nothing] is not known on this machine, and no queued resource of the zone carries its label.
  Say where it runs: --tpu=TPU, --queued-resource=QUEUED_RESOURCE or --prefix=PREFIX
  [3]

From another machine, where nobody knows the job, its slices are enough:

  $ (export HOME=$PWD/elsewhere XDG_STATE_HOME=$PWD/elsewhere/state; mkdir "$HOME"; tpuctl jobs describe long --queued-resource=pair --format='value(state)'; tpuctl jobs wait long --queued-resource=pair 2>/dev/null)
  STOPPED
  [143]
