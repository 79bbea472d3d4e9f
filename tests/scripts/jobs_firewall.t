A firewall between the workers, which would let the processes of a JAX job wait for each other for ever.

  $ start_emulator
  $ tpuctl tpu-vm create pod --accelerator-type=v4-32 --version=tpu-ubuntu2204-base --autocheckpoint-enabled --quiet 2>/dev/null
  $ run() { tpuctl jobs run "$1" --tpu=pod "${@:2}" -- 'echo on' </dev/null 2>&1 >/dev/null | grep 'WARNING\|finished'; }
  $ run free
  Job [free] finished after 1 attempt.

The port of the newer JAX, and how to do with the older one:

  $ tpuctl emulator fault block:pod/0:8482 2>/dev/null
  $ run newer
  WARNING: pod/1 and 2 more cannot reach port 8482 of pod/0, where the processes of a JAX job meet: they would wait there for ever. Let it through the network's firewall, or let them meet elsewhere: --env=JAX_COORDINATOR_PORT=8476.
  Job [newer] finished after 1 attempt.
  $ run elsewhere --env=JAX_COORDINATOR_PORT=8476
  Job [elsewhere] finished after 1 attempt.

Both, and one that was chosen:

  $ tpuctl emulator fault block:pod/0:8476 2>/dev/null
  $ run both
  WARNING: pod/1 and 2 more cannot reach port 8482 of pod/0, where the processes of a JAX job meet: they would wait there for ever. Let it through the network's firewall.
  Job [both] finished after 1 attempt.
  $ tpuctl emulator fault block:pod/0:9999 2>/dev/null
  $ run chosen --env=JAX_COORDINATOR_PORT=9999
  WARNING: pod/1 and 2 more cannot reach port 9999 of pod/0, where the processes of a JAX job meet: they would wait there for ever. Let it through the network's firewall.
  Job [chosen] finished after 1 attempt.
  $ tpuctl emulator fault heal:pod/0 2>/dev/null
  $ run healed
  Job [healed] finished after 1 attempt.

What answers, or refuses to, is no firewall: the other workers' ports do not count.

  $ tpuctl emulator fault block:pod/1:8482 2>/dev/null
  $ run others
  Job [others] finished after 1 attempt.
