A queued resource that is asked for in several zones at once.

  $ start_emulator
  $ ask() { tpuctl queued-resources create "$1" --node-id="$1" --accelerator-type=v5litepod-8 --runtime-version=v2-alpha-tpuv5-lite "${@:2}"; }
  $ where() { tpuctl queued-resources list --all-zones --format='value(name.basename(), name.segment(-3), state.state)' 2>/dev/null; }

The first zone that has the machines keeps it; nothing is left in the others:

  $ tpuctl emulator fault shortage:us-central2-b shortage:us-east5-b 2>/dev/null
  $ ask q --zones=us-central2-b,us-east5-b,europe-west4-b 2>&1 | grep -v ' after '
  Create request issued for: [q] in us-central2-b
  Create request issued for: [q] in us-east5-b
  Create request issued for: [q] in europe-west4-b
  Waiting for [q] to be ACTIVE in one of the zones...
  [q] is ACTIVE in europe-west4-b.
  Deleted [q] in us-central2-b.
  Deleted [q] in us-east5-b.
  ...done.
  Created queued_resource [q]. Its zone from now on: --zone=europe-west4-b
  $ where
  q\teurope-west4-b\tACTIVE (esc)

A zone that refuses drops out. At the time limit, and when it is interrupted, what is queued stays, and it is said how to be rid of it:

  $ tpuctl emulator fault shortage:europe-west4-b 2>/dev/null
  $ ask late --zones=nowhere-a,us-central2-b --timeout=2s 2>&1 | grep -v ' after '
  WARNING: Zone nowhere-a drops out: Permission denied on 'locations/nowhere-a' (or it may not exist).
  Create request issued for: [late] in us-central2-b
  Waiting for [late] to be ACTIVE in one of the zones...
  ...gave up.
  ERROR: (tpuctl.queued-resources.create) No zone had the machines within 2s: WAITING_FOR_RESOURCES in 1 zone.
  Delete the one in us-central2-b: tpuctl queued-resources delete projects/emulator/locations/us-central2-b/queuedResources/late --force
  $ tpuctl queued-resources create late --node-id=late --accelerator-type=v5litepod-8 --runtime-version=v2-alpha-tpuv5-lite --zones=us-east5-b,europe-west4-b >out 2>err &
  $ for i in $(seq 300); do grep -q 'WAITING_FOR_RESOURCES in 2' err && break; sleep 0.1; done
  $ kill $!; wait $!
  [143]
  $ tail -4 err | sed 's/locations.*resources/.../'
  ...interrupted.
  Terminated.
  Delete the one in us-east5-b: tpuctl queued-resources delete projects/emulator/locations/us-east5-b/queuedResources/late --force
  Delete the one in europe-west4-b: tpuctl queued-resources delete projects/emulator/locations/europe-west4-b/queuedResources/late --force

No zone has any, and what cannot be:

  $ tpuctl emulator fault none stockout:2 2>/dev/null
  $ ask none --zones=us-west1-c,us-west4-a 2>&1 | grep -v ' after \|^WARNING'
  Create request issued for: [none] in us-west1-c
  Create request issued for: [none] in us-west4-a
  Waiting for [none] to be ACTIVE in one of the zones...
  ...failed.
  ERROR: (tpuctl.queued-resources.create) The request came to nothing in every zone, 2 in all.
  Delete the one in us-west1-c: tpuctl queued-resources delete projects/emulator/locations/us-west1-c/queuedResources/none --force
  Delete the one in us-west4-a: tpuctl queued-resources delete projects/emulator/locations/us-west4-a/queuedResources/none --force
  $ ask none --zones=us-west1-c,us-west4-a >out 2>err
  [5]
  $ ask x --zones=us-west1-c,us-west1-c
  ERROR: (tpuctl.queued-resources.create) Invalid value for [--zones]: each zone once, as in us-west4-a,us-east5-b.
  [2]
  $ ask x --zones=
  ERROR: (tpuctl.queued-resources.create) Invalid value for [--zones]: it names no zone.
  [2]
  $ ask projects/p/locations/z/queuedResources/x --zones=us-west1-c 2>&1 | head -1
  ERROR: (tpuctl.queued-resources.create) [projects/p/locations/z/queuedResources/x] is in one zone; with --zones give its bare name.
  $ ask x --zones=us-west1-c,us-west4-a --dry-run | grep -c '^POST.*queuedResourceId=x'
  2
