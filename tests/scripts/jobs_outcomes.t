How jobs end: the words and the exit code of each outcome.

  $ start_emulator
  $ mkdir code
  $ cp "$REPO/examples/trainer.py" code/
  $ until_log() { for i in $(seq 600); do tpuctl jobs logs "$1" 2>/dev/null | grep -q "$2" && return; sleep 0.2; done; echo "never came: $2"; tpuctl jobs logs "$1"; }
  $ make() {
  >   tpuctl queued-resources create "$1" --accelerator-type=v4-16 --runtime-version=tpu-ubuntu2204-base --quiet "${@:2}" 2>/dev/null &&
  >     tpuctl queued-resources wait "$1" 2>/dev/null
  > }
  $ train() { tpuctl jobs run "$1" --tpu=one --workdir=code "${@:3}" -- "python3 trainer.py --steps=1000 --step-seconds=0.2 --checkpoint-dir=$PWD/$1 $2" </dev/null; }
  $ make one --node-id=one --autocheckpoint-enabled

A trainer that saves and exits with 1 was interrupted, and did not fail; one that ignores SIGTERM is killed after the grace, and
was interrupted too:

  $ train leaves --exit-code-after-save=1 >out 2>err &
  $ until_log leaves '^step 2 '
  $ tpuctl tpu-vm simulate-maintenance-event one --quiet --format=none 2>/dev/null
  $ wait %1
  [75]
  $ tail -2 err
  ERROR: (tpuctl.jobs.run) Job [leaves] was interrupted by maintenance (metadata maintenance-event = TERMINATE_ON_HOST_MAINTENANCE on one/0) and not started again.
  Start it again when the slices are back: tpuctl jobs attach leaves --watch
  $ tpuctl tpu-vm wait one 2>/dev/null
  $ train deaf --ignore-sigterm --detach 2>/dev/null
  $ until_log deaf '^step 2 '
  $ tpuctl jobs stop deaf --grace=1s
  Stopping job [deaf]: SIGTERM now, SIGKILL after 1s.
  [one/0] did not end within the grace period and was killed.
  [one/1] did not end within the grace period and was killed.
  Stopped job [deaf].
  $ tpuctl jobs wait deaf
  ERROR: (tpuctl.jobs.wait) Job [deaf] was stopped.
  [143]

The program's own end, in words:

  $ tpuctl jobs run ended --tpu=one -- 'sleep 1; kill -TERM $$; sleep 9' </dev/null 2>&1 | grep failed
  Job [ended] failed: worker one/* was the first (one/* was ended by SIGTERM, and not by Cloud TPU). Its last lines: (glob)
  $ tpuctl jobs wait ended 2>/dev/null
  [143]
  $ tpuctl jobs run killed --tpu=one -- 'kill -KILL $$' </dev/null 2>&1 | grep failed | grep -o 'was killed, perhaps for want of memory'
  was killed, perhaps for want of memory
  $ tpuctl jobs run piped --tpu=one -- 'false | cat; exit ${PIPESTATUS[0]}' </dev/null >/dev/null 2>&1
  [1]

One that is silent is stuck, and only told of; with --watch it is started again within its budget:

  $ tpuctl jobs run stuck --tpu=one --stuck-after=4s -- 'echo hi; exec sleep 1000' </dev/null 2>&1 | tail -4
  hi
  ERROR: (tpuctl.jobs.run) Job [stuck] seems stuck (no worker has logged anything for *); it still runs. (glob)
  See: tpuctl jobs describe stuck
  Stop it: tpuctl jobs stop stuck
  $ tpuctl jobs wait stuck --stuck-after=4s 2>/dev/null
  [6]
  $ tpuctl jobs stop stuck 2>&1 | tail -1
  Stopped job [stuck].
  $ tpuctl jobs run hangs --tpu=one --stuck-after=4s --watch --max-failures=1 -- 'echo attempt $TPUCTL_ATTEMPT; [ $TPUCTL_ATTEMPT = 2 ] || exec sleep 1000' </dev/null 2>/dev/null
  attempt 1
  attempt 2

A worker that reboots without a word is lost:

  $ tpuctl jobs run lost --tpu=one --detach -- 'exec sleep 1000' </dev/null 2>/dev/null
  $ tpuctl tpu-vm ssh one --worker=1 --command='(sleep 1; sudo reboot) </dev/null >/dev/null 2>&1 &' </dev/null 2>/dev/null
  $ tpuctl jobs wait lost 2>&1 | tail -2
  ERROR: (tpuctl.jobs.wait) Job [lost] is lost (one/1 was rebooted).
  See: tpuctl jobs describe lost

Spot machines that are taken are asked for again, with the time they are valid for counted anew, and the job goes on where it had
saved:

  $ make spot --node-count=2 --node-prefix=spot --spot --valid-until-duration=2h
  $ tpuctl jobs run spot --queued-resource=spot --workdir=code --watch -- "python3 trainer.py --steps=60 --step-seconds=0.3 --checkpoint-dir=$PWD/spot" >out 2>err </dev/null &
  $ until_log spot '^step 13 '
  $ tpuctl emulator fault preempt:spot-1 2>/dev/null
  $ wait %1
  $ grep 'PREEMPTED (\|making it anew\|starting attempt\|finished' err
  Job [spot] attempt 1: PREEMPTED (metadata preempted = TRUE on spot-1/*) (glob)
  Job [spot]: Deleting the queued resource [spot] and making it anew.
  Job [spot]: starting attempt 2 on 4 workers.
  Job [spot] finished after 2 attempts.
  $ grep -c '^resumed from checkpoint at step' out
  1
  $ tpuctl queued-resources describe spot --format='value(state.state, queueingPolicy.validUntilDuration, tpu.nodeSpec.len())'
  ACTIVE\t7200s\t2 (esc)

The machines can go with the job:

  $ tpuctl jobs run last --queued-resource=spot --delete-on=failure -- true </dev/null 2>&1 | tail -1
  Job [last] finished after 1 attempt.
  $ tpuctl jobs run last --queued-resource=spot --delete-on=success -- true </dev/null 2>&1 | tail -2
  Job [last] finished after 1 attempt.
  Deleting [spot], as --delete-on=success says.
  $ tpuctl queued-resources describe spot 2>/dev/null
  [3]
  $ tpuctl jobs describe last --format='value(state)'
  GONE
  $ tpuctl jobs run kept --tpu=one --delete-on=always -- true </dev/null 2>&1 | grep ERROR
  ERROR: (tpuctl.jobs.run) TPU VM [one] belongs to a queued resource, and can only be deleted with it.

The whole plan, with nothing done; of secrets the names:

  $ printf 'TOKEN=s3cr3t\n' >secrets
  $ tpuctl jobs run plan --tpu=one --workdir=code --secret-file=secrets --env=A=b --dry-run -- python3 train.py </dev/null | sed 's/ssh -T .*/ssh .../; s,/[^ ]*/ssh,ssh,'
  # The folder code goes to ~/tpuctl-jobs/plan of 2 workers.
  # All checks on all workers first, then the start on all, in one round:
  [one/0] ssh ...
  [one/1] ssh ...
  # What every supervisor is given:
  ENABLE_AUTOCHECKPOINT=true
  A=b
  TOKEN=(secret)
  option workers 2
  option max-failures 0
  option max-preemptions 100
  option secrets yes
  command: python3 train.py
  $ tpuctl jobs describe plan 2>/dev/null
  [3]

The flags of MaxText's launchers, with true exit codes:

  $ (cd code; tpuctl jobs run --TPU_PREFIX=one --RUN_NAME=runner --COMMAND='ls; exit 7') </dev/null 2>/dev/null
  trainer.py
  [7]
  $ tpuctl jobs run --TPU_PREFIX=none --COMMAND=true </dev/null 2>&1 | grep -o 'No TPU VM belongs to the prefix .none.'
  No TPU VM belongs to the prefix [none]
  $ tpuctl jobs submit --RUN_NAME=mhj --BUCKET_NAME=b --CQR_EXTRA_ARGS='--no-such-thing' --COMMAND=true 2>&1 | head -1
  ERROR: (tpuctl.jobs.submit) unrecognized arguments: --no-such-thing
