Real JAX and Orbax on the workers of the emulator: a pod of two workers that finds itself through the metadata, trains on CPU,
and is maintained in the middle of an interval. The drill proves that nothing is lost.

  $ start_emulator
  $ make() { tpuctl tpu-vm create "$1" --accelerator-type=v4-16 --version=tpu-ubuntu2204-base --quiet "${@:2}" 2>/dev/null; }
  $ train() {
  >   tpuctl jobs run "$1" --tpu="$1" --workdir="$REPO/examples" --watch --framework=orbax --checkpoint-dir="$PWD/$1" -- \
  >     python3 orbax_trainer.py --steps="$2" --save-every=50 --step-seconds=0.1 --checkpoint-dir="$PWD/$1" >"$1.out" 2>"$1.err" </dev/null &
  > }
  $ until_log() { for i in $(seq 600); do grep -q "$2" "$1.out" && return; sleep 0.2; done; echo "never came: $2"; cat "$1.out" "$1.err"; }
  $ make kept --autocheckpoint-enabled
  $ train kept 100000
  $ until_log kept '^step 60$'
  $ tpuctl jobs drill kept --worker=1 --quiet --format='value(verdict, source, stepsLost)' 2>drill.err || cat drill.err kept.out kept.err
  NOTHING_LOST\tmaintenance-event\t0 (esc)
  $ tpuctl jobs describe kept --format=json | python3 -c '
  > import json, sys
  > row = json.load(sys.stdin)["interruptions"][0]
  > print(row["lastRegularCheckpoint"] % 50, row["savedAt"] == row["resumedAt"] == row["lastStep"] > row["lastRegularCheckpoint"])'
  0 True
  $ tpuctl jobs stop kept --grace=60s 2>/dev/null
  $ wait %1
  [143]

Without Autocheckpoint the processes die at once, and the drill says what that costs:

  $ make lost
  $ train lost 100000
  $ until_log lost '^step 60$'
  $ tpuctl jobs drill lost --quiet --format='value(verdict, resumedAt)' 2>drill.err
  STEPS_LOST\t50 (esc)
  [1]
  $ grep -c 'steps were lost' drill.err
  1
  $ tpuctl jobs stop lost --grace=60s 2>/dev/null
