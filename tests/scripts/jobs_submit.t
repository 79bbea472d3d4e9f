Jobs that machines start by themselves.

  $ start_emulator --bucket=bkt
  $ mkdir code
  $ cp "$REPO/examples/trainer.py" code/
  $ submit() { tpuctl jobs submit "$1" --accelerator-type=v4-16 --runtime-version=tpu-ubuntu2204-base "${@:2}"; }
  $ until_log() { for i in $(seq 600); do tpuctl jobs logs "$1" 2>/dev/null | grep -q "$2" && return; sleep 0.2; done; echo "never came: $2"; tpuctl jobs logs "$1"; }

The request, with nothing sent: label, Autocheckpoint and the startup script; no secret can get into it:

  $ submit plan --num-slices=2 --env=A=b --dry-run -- python3 train.py 2>err | sed 1d >body
  $ cat err
  WARNING: Without --autocheckpoint-enabled maintenance ends the job's processes at once, and what was not saved is lost.
  $ python3 -c 'import json; spec = json.load(open("body"))["tpu"]["nodeSpec"][0]; node = spec["node"]; print(spec["multiNodeParams"], node["labels"], node["autocheckpointEnabled"]); print(*node["metadata"]["startup-script"].split("\n")[:2], sep="\n")'
  {'nodeCount': 2, 'nodeIdPrefix': 'plan'} {'tpuctl-job': 'plan'} False
  #!/bin/sh
  # tpuctl job plan
  $ ENABLE_AUTOCHECKPOINT=true submit plan --dry-run -- true 2>&1 | grep autocheckpointEnabled
            "autocheckpointEnabled": true,
  $ ENABLE_AUTOCHECKPOINT=maybe submit plan --dry-run -- true
  ERROR: (tpuctl.jobs.submit) The environment variable ENABLE_AUTOCHECKPOINT is [maybe], which is neither true nor false.
  [2]
  $ submit plan --workdir=code -- true 2>&1 | tail -1
  ERROR: (tpuctl.jobs.submit) --workdir needs --bucket: the machines fetch the folder from there when they boot.
  $ submit plan --metadata=startup-script=x -- true 2>&1 | grep -v WARNING
  ERROR: (tpuctl.jobs.submit) The metadata has a startup-script, and that is how the job is started.
  Put what it does before the job's own command.

Before there are machines, and with no capacity:

  $ tpuctl emulator fault stockout:1 2>/dev/null
  $ submit dry --enable-autocheckpoint -- true 2>&1 | grep Submitted
  Submitted job [dry]: it starts by itself when its TPU VM is there.
  $ tpuctl jobs attach dry 2>&1 | head -1 | cut -c1-60
  ERROR: (tpuctl.jobs.attach) [dry] is FAILED: There is no mor
  $ tpuctl jobs describe dry --format='value(state)'
  FAILED
  $ tpuctl jobs logs dry 2>&1 | head -1 | cut -c1-92
  ERROR: (tpuctl.jobs.logs) Job [dry] has no log yet: queued resource [dry] is FAILED: There i
  $ tpuctl jobs stop dry 2>&1 | tail -1
  Give it up: tpuctl queued-resources delete projects/emulator/locations/us-central2-b/queuedResources/dry

Through maintenance without anybody's help: the script begins the next attempt, and no step is lost. Another machine sees it all.

  $ submit train --num-slices=2 --enable-autocheckpoint --workdir=code --bucket=gs://bkt/runs --checkpoint-dir="$PWD/ck" -- "python3 trainer.py --steps=100 --step-seconds=0.3 --checkpoint-dir=$PWD/ck" 2>&1 | sed 's/workdir-[0-9a-f]*/workdir-SUM/; s/, [0-9]* bytes/, N bytes/' | grep 'bucket\|Submitted\|Follow'
  Put [code] into the bucket: gs://bkt/runs/train/workdir-SUM.tgz (1 files, N bytes).
  Submitted job [train]: it starts by itself when its 2 slices are there.
  Follow it: tpuctl jobs attach train
  $ until_log train '^step 13 '
  $ tpuctl tpu-vm simulate-maintenance-event train-1 --quiet --format=none 2>/dev/null
  $ cp -r "$CLOUDSDK_CONFIG" elsewhere && rm -rf elsewhere/tpuctl
  $ CLOUDSDK_CONFIG=$PWD/elsewhere tpuctl jobs attach train >out 2>err
  $ tail -1 err
  Job [train] finished after 2 attempts.
  $ grep '^starting\|^finished' out
  starting from step 0
  finished at step 100
  $ [ "$(sed -n 's/^saved.* step \([0-9]*\) (unscheduled)/\1/p' out)" = "$(sed -n 's/^resumed from checkpoint at step //p' out)" ]
  $ CLOUDSDK_CONFIG=$PWD/elsewhere tpuctl jobs describe train --format='value(state, attempt, interruptions[0].stepsLost, checkpointDir.basename())'
  FINISHED\t2\t0\tck (esc)
  $ CLOUDSDK_CONFIG=$PWD/elsewhere tpuctl jobs list --format='value(name, state)' | sort
  dry\tFAILED (esc)
  train\tFINISHED (esc)
  $ tpuctl jobs stop train
  Stopping job [train]: SIGTERM now, SIGKILL after 5m00s.
  Job [train] had ended already.

Once the machines are gone, the bucket tells:

  $ tpuctl queued-resources delete train --force --quiet 2>/dev/null
  $ tpuctl jobs logs train 2>/dev/null | grep '^finished'
  finished at step 100
  $ tpuctl jobs logs train --worker=all --tail=1 2>/dev/null | sort
  [train-0/0] finished at step 100
  [train-0/1] finished at step 100
  [train-1/0] finished at step 100
  [train-1/1] finished at step 100
  $ tpuctl jobs describe train --format='value(state, attempt, workers.len(), source)'
  FINISHED\t2\t4\tgs://bkt/runs (esc)
  $ rm -rf elsewhere/tpuctl; CLOUDSDK_CONFIG=$PWD/elsewhere tpuctl jobs describe train --bucket=gs://bkt/runs --format='value(state)'
  FINISHED
  $ tpuctl jobs logs train --bucket=gs://bkt/none
  ERROR: (tpuctl.jobs.logs) There is nothing of job [train] in gs://bkt/none.
  [3]

On machines that exist, for as long as the job runs:

  $ tpuctl queued-resources create one --node-id=one --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base --autocheckpoint-enabled --quiet 2>/dev/null
  $ tpuctl queued-resources wait one 2>/dev/null
  $ tpuctl jobs run survivor --tpu=one --workdir=code --survive-reboot --detach -- "python3 trainer.py --steps=60 --step-seconds=0.3 --checkpoint-every=2 --checkpoint-dir=$PWD/sv" </dev/null 2>/dev/null
  $ until_log survivor '^step 3 '
  $ tpuctl tpu-vm describe one --format='value(metadata.startup-script)' | sed -n 2p
  # tpuctl job survivor
  $ tpuctl tpu-vm ssh one --command='(sleep 1; sudo reboot) </dev/null >/dev/null 2>&1 &' </dev/null 2>/dev/null
  $ until_log survivor '^resumed'
  $ tpuctl jobs wait survivor 2>&1 | tail -1
  Job [survivor] finished after 2 attempts.
  $ tpuctl tpu-vm describe one --format='value(metadata.startup-script)'
  
  $ tpuctl tpu-vm update one --update-metadata=startup-script='echo mine' --quiet 2>/dev/null
  $ tpuctl jobs run survivor --tpu=one --survive-reboot -- true </dev/null
  ERROR: (tpuctl.jobs.run) TPU VM [one] has a startup script of its own, which --survive-reboot would replace.
  Run without --survive-reboot, or remove it: tpuctl tpu-vm update one --remove-metadata=startup-script
  [125]
