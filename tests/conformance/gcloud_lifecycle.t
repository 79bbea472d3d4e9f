The Google Cloud CLI itself against the emulator, through the life of a TPU VM and of a queued resource. It asks for nothing
that the emulator does not know:

  $ start_emulator
  $ export CLOUDSDK_CORE_DISABLE_PROMPTS=1 CLOUDSDK_CORE_DISABLE_USAGE_REPORTING=true CLOUDSDK_SURVEY_DISABLE_PROMPTS=true
  $ export CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK=true CLOUDSDK_CORE_DISABLE_FILE_LOGGING=true
  $ vm() { gcloud alpha compute tpus tpu-vm "$@" </dev/null 2>err || { code=$?; tail -3 err; return $code; }; }
  $ qr() { gcloud alpha compute tpus queued-resources "$@" </dev/null 2>err || { code=$?; tail -3 err; return $code; }; }

  $ vm create one --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --autocheckpoint-enabled
  $ tail -1 err
  Created tpu [one].
  $ vm list
  NAME  ZONE           ACCELERATOR_TYPE  TYPE  TOPOLOGY  NETWORK  RANGE          STATUS
  one   us-central2-b  v4-8              V4    2x2x1     default  10.128.0.0/20  READY
  $ vm describe one --format='value(state,health,autocheckpointEnabled)'
  READY	HEALTHY	True
  $ vm update one --update-labels=team=vision
  $ vm attach-disk one --disk=data --format='value(dataDisks[].mode)'
  READ_WRITE
  $ vm describe one --format='value(labels.team,dataDisks[0].sourceDisk.basename())'
  vision	data
  $ vm detach-disk one --disk=data --format='value(name)' >/dev/null
  $ vm stop one --format='value(response.state)' | tail -1
  STOPPED
  $ vm start one --format='value(response.state)' | tail -1
  READY
  $ vm get-guest-attributes one --format='value(namespace,key)'
  hostkeys	ssh-ed25519
  tpu	hostname
  $ vm simulate-maintenance-event one --workers=0 --format='value(response.health)'
  HEALTHY
  $ vm perform-maintenance one --format='value(response.state)'
  READY

Over ssh and scp, with the emulator's port and key:

  $ ssh_flags="--ssh-key-file=$CLOUDSDK_SSH_KEY_FILE --strict-host-key-checking=no"
  $ vm ssh one $ssh_flags --ssh-flag="-p $CLOUDSDK_SSH_PORT" --command='echo hello from $(hostname)' | tail -1
  hello from t1v-n-*-w-0 (glob)
  $ echo payload >file
  $ vm scp file one: $ssh_flags --scp-flag="-P $CLOUDSDK_SSH_PORT"
  $ vm ssh one $ssh_flags --ssh-flag="-p $CLOUDSDK_SSH_PORT" --command='cat file'
  payload

  $ qr create pair --node-count=2 --node-prefix=s --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base
  $ tpuctl queued-resources wait pair 2>/dev/null
  $ qr list
  NAME  ZONE           NODE_COUNT  ACCELERATOR_TYPE  TYPE  TOPOLOGY  STATE
  pair  us-central2-b  2           v4-8                              ACTIVE
  $ qr describe pair --format='value(state.state,tpu.nodeSpec[].nodeId)'
  ACTIVE	s-0;s-1
  $ qr perform-maintenance pair --node-names=s-0 --format='value(response.state.state)'
  ACTIVE
  $ qr reset pair --format='value(done)'
  True
  $ tpuctl queued-resources wait pair 2>/dev/null
  $ qr delete pair --force

The catalogue, in both versions of gcloud's words:

  $ for what in accelerator-types versions topologies locations; do
  >   gcloud compute tpus $what list --limit=1 --format='value(name)' 2>&1 | wc -l
  > done
  1
  1
  1
  1
  $ gcloud compute tpus accelerator-types describe v4-8 --format='value(type)'
  v4-8
  $ gcloud compute tpus versions describe 2.12.0 --format='value(version)'
  2.12.0
  $ gcloud compute tpus tpu-vm versions describe tpu-ubuntu2204-base --format='value(version)'
  tpu-ubuntu2204-base
  $ gcloud compute tpus locations describe us-central2-b --format='value(locationId)'
  us-central2-b
  $ gcloud alpha compute tpus reservations list
  Listed 0 items.
  $ vm service-identity create --format='value(identity.email)'
  service-*@cloud-tpu.iam.gserviceaccount.com (glob)

  $ vm delete one
  $ tail -1 err
  Deleted tpu [one].
  $ vm list
