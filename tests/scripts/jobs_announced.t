Maintenance that is announced days before: which jobs it will meet, and that it disturbs nothing until then.

  $ start_emulator
  $ tpuctl queued-resources create pair --node-count=2 --node-prefix=s --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base --autocheckpoint-enabled --quiet 2>/dev/null
  $ tpuctl queued-resources wait pair 2>/dev/null
  $ tpuctl tpu-vm create bare --accelerator-type=v4-8 --version=tpu-ubuntu2204-base --quiet 2>/dev/null
  $ tpuctl emulator fault announce:s-1:72h 2>/dev/null
  $ tpuctl emulator fault announce:bare:48h 2>/dev/null
  $ tpuctl jobs run two --queued-resource=pair --detach -- 'exec sleep 1000' </dev/null 2>&1 | grep announced
  Maintenance of TPU VM [s-1] is announced for 20*Z. To have it before: tpuctl tpu-vm perform-maintenance s-1 (glob)
  $ tpuctl jobs run one --tpu=bare --detach -- 'exec sleep 1000' </dev/null 2>/dev/null
  $ tpuctl jobs list | sed 's/20[-0-9T:.]*Z/TIME/'
  NAME  TARGET                ZONE           STATE    ATTEMPT  WORKERS  AUTOCHECKPOINT  MAINTENANCE
  one   tpu bare              us-central2-b  RUNNING  1        1        False           TIME
  two   queued-resource pair  us-central2-b  RUNNING  1        2        True            TIME
  $ tpuctl jobs describe two --format='value(maintenance[0].node, maintenance[0].type, maintenance[0].effect)'
  s-1\tSCHEDULED\tSIGTERM and five minutes to save, on all slices (esc)
  $ tpuctl jobs describe one --format='value(maintenance[0].effect)'
  processes end at once: no Autocheckpoint
  $ tpuctl jobs stop one 2>/dev/null
  $ tpuctl jobs stop two 2>/dev/null

A window to come does not keep a job from being started again:

  $ tpuctl jobs run again --queued-resource=pair --watch --max-failures=1 -- 'echo attempt $TPUCTL_ATTEMPT; [ $TPUCTL_ATTEMPT = 2 ]' </dev/null 2>/dev/null
  attempt 1
  attempt 2

It is brought forward, and is over then:

  $ tpuctl tpu-vm perform-maintenance bare --quiet --format=none 2>/dev/null
  $ tpuctl tpu-vm describe bare --format='value(state, upcomingMaintenance)'
  READY\t (esc)
