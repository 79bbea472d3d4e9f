Networks that fail while a job is followed. The job is none the worse for it.

  $ start_emulator
  $ tpuctl tpu-vm create n --accelerator-type=v4-16 --version=tpu-ubuntu2204-base --quiet 2>/dev/null
  $ until_said() { for i in $(seq 900); do grep -q "$1" err && return; sleep 0.1; done; echo "never said: $1"; cat err; }
  $ go='until [ -e "$HOME/go" ]; do sleep 0.2; done; echo gone on'
  $ let_go() { for worker in "$TPUCTL_EMULATOR_DIR"/workers/n-*; do touch "$worker/home/go"; done; }
  $ export XDG_RUNTIME_DIR=$TPUCTL_TEST_SCRATCH/run
  $ mkdir -m 700 "$XDG_RUNTIME_DIR"
  $ cut() { tpuctl emulator fault "refuse:$1" 2>/dev/null; pkill -f "$XDG_RUNTIME_DIR/tpuctl/"; }

The way to the workers is cut for a while, with the connections that there are; it is said once, and so is that they answer again:

  $ tpuctl jobs run j --tpu=n --watch -- "$go" >out 2>err </dev/null &
  $ sleep 1; until_said RUNNING
  $ cut n:8s
  $ until_said 'contact again'
  $ let_go
  $ wait %1
  $ sed -n '/RUNNING/,$p' err; cat out
  Job [j] attempt 1: RUNNING
  WARNING: Job [j]: no contact with n/0 and 1 more (could not connect (ssh: connect to host * Connection refused)). The job needs none; trying again. (glob)
  Job [j]: contact again, after * (glob)
  Job [j] finished after 1 attempt.
  gone on

One worker that does not come back in time is lost; its job is not touched, and can be followed again:

  $ rm "$TPUCTL_EMULATOR_DIR"/workers/n-*/home/go
  $ tpuctl jobs run k --tpu=n --watch --lost-after=3s -- "$go" >out 2>err </dev/null &
  $ sleep 1; until_said RUNNING
  $ cut n/1
  $ wait %1
  [6]
  $ sed -n '/RUNNING/,$p' err
  Job [k] attempt 1: RUNNING
  WARNING: Job [k]: no contact with n/1 (could not connect (ssh: connect to host * Connection refused)). The job needs none; trying again. (glob)
  Job [k] attempt 1: LOST (n/1 could not be reached: could not connect (ssh: connect to host * Connection refused)) (glob)
  ERROR: (tpuctl.jobs.run) Job [k] is lost (n/1 could not be reached: could not connect (ssh: connect to host * Connection refused)). (glob)
  See: tpuctl jobs describe k
  Is it only out of reach? Follow it again: tpuctl jobs attach k
  $ tpuctl emulator fault heal:n 2>/dev/null
  $ tpuctl jobs describe k --format='value(state)'
  RUNNING

Lost within the budget of failures: when it is back before a new start, it goes on in the same attempt:

  $ tpuctl jobs attach k --watch --lost-after=3s --max-failures=1 >out 2>err </dev/null &
  $ sleep 1; until_said RUNNING
  $ cut n/1:12s
  $ until_said 'contact again'
  $ let_go
  $ wait %1
  $ sed -n '/LOST/,$p' err
  Job [k] attempt 1: LOST (n/1 could not be reached: could not connect (ssh: connect to host * Connection refused)) (glob)
  Job [k]: contact again: the job is RUNNING.
  Job [k] attempt 1: RUNNING
  Job [k] finished after 1 attempt.

Cloud TPU itself does not answer:

  $ rm "$TPUCTL_EMULATOR_DIR"/workers/n-*/home/go
  $ tpuctl jobs run a --tpu=n --watch -- "$go" >out 2>err </dev/null &
  $ sleep 1; until_said RUNNING
  $ tpuctl emulator fault reset:7 2>/dev/null
  $ until_said 'contact again'
  $ let_go
  $ wait %1
  $ sed -n '/RUNNING/,$p' err; cat out
  Job [a] attempt 1: RUNNING
  WARNING: Job [a]: no contact with Cloud TPU (Cannot reach http://* Connection reset by peer.). The job needs none; trying again. (glob)
  Job [a]: contact again, after * (glob)
  Job [a] finished after 1 attempt.
  gone on

Neither answers, for long: there is no connection, and the job goes on:

  $ rm "$TPUCTL_EMULATOR_DIR"/workers/n-*/home/go
  $ tpuctl jobs run z --tpu=n --watch --lost-after=2s -- "$go" >out 2>err </dev/null &
  $ sleep 1; until_said RUNNING
  $ tpuctl emulator fault reset 2>/dev/null; cut n
  $ wait %1
  [255]
  $ sed -n '/RUNNING/,$p' err
  Job [z] attempt 1: RUNNING
  WARNING: Job [z]: no contact with Cloud TPU, n/0 and 1 more (could not connect (ssh: connect to host * Connection refused)). The job needs none; trying again. (glob)
  ERROR: (tpuctl.jobs.run) No contact with job [z] for *: neither Cloud TPU nor any worker answers (Cannot reach http://* (glob)
  The job needs none, and may go on. Come back: tpuctl jobs attach z
  $ tpuctl emulator fault none heal:n 2>/dev/null
  $ tpuctl jobs describe z --format='value(state)'
  RUNNING
