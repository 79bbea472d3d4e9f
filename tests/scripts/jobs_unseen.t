Spot machines that are taken while the API goes on calling them READY.

  $ start_emulator
  $ mkdir code
  $ cp "$REPO/examples/trainer.py" code/
  $ until_log() { for i in $(seq 600); do tpuctl jobs logs "$1" 2>/dev/null | grep -q "$2" && return; sleep 0.2; done; echo "never came: $2"; tpuctl jobs logs "$1"; }

Those of a queued resource are asked for again, and the job goes on where it had saved:

  $ tpuctl queued-resources create spot --node-count=2 --node-prefix=spot --spot --accelerator-type=v4-16 --runtime-version=tpu-ubuntu2204-base --quiet 2>/dev/null && tpuctl queued-resources wait spot 2>/dev/null
  $ tpuctl jobs run spot --queued-resource=spot --workdir=code --watch -- "python3 trainer.py --steps=40 --step-seconds=0.3 --checkpoint-dir=$PWD/spot" >out 2>err </dev/null &
  $ until_log spot '^step 13 '
  $ tpuctl emulator fault preempt:spot-1:unseen 2>/dev/null
  $ tpuctl tpu-vm create one --spot --accelerator-type=v4-8 --version=tpu-ubuntu2204-base --quiet 2>/dev/null
  $ tpuctl jobs run one --tpu=one --watch -- 'echo on; exec sleep 1000' >one.out 2>one.err </dev/null &
  $ until_log one on
  $ tpuctl emulator fault preempt:one:unseen 2>/dev/null
  $ wait %1
  $ sed -n '/RUNNING/,$p' err | grep '^Job' | grep -v ENDING
  Job [spot] attempt 1: RUNNING
  Job [spot] attempt 1: PREEMPTED (metadata preempted = TRUE on spot-1/*) (glob)
  Job [spot]: Cloud TPU calls all machines READY, but spot-1/0 and 1 more do not answer after the notice.
  Job [spot]: They were taken without a word.
  Job [spot]: Deleting the queued resource [spot] and making it anew.
  Job [spot]: Queued resource [spot] is PROVISIONING.
  Job [spot]: Queued resource [spot] is ACTIVE.
  Job [spot]: starting attempt 2 on 4 workers.
  Job [spot] attempt 2: RUNNING
  Job [spot] finished after 2 attempts.
  $ grep -c '^resumed from checkpoint at step' out
  1
  $ tpuctl jobs describe spot --format='value(state, attempt)'
  FINISHED\t2 (esc)

One that stands for itself cannot be made anew, and the exit code says what happened:

  $ wait %2
  [75]
  $ sed -n '/RUNNING/,$p' one.err | grep -v ENDING
  Job [one] attempt 1: RUNNING
  Job [one] attempt 1: PREEMPTED (metadata preempted = TRUE on one/0)
  Job [one]: Cloud TPU calls all machines READY, but one/0 does not answer after the notice.
  Job [one]: It was taken without a word.
  ERROR: (tpuctl.jobs.run) Job [one] was interrupted by a preemption (metadata preempted = TRUE on one/0) and not started again.
  Start it again when the slices are back: tpuctl jobs attach one --watch
