Spot machines that are taken away, on a machine of its own and while nobody watches.

  $ start_emulator
  $ mkdir code
  $ cp "$REPO/examples/trainer.py" code/
  $ until_log() { for i in $(seq 600); do tpuctl jobs logs "$1" 2>/dev/null | grep -q "$2" && return; sleep 0.2; done; echo "never came: $2"; tpuctl jobs logs "$1"; }
  $ until_is() { for i in $(seq 600); do [ "$(tpuctl "$1" describe "$2" --format="value($3)" 2>/dev/null)" = "$4" ] && return; sleep 0.1; done; echo "never $4"; }

A spot TPU VM without a queued resource has no queue: it is asked for until there is capacity, with what it had been made with.

  $ tpuctl tpu-vm create n --accelerator-type=v4-16 --version=tpu-ubuntu2204-base --spot --autocheckpoint-enabled --labels=team=a --metadata=note=kept --quiet 2>/dev/null
  $ tpuctl jobs run spot --tpu=n --workdir=code --watch -- "python3 trainer.py --steps=40 --step-seconds=0.3 --checkpoint-dir=$PWD/spot" >out 2>err </dev/null &
  $ until_log spot '^step 13 '
  $ tpuctl emulator fault stockout:1 2>/dev/null
  $ tpuctl emulator fault preempt:n 2>/dev/null
  $ wait %1
  $ grep 'PREEMPTED (\|anew\|capacity\|starting attempt\|finished' err
  Job [spot] attempt 1: PREEMPTED (*n*) (glob)
  Job [spot]: Deleting the TPU VM [n] and making it anew.
  Job [spot]: There is no capacity for the TPU VM [n] now. It is asked for until there is.
  TPU VM [n] was made anew since the last time: it has other host keys, which are checked.
  Job [spot]: starting attempt 2 on 2 workers.
  Job [spot] finished after 2 attempts.
  $ grep -c '^resumed from checkpoint at step' out
  1
  $ tpuctl jobs describe spot --format=json | grep -o 'Job .spot.: Deleting the TPU VM .n. and making it anew'
  Job [spot]: Deleting the TPU VM [n] and making it anew
  $ tpuctl tpu-vm describe n --format='value(state, schedulingConfig.spot, autocheckpointEnabled, labels.team, metadata.note)'
  READY\tTrue\tTrue\ta\tkept (esc)

One that somebody deletes is not made again:

  $ tpuctl jobs run deleted --tpu=n --watch -- 'echo on; exec sleep 1000' >out 2>err </dev/null &
  $ until_log deleted on
  $ tpuctl tpu-vm delete n --quiet 2>/dev/null
  $ wait %1
  [75]
  $ tail -2 err
  ERROR: (tpuctl.jobs.run) Job [deleted] was interrupted by a preemption (TPU VM n is gone) and not started again.
  New machines do not know it. Run it again there under its name: tpuctl jobs run deleted ...
  $ tpuctl tpu-vm describe n 2>/dev/null
  [3]

A node that was named and is all of its queued resource is made anew with that:

  $ tpuctl queued-resources create q --node-id=of-q --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base --spot --quiet 2>/dev/null
  $ tpuctl queued-resources wait q 2>/dev/null
  $ tpuctl jobs run named --tpu=of-q --watch -- 'echo attempt $TPUCTL_ATTEMPT; [ $TPUCTL_ATTEMPT = 2 ] || exec sleep 1000' >out 2>err </dev/null &
  $ until_log named 'attempt 1'
  $ tpuctl emulator fault preempt:of-q 2>/dev/null
  $ wait %1
  $ cat out
  attempt 1
  attempt 2
  $ grep anew err
  Job [named]: Deleting the queued resource [q] and making it anew.
  TPU VM [of-q] was made anew since the last time: it has other host keys, which are checked.

Taken while nobody watched. Of a job that was started over ssh nothing is left but its name:

  $ tpuctl jobs run away --queued-resource=q --detach -- 'exec sleep 1000' </dev/null 2>/dev/null
  $ tpuctl emulator fault preempt:of-q 2>/dev/null
  $ until_is queued-resources q state.state SUSPENDED
  $ tpuctl jobs attach away --watch
  ERROR: (tpuctl.jobs.attach) Job [away] was interrupted (queued resource [q] is SUSPENDED) and not started again.
  Make its machines anew, then run it again under its name: tpuctl jobs run away ...
  [75]
  $ tpuctl jobs wait away 2>/dev/null
  [75]
  $ tpuctl jobs run away --queued-resource=q -- true </dev/null
  ERROR: (tpuctl.jobs.run) Queued resource [q] is SUSPENDED.
  It does not come back by itself. Delete it, and ask again: tpuctl queued-resources delete q --force
  [125]

A submitted job is in its machines' startup script, and comes back with them, from any machine:

  $ tpuctl jobs submit sub --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base --spot -- 'echo hello; [ -e '"$PWD"'/go ] || exec sleep 1000' 2>/dev/null
  $ tpuctl queued-resources wait sub 2>/dev/null
  $ until_log sub hello
  $ tpuctl emulator fault preempt:sub 2>/dev/null
  $ until_is queued-resources sub state.state SUSPENDED
  $ tpuctl jobs attach sub
  ERROR: (tpuctl.jobs.attach) Job [sub] was interrupted (queued resource [sub] is SUSPENDED) and not started again.
  Make its machines anew, and the job with them: tpuctl jobs attach sub --watch
  [75]
  $ touch go
  $ (export HOME=$PWD/elsewhere; mkdir "$HOME"; tpuctl jobs attach sub --watch --queued-resource=sub 2>err)
  hello
  $ grep -v 'SSH\|is [BDCAP][A-Z_]*\.$\|attempt 1: ' err
  Job [sub] was interrupted: queued resource [sub] is SUSPENDED.
  Deleting the queued resource [sub] and making it anew.
  TPU VM [sub] was made anew since the last time: it has other host keys, which are checked.
  Job [sub] finished after 1 attempt.
