The rehearsal: simulated maintenance under a job that trains, and a verdict that CI can use.

  $ start_emulator --bucket=my-bucket
  $ cp -r "$REPO/examples" code
  $ make() { tpuctl tpu-vm create "$1" --accelerator-type=v4-16 --version=tpu-ubuntu2204-base --quiet "${@:2}" 2>/dev/null; }
  $ bucket=$TPUCTL_EMULATOR_DIR/buckets/my-bucket # which the trainer sees as a folder
  $ train() {
  >   tpuctl jobs run "$1" --tpu="$1" --workdir=code --detach --checkpoint-dir="$bucket/$1" -- \
  >     python3 trainer.py --steps=100000 --step-seconds=0.1 --checkpoint-every=50 --checkpoint-dir="$bucket/$1" </dev/null 2>/dev/null
  > }
  $ until_step() { for i in $(seq 300); do tpuctl jobs logs "$1" --tail=1 2>/dev/null | grep -q "^step $2" && return; sleep 0.1; done; tpuctl jobs logs "$1"; }

It asks first, and says what it would send:

  $ make kept --autocheckpoint-enabled
  $ train kept
  $ until_step kept '[5-9][0-9]'
  $ tpuctl jobs drill kept --worker=1 --dry-run
  POST http://127.0.0.1:*/v2alpha1/projects/emulator/locations/us-central2-b/nodes/kept:simulateMaintenanceEvent?alt=json (glob)
  {
    "workerIds": [
      "1"
    ]
  }
  $ echo n | tpuctl jobs drill kept
  A maintenance event will be simulated on worker 0 of TPU VM [kept]. It interrupts job [kept]; the worker and the other slices are rebooted.
  
  Do you want to continue (Y/n)?  
  ERROR: (tpuctl.jobs.drill) Aborted by user.
  [1]
  $ tpuctl jobs drill kept --slice=other --quiet
  ERROR: (tpuctl.jobs.drill) Job [kept] has no slice [other].
  Its slices are: kept
  [1]
  $ tpuctl jobs drill kept --worker=7 --quiet
  ERROR: (tpuctl.jobs.drill) TPU VM [kept] has no worker 7.
  It has 2, counted from 0.
  [1]
  $ tpuctl jobs drill nothing --tpu=kept --quiet
  ERROR: (tpuctl.jobs.drill) Job [nothing] does not run (it is UNKNOWN); a drill needs a job that trains.
  See: tpuctl jobs describe nothing
  [1]

Nothing is lost with Autocheckpoint; who would start the job again is awaited, then the drill does it:

  $ tpuctl jobs drill kept --worker=1 --quiet 2>err
  RUN   LAST_REGULAR_CHECKPOINT  STEP_AT_NOTICE  RESUMED_AT  STEPS_LOST  SECONDS_FROM_NOTICE_TO_EXIT  VERDICT
  kept  *  *  *  0           *  NOTHING_LOST (glob)
  $ sed 's/^ *[0-9.]* s /TIME/; s/[0-9][0-9.]* s after/N s after/; s/step [0-9]*/step N/g' err | grep -v 'RESTARTING\|UNHEALTHY\|PENDING'
  Simulating maintenance of worker 1 of TPU VM [kept] under attempt 1 of job [kept].
  TIME* (glob)
  TIME* (glob)
  TIME* (glob)
  TIME* (glob)
  TIME attempt 2 runs, started by the drill
    signal     yes the process on kept/1 that held the TPU device catches SIGTERM
    notice     yes maintenance-event at step N
    checkpoint yes step N was saved after the notice
    exit       yes N s after the notice
    healthy    yes all slices are READY and healthy again
    resumed    yes at step N, started by the drill
  Nothing was lost in the drill of job [kept]: step N was reached, training resumed at step N.
  $ grep -c 'SIGTERM was sent to 1 process' err
  1

The checkpoints are found in the bucket too, by their markers:

  $ costs() { tpuctl jobs describe kept "$@" --format='value(interruptions[0].lastRegularCheckpoint, interruptions[0].savedAt)'; }
  $ [ "$(costs)" = "$(costs --checkpoint-dir=gs://my-bucket/kept --framework=orbax --step-regex='^step [0-9]+')" ]
  $ costs --checkpoint-dir=gs://no-such-bucket/kept 2>&1 | grep WARNING
  WARNING: The checkpoints in [gs://no-such-bucket/kept] could not be listed: The bucket gs://no-such-bucket does not exist.

The same for a program, while a watch starts the job again:

  $ tpuctl jobs attach kept --watch >log 2>&1 </dev/null &
  $ tpuctl jobs drill kept --quiet --format=json 2>/dev/null >drill.json
  $ python3 - <<'PY'
  > import json
  > drill = json.load(open("drill.json"))
  > print(drill["verdict"], drill["slice"], drill["worker"], drill["attempt"], drill["stepsLost"], drill["startedBy"])
  > print(*(row["check"] + "=" + row["result"] for row in drill["checks"]))
  > print(drill["savedAt"] == drill["resumedAt"] == drill["lastStep"])
  > PY
  NOTHING_LOST kept 0 2 0 its watch or boot
  signal=yes notice=yes checkpoint=yes exit=yes healthy=yes resumed=yes
  True

Ctrl-C says what goes on; the watch starts the job again:

  $ cat >interrupted.py <<'PY'
  > import signal, subprocess, sys
  > child = subprocess.Popen(sys.argv[2:], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
  >                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
  > for line in child.stderr:
  >     if sys.argv[1] in line:
  >         child.send_signal(signal.SIGINT)
  >     if "goes on" in line or "again" in line:
  >         print(line, end="")
  > sys.exit(child.wait())
  > PY
  $ python3 interrupted.py 'notice on' tpuctl jobs drill kept --quiet
  A maintenance event that has begun goes on, and whatever starts the job again does so. See: tpuctl jobs describe kept
  Start it again yourself: tpuctl jobs attach kept --watch
  [130]
  $ for i in $(seq 300); do [ "$(tpuctl jobs describe kept --format='value(state, attempt)' 2>/dev/null)" = "$(printf 'RUNNING\t4')" ] && break; sleep 0.2; done
  $ tpuctl jobs describe kept --format='value(state, attempt)'
  RUNNING\t4 (esc)
  $ tpuctl jobs stop kept --grace=30s 2>/dev/null
  $ wait %1
  [143]

Steps are lost without Autocheckpoint:

  $ make lost
  $ train lost
  $ until_step lost '[67][0-9]'
  $ tpuctl jobs drill lost --quiet --format='value(verdict, resumedAt)' 2>err
  STEPS_LOST\t50 (esc)
  [1]
  $ grep 'exit  \|ERROR' err
    exit       no  killed on lost/0
  ERROR: (tpuctl.jobs.drill) Steps were lost in the drill of job [lost]: * steps were lost: step * was reached, training resumed at step 50; killed on lost/0. (glob)
  $ tpuctl jobs stop lost --grace=1s 2>/dev/null

A program that holds no device gets no notice, which is said aloud and proves nothing, whatever the steps say:

  $ cat >code/deaf.sh <<'SH'
  > # Makes steps and remembers each; the device does not interest it.
  > file=$1/step
  > mkdir -p "$1"
  > step=$(cat "$file" 2>/dev/null || echo 0)
  > echo "resumed at step $step"
  > while :; do step=$((step + 1)); echo "$step" >"$file"; echo "step $step"; sleep 0.2; done
  > SH
  $ make deaf --autocheckpoint-enabled
  $ tpuctl jobs run deaf --tpu=deaf --workdir=code --detach -- 'sh deaf.sh "$HOME/deaf"' </dev/null 2>/dev/null
  $ tpuctl jobs drill deaf --quiet --timeout=40s --format='value(verdict)' 2>err
  NOT_PROVEN
  [6]
  $ grep 'WARNING\|reached nobody\|ERROR' err
  WARNING: No process on deaf/0 holds the TPU device: a notice will reach nobody there.
  * No process held the TPU device: the notice reached nobody, nothing was saved. (glob)
    signal     no  no process on deaf/0 held the TPU device: the notice reached nobody
  ERROR: (tpuctl.jobs.drill) It could not be proven in the drill of job [deaf] that nothing is lost: no process on deaf/0 held the TPU device: the notice reached nobody* (glob)
