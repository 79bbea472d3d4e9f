A worker whose disk is full; where this computer allows no mount namespace there is none.

  $ start_emulator
  $ on() { tpuctl tpu-vm ssh "${1%/*}" --worker="${1#*/}" --command="$2" </dev/null 2>&1 | grep -v 'SSH\|Making'; }
  $ tpuctl tpu-vm create n --accelerator-type=v4-16 --version=tpu-ubuntu2204-base --quiet 2>/dev/null
  $ tpuctl emulator fault full:n/1 2>err || { cat err; exit 80; }
  $ cat err
  Set fault [full:n/1].
  $ on n/1 'echo two >other'
  bash: *echo: write error: No space left on device (glob)
  $ on n/0 'echo two >other && ls'
  other
  $ tpuctl jobs run j --tpu=n -- true </dev/null 2>&1 | grep -v WARNING
  Starting job [j] on 2 workers of 1 TPU VM.
  ERROR: (tpuctl.jobs.run) The job was not started on any worker:
    n/1: the job's files did not arrive whole (is the disk full?)
  Mend it and run the same command again.

A disk that fills up while the job runs: how it ended is known, and why, and the job's own exit code:

  $ fill='echo filling; while head -c 100000 /dev/zero >>big; do sleep 0.01; done'
  $ tpuctl emulator fault heal:n 2>/dev/null
  $ tpuctl emulator fault full:n/1:3000000 2>/dev/null
  $ tpuctl jobs run j --tpu=n -- "case \$(hostname) in *-1) $fill; exit 3 ;; esac; echo on; exec sleep 1000" </dev/null 2>err
  on
  [3]
  $ sed -n '/first/,$p' err
  Job [j] failed: worker n/1 was the first (n/1 exited with 3; its disk is full: */jobs/j). Its last lines: (glob)
    [n/1] filling
    [n/1] head: error writing 'standard output': No space left on device
  Make room and run it again. Look: tpuctl tpu-vm ssh n --worker=1 --command='df -h; du -xsh ~/* /tmp/*'
  $ tpuctl jobs wait j 2>/dev/null
  [3]
  $ tpuctl jobs describe j --format='value(state, workers[1].state, workers[1].exitCode)'
  FAILED\tENDED_WITH_ERROR\t3 (esc)
  $ tpuctl jobs describe j --format='value(workers[0].diskFull, workers[1].diskFull)'
  \t*/jobs/j (esc) (glob)

One that does not mind is warned about while it runs, and can be stopped as ever:

  $ on n/1 'rm big && echo removed'
  removed
  $ tpuctl jobs run j --tpu=n -- "case \$(hostname) in *-1) $fill ;; esac; exec sleep 1000" </dev/null >/dev/null 2>err &
  $ for i in $(seq 300); do grep -q 'is full' err && break; sleep 0.2; done
  $ grep full err
  WARNING: Job [j]: the disk of n/1 is full, so that its log (in */jobs/j) and its checkpoints have gaps. Make room: tpuctl tpu-vm ssh n --worker=1 --command='df -h; du -xsh ~/* /tmp/*' (glob)
  $ tpuctl jobs stop j 2>&1 | tail -1
  Stopped job [j].
  $ wait %1
  [143]
  $ tpuctl jobs describe j --format='value(state)'
  STOPPED

A job that ran before the fault keeps its room, and is seen to its end:

  $ tpuctl emulator fault heal:n 2>/dev/null
  $ tpuctl jobs run before --tpu=n --detach -- 'while [ ! -e go ]; do sleep 0.1; done' </dev/null 2>/dev/null
  $ tpuctl jobs describe before --format='value(state)'
  RUNNING
  $ tpuctl emulator fault full:n/1 2>/dev/null
  $ tpuctl jobs describe before --format='value(state)'
  RUNNING
  $ for worker in "$TPUCTL_EMULATOR_DIR"/workers/n-*; do touch "$worker/home/go"; done
  $ tpuctl jobs wait before 2>&1 | tail -1
  Job [before] finished after 1 attempt.

What was written while it lasted is gone with it:

  $ tpuctl emulator fault heal:n
  Set fault [heal:n].
  $ on n/1 'rm go; ls; echo two >other && ls'
  other
  $ tpuctl jobs run j --tpu=n -- echo done </dev/null 2>/dev/null
  done
