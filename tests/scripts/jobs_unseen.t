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
  $ tpuctl jobs run one --tpu=one --watch -- 'echo attempt $TPUCTL_ATTEMPT; [ $TPUCTL_ATTEMPT = 2 ] || exec sleep 1000' >one.out 2>one.err </dev/null &
  $ until_log one 'attempt 1'
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

One that stands for itself, too:

  $ wait %2
  $ sed -n '/RUNNING/,$p' one.err | grep '^Job' | grep -v ENDING
  Job [one] attempt 1: RUNNING
  Job [one] attempt 1: PREEMPTED (metadata preempted = TRUE on one/0)
  Job [one]: Cloud TPU calls all machines READY, but one/0 does not answer after the notice.
  Job [one]: It was taken without a word.
  Job [one]: Deleting the TPU VM [one] and making it anew.
  Job [one]: starting attempt 2 on 1 workers.
  Job [one] finished after 2 attempts.
  $ cat one.out
  attempt 1
  attempt 2

Who only attached to a job could not start it on new machines. They are left alone, and the exit code says what happened:

  $ tpuctl jobs run far --tpu=one --detach -- 'echo on; exec sleep 1000' >far.out 2>&1 </dev/null
  $ until_log far on
  $ tpuctl jobs attach far --tpu=one --watch >far.out 2>far.err </dev/null &
  $ for i in $(seq 600); do grep -q RUNNING far.err && break; sleep 0.1; done
  $ tpuctl emulator fault preempt:one:unseen 2>/dev/null
  $ wait %1
  [75]
  $ sed -n '/RUNNING/,$p' far.err | grep -v ENDING
  Job [far] attempt 1: RUNNING
  Job [far] attempt 1: PREEMPTED (metadata preempted = TRUE on one/0)
  Job [far]: Cloud TPU calls all machines READY, but one/0 does not answer after the notice.
  Job [far]: It was taken without a word.
  ERROR: (tpuctl.jobs.attach) Job [far] was interrupted by a preemption, and the command and files that new machines would need are not known here.
  Make the machines anew, then run it again under its name: tpuctl jobs run far ...
