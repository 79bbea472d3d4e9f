Training through maintenance, on two slices of two workers, with a trainer that saves every tenth step and on SIGTERM.

  $ start_emulator
  $ make() {
  >   tpuctl queued-resources create "$1" --node-count=2 --node-prefix="$1" --accelerator-type=v4-16 --runtime-version=tpu-ubuntu2204-base --quiet "${@:2}" 2>/dev/null &&
  >     tpuctl queued-resources wait "$1" 2>/dev/null
  > }
  $ mkdir code
  $ cp "$REPO/examples/trainer.py" code/
  $ until_log() { for i in $(seq 600); do tpuctl jobs logs "$1" 2>/dev/null | grep -q "$2" && return; sleep 0.2; done; echo "never came: $2"; tpuctl jobs logs "$1"; }

With Autocheckpoint: the notice comes in the middle of an interval, and no step is lost.

  $ make with --autocheckpoint-enabled
  $ tpuctl jobs run kept --queued-resource=with --workdir=code --watch -- python3 trainer.py --steps=60 --step-seconds=0.3 --checkpoint-dir="$PWD/kept" >out 2>err </dev/null &
  $ until_log kept '^step 13 '
  $ tpuctl tpu-vm simulate-maintenance-event with-1 --workers=1 --quiet --format=none 2>/dev/null
  $ wait %1
  $ grep -c '^saved checkpoint at step [0-9]* (unscheduled)' out
  1
  $ grep '^starting\|^finished' out
  starting from step 0
  finished at step 60
  $ [ "$(sed -n 's/^saved.* step \([0-9]*\) (unscheduled)/\1/p' out)" = "$(sed -n 's/^resumed from checkpoint at step //p' out)" ]
  $ tpuctl jobs describe kept --format='value(state, attempt)'
  FINISHED\t2 (esc)
  $ tpuctl jobs describe kept --format='value(interruptions.len(), interruptions[0].source, interruptions[0].stepsLost)'
  1\tmaintenance-event\t0 (esc)
  $ tail -1 err
  Job [kept] finished after 2 attempts.

Without: the processes die at once, and what came after the last regular checkpoint is done again.

  $ make without
  $ tpuctl jobs run lost --queued-resource=without --workdir=code --watch -- python3 trainer.py --steps=60 --step-seconds=0.3 --checkpoint-dir="$PWD/lost" >out 2>err </dev/null &
  $ until_log lost '^step 15 '
  $ tpuctl tpu-vm simulate-maintenance-event without-0 --workers=0 --quiet --format=none 2>/dev/null
  $ wait %1
  $ grep '^resumed\|^finished' out
  resumed from checkpoint at step [1-5]0 (re)
  finished at step 60
  $ tpuctl jobs describe lost --format='value(state, attempt, interruptions.len())'
  FINISHED\t2\t1 (esc)
  $ tpuctl jobs describe lost --format=json | python3 -c 'import json, sys; lost = json.load(sys.stdin)["interruptions"][0]["stepsLost"]; print(lost > 0)'
  True

Without --watch nobody starts it again, and the exit code says so:

  $ tpuctl jobs run once --queued-resource=with --workdir=code -- python3 trainer.py --steps=1000 --step-seconds=0.2 --checkpoint-dir="$PWD/once" >out 2>err </dev/null &
  $ until_log once '^step 3 '
  $ tpuctl tpu-vm simulate-maintenance-event with-0 --quiet --format=none 2>/dev/null
  $ wait %1
  [75]
  $ tpuctl jobs describe once --format='value(state, attempt)'
  MAINTAINED\t1 (esc)
  $ tpuctl jobs wait once
  ERROR: (tpuctl.jobs.wait) Job [once] was interrupted by maintenance (metadata maintenance-event = TERMINATE_ON_HOST_MAINTENANCE on with-0/0) and not started again.
  Start it again when the slices are back: tpuctl jobs attach once --watch
  [75]
