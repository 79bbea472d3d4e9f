gcloud's words work, in all its tracks:

  $ start_emulator
  $ tpuctl alpha compute tpus tpu-vm create one --zone=us-central2-b --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --autocheckpoint-enabled --quiet
  Create request issued for: [one]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
  ...done.
  Created tpu [one].
  $ tpuctl compute tpus tpu-vm list --format='value(name)'
  one
  $ tpuctl alpha compute tpus tpu-vm list --format='value(name)'
  one
  $ tpuctl beta compute tpus tpu-vm list --format='value(name)'
  one
  $ tpuctl tpu-vm list --format='value(name)'
  one
  $ tpuctl alpha tpu-vm list
  NAME  ZONE           ACCELERATOR_TYPE  TYPE  TOPOLOGY  NETWORK  RANGE          STATUS
  one   us-central2-b  v4-8              V4    2x2x1     default  10.128.0.0/20  READY
  $ tpuctl compute tpus --help | sed -n 1,2p
  Provision Cloud TPUs and train on them through maintenance
  

The track chooses the API. The stable one does not know Autocheckpoint:

  $ tpuctl tpu-vm delete one --dry-run
  DELETE http://127.0.0.1:*/v2alpha1/projects/emulator/locations/us-central2-b/nodes/one?alt=json&requestId=* (glob)
  $ tpuctl alpha compute tpus tpu-vm delete one --dry-run
  DELETE http://127.0.0.1:*/v2alpha1/projects/emulator/locations/us-central2-b/nodes/one?alt=json&requestId=* (glob)
  $ tpuctl beta compute tpus tpu-vm delete one --dry-run
  DELETE http://127.0.0.1:*/v2alpha1/projects/emulator/locations/us-central2-b/nodes/one?alt=json&requestId=* (glob)
  $ tpuctl compute tpus tpu-vm delete one --dry-run
  DELETE http://127.0.0.1:*/v2/projects/emulator/locations/us-central2-b/nodes/one?alt=json (glob)
  $ tpuctl compute tpus tpu-vm describe one --format='value(name, autocheckpointEnabled)'
  projects/emulator/locations/us-central2-b/nodes/one\t (esc)
  $ tpuctl compute tpus tpu-vm create two --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --autocheckpoint-enabled
  ERROR: (tpuctl.tpu-vm.create) argument --autocheckpoint-enabled: This flag is v2alpha1 only: write `gcloud alpha compute tpus tpu-vm create --autocheckpoint-enabled` or `tpuctl tpu-vm create --autocheckpoint-enabled`.
  Run `tpuctl tpu-vm create --help` for its flags.
  [2]
  $ tpuctl compute tpus queued-resources create q --node-id=two --runtime-version=tpu-ubuntu2204-base --accelerator-type=v4-8 --autocheckpoint-enabled
  ERROR: (tpuctl.queued-resources.create) argument --autocheckpoint-enabled: This flag is v2alpha1 only: write `gcloud alpha compute tpus queued-resources create --autocheckpoint-enabled` or `tpuctl queued-resources create --autocheckpoint-enabled`.
  Run `tpuctl queued-resources create --help` for its flags.
  [2]
  $ tpuctl compute tpus tpu-vm simulate-maintenance-event one
  ERROR: (tpuctl.tpu-vm.simulate-maintenance-event) This command is v2alpha1 only: write `gcloud alpha compute tpus tpu-vm simulate-maintenance-event` or `tpuctl tpu-vm simulate-maintenance-event`.
  Run `tpuctl tpu-vm simulate-maintenance-event --help` for its flags.
  [2]
  $ tpuctl compute tpus tpu-vm list --format='value(name)'
  one

The property tpu/api_version goes before the track:

  $ tpuctl config set tpu/api_version v2
  Updated property [tpu/api_version].
  $ tpuctl tpu-vm delete one --dry-run
  DELETE http://127.0.0.1:*/v2/projects/emulator/locations/us-central2-b/nodes/one?alt=json (glob)
  $ tpuctl alpha compute tpus tpu-vm delete one --dry-run
  DELETE http://127.0.0.1:*/v2/projects/emulator/locations/us-central2-b/nodes/one?alt=json (glob)
  $ tpuctl tpu-vm create two --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --autocheckpoint-enabled
  ERROR: (tpuctl.tpu-vm.create) argument --autocheckpoint-enabled: This flag is v2alpha1 only: write `gcloud alpha compute tpus tpu-vm create --autocheckpoint-enabled` or `tpuctl tpu-vm create --autocheckpoint-enabled`.
  The property tpu/api_version is set to v2.
  [2]
  $ CLOUDSDK_TPU_API_VERSION=v2alpha1 tpuctl compute tpus tpu-vm delete one --dry-run
  DELETE http://127.0.0.1:*/v2alpha1/projects/emulator/locations/us-central2-b/nodes/one?alt=json&requestId=* (glob)
  $ CLOUDSDK_TPU_API_VERSION=v9 tpuctl tpu-vm list
  ERROR: (tpuctl.tpu-vm.list) The property tpu/api_version must be v2 or v2alpha1, not [v9].
  [2]
  $ tpuctl config unset tpu/api_version
  Unset property [tpu/api_version].

Called gcloud, it takes a script's gcloud calls:

  $ mkdir drop-in
  $ ln -s "$(command -v tpuctl)" drop-in/gcloud
  $ cat >script.sh <<'SH'
  > set -e
  > gcloud config set compute/zone us-central2-b
  > gcloud alpha compute tpus tpu-vm describe one --format='value(state)'
  > gcloud compute tpus tpu-vm delete one --quiet
  > gcloud compute tpus tpu-vm list
  > SH
  $ PATH=$PWD/drop-in:$PATH bash script.sh
  Updated property [compute/zone].
  READY
  Delete request issued for: [one]
  Waiting for operation [projects/emulator/locations/us-central2-b/operations/*] to complete... (glob)
  ...done.
  Deleted tpu [one].
  Listed 0 items.
  $ drop-in/gcloud compute tpus tpu-vm delete one --dry-run
  DELETE http://127.0.0.1:*/v2/projects/emulator/locations/us-central2-b/nodes/one?alt=json (glob)
  $ drop-in/gcloud compute instances list
  ERROR: (gcloud.compute) `gcloud compute` is outside of what tpuctl does, but for tpus: use gcloud.
  [2]
  $ drop-in/gcloud beta container clusters list 2>&1 | head -1
  ERROR: (gcloud.beta) `gcloud container` is outside of what tpuctl does.
  $ drop-in/gcloud storage rsync a gs://b 2>&1 | head -1
  ERROR: (gcloud.storage) `gcloud storage rsync` is outside of what tpuctl does.
  $ tpuctl storage buckets create gs://b 2>&1 | head -1
  ERROR: (tpuctl.storage) `gcloud storage buckets` is outside of what tpuctl does.
  $ drop-in/gcloud topic filters | head -1
  FILTERS
  $ drop-in/gcloud compute tpus tpu-vm lst
  ERROR: (gcloud.compute.tpus.tpu-vm) Invalid choice: 'lst'. Did you mean 'list'?
  Run `gcloud compute tpus tpu-vm --help` for its commands.
  [2]

Flags as gcloud takes them: with a blank or =, before or after the name, and abbreviations it accepts:

  $ tpuctl --project my-project tpu-vm delete --zone us-central2-b one --dry-run
  DELETE http://127.0.0.1:*/v2alpha1/projects/my-project/locations/us-central2-b/nodes/one?alt=json&requestId=* (glob)
  $ tpuctl tpu-vm delete one --project=my-project --zone us-central2-b --dry-run
  DELETE http://127.0.0.1:*/v2alpha1/projects/my-project/locations/us-central2-b/nodes/one?alt=json&requestId=* (glob)
  $ tpuctl tpu-vm delete projects/other/locations/europe-west4-b/nodes/one --dry-run
  DELETE http://127.0.0.1:*/v2alpha1/projects/other/locations/europe-west4-b/nodes/one?alt=json&requestId=* (glob)
  $ tpuctl tpu-vm delete projects/other/locations/europe-west4-b/queuedResources/one --dry-run
  ERROR: (tpuctl.tpu-vm.delete) [projects/other/locations/europe-west4-b/queuedResources/one] is not the name of a tpu.
  Use a bare name, or projects/PROJECT/locations/ZONE/nodes/NAME.
  [2]
  $ tpuctl tpu-vm create x --version v --no-autocheckpoint-enabled --dry-run | grep autocheckpoint
    "autocheckpointEnabled": false,
