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

What was written while it lasted is gone with it:

  $ tpuctl emulator fault heal:n
  Set fault [heal:n].
  $ on n/1 'ls; echo two >other && ls'
  other
  $ tpuctl jobs run j --tpu=n -- echo done </dev/null 2>/dev/null
  done
