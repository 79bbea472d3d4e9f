What is decided about a job holds, whoever else looks after it.

  $ start_emulator --bucket=bkt
  $ until_said() { for i in $(seq 900); do grep -q "$1" "$2" && return; sleep 0.1; done; echo "never said: $1"; cat "$2"; }
  $ until_log() { for i in $(seq 600); do tpuctl jobs logs "$1" 2>/dev/null | grep -q "$2" && return; sleep 0.2; done; echo "never came: $2"; tpuctl jobs logs "$1"; }
  $ mkdir code; cp "$REPO/examples/trainer.py" code/
  $ tpuctl tpu-vm create n --accelerator-type=v4-16 --version=tpu-ubuntu2204-base --autocheckpoint-enabled --quiet 2>/dev/null
  $ train() { echo "python3 trainer.py --steps=$1 --step-seconds=0.2 --checkpoint-dir=$PWD/$2"; }

Two who watch: one of them starts it again, and the other goes on with that.

  $ tpuctl jobs run two --tpu=n --workdir=code --watch -- "$(train 60 two)" >out 2>err </dev/null &
  $ until_log two '^step 3 '
  $ tpuctl jobs attach two --watch >out2 2>err2 </dev/null &
  $ until_said RUNNING err2
  $ tpuctl tpu-vm simulate-maintenance-event n --quiet --format=none 2>/dev/null
  $ wait %1; wait %2
  $ tail -qn 1 err err2
  Job [two] finished after 2 attempts.
  Job [two] finished after 2 attempts.

A stop that comes when maintenance has ended the attempt holds: nobody starts the job again.

  $ tpuctl jobs run stopped --tpu=n --workdir=code -- "$(train 600 stopped)" >out 2>err </dev/null &
  $ until_log stopped '^step 3 '
  $ tpuctl tpu-vm simulate-maintenance-event n --quiet --format=none 2>/dev/null
  $ wait %1
  [75]
  $ tpuctl tpu-vm wait n 2>/dev/null
  $ tpuctl jobs stop stopped
  Stopping job [stopped]: SIGTERM now, SIGKILL after 5m00s.
  Job [stopped] had ended already.
  $ tpuctl jobs attach stopped --watch 2>&1 >/dev/null | tail -n 1
  ERROR: (tpuctl.jobs.attach) Job [stopped] was stopped.
  $ tpuctl jobs describe stopped --format='value(state, attempt)'
  STOPPED\t1 (esc)

A reader who has seen enough ends the reading:

  $ tpuctl jobs run talk --tpu=n --detach -- 'while sleep 0.1; do echo word; done' </dev/null 2>/dev/null
  $ until_log talk word
  $ timeout 60 sh -c 'tpuctl jobs logs talk --follow | head -n 2'
  word
  word
  $ tpuctl jobs stop talk --grace=1s >/dev/null 2>&1

A list of many jobs asks a machine that stands still once:

  $ for i in 1 2 3 4; do tpuctl jobs run old$i --tpu=n -- true </dev/null 2>/dev/null; done
  $ tpuctl emulator fault hang:n/1 2>/dev/null
  $ timeout 70 tpuctl jobs list --format='value(name)' | sort | tr '\n' ' '
  old1 old2 old3 old4 stopped talk two  (no-eol)
  $ tpuctl emulator fault heal:n 2>/dev/null

Maintenance of the machines of a submitted job that has finished does not start it again:

  $ tpuctl jobs submit done --accelerator-type=v4-8 --num-slices=2 --runtime-version=tpu-ubuntu2204-base --enable-autocheckpoint --bucket=gs://bkt/runs -- 'sleep 1; echo attempt $TPUCTL_ATTEMPT' >/dev/null 2>&1
  $ tpuctl jobs attach done 2>/dev/null
  attempt 1
  $ sleep 32
  $ tpuctl tpu-vm simulate-maintenance-event done-0 --quiet --format=none 2>/dev/null
  $ tpuctl tpu-vm wait done-0 2>/dev/null; sleep 8
  $ tpuctl jobs describe done --format='value(state, attempt)'
  FINISHED\t1 (esc)
