A dry run shows the request and changes nothing:

  $ start_emulator
  $ tpuctl tpu-vm create one --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --autocheckpoint-enabled --dry-run
  POST http://127.0.0.1:44161/v2alpha1/projects/emulator/locations/us-central2-b/nodes?alt=json&nodeId=one&requestId=9f115d32-281b-43a4-8f80-8f8a5a0ccf32
  {
    "acceleratorType": "v4-8",
    "autocheckpointEnabled": true,
    "metadata": {},
    "networkConfig": {
      "enableExternalIps": true,
      "network": "default"
    },
    "runtimeVersion": "tpu-ubuntu2204-base",
    "schedulingConfig": {
      "preemptible": false,
      "provisioningModel": "STANDARD",
      "reserved": false,
      "spot": false
    },
    "shieldedInstanceConfig": {
      "enableSecureBoot": false
    }
  }
  $ tpuctl queued-resources create pair --node-count=2 --accelerator-type=v4-16 --runtime-version=tpu-ubuntu2204-base --spot --valid-until-duration=6h --dry-run
  POST http://127.0.0.1:44161/v2alpha1/projects/emulator/locations/us-central2-b/queuedResources?alt=json&queuedResourceId=pair&requestId=e13fd475-624a-4b54-af57-431be3e6b87d
  {
    "provisioningModel": "SPOT",
    "queueingPolicy": {
      "validUntilDuration": "21600s"
    },
    "spot": {},
    "tpu": {
      "nodeSpec": [
        {
          "multiNodeParams": {
            "nodeCount": 2
          },
          "node": {
            "acceleratorType": "v4-16",
            "autocheckpointEnabled": false,
            "metadata": {},
            "networkConfig": {
              "enableExternalIps": true,
              "network": "default"
            },
            "runtimeVersion": "tpu-ubuntu2204-base",
            "serviceAccount": {}
          },
          "parent": "projects/emulator/locations/us-central2-b"
        }
      ]
    }
  }
  $ tpuctl tpu-vm list
  Listed 0 items.
  $ tpuctl queued-resources list
  Listed 0 items.
  $ tpuctl operations list
  Listed 0 items.

What is on stdout alone is the request, so that the body can be taken apart:

  $ tpuctl tpu-vm create one --version=tpu-ubuntu2204-base --dry-run --labels=a=b 2>/dev/null | sed 1d | python3 -c 'import json, sys; print(json.load(sys.stdin)["labels"])'
  {'a': 'b'}

Deleting asks nothing and sends nothing:

  $ tpuctl tpu-vm create one --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --quiet 2>/dev/null
  $ tpuctl tpu-vm delete one --dry-run
  DELETE http://127.0.0.1:44161/v2alpha1/projects/emulator/locations/us-central2-b/nodes/one?alt=json&requestId=a21284db-14ad-43a0-9764-33b214151b39
  $ tpuctl queued-resources delete pair --force --dry-run
  DELETE http://127.0.0.1:44161/v2alpha1/projects/emulator/locations/us-central2-b/queuedResources/pair?alt=json&force=true&requestId=749e876e-f878-4b46-898e-e58c0c880353
  $ tpuctl tpu-vm simulate-maintenance-event one --workers=0 --dry-run
  POST http://127.0.0.1:44161/v2alpha1/projects/emulator/locations/us-central2-b/nodes/one:simulateMaintenanceEvent?alt=json
  {
    "workerIds": [
      "0"
    ]
  }
  $ tpuctl tpu-vm describe one --format='value(state)'
  READY

The request that is shown is the one that is sent:

  $ tpuctl tpu-vm create shown --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --dry-run | sed 1d >shown
  $ tpuctl tpu-vm create shown --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --quiet --log-http 2>log
  $ grep -c '"acceleratorType": *"v4-8"' log
  2
  $ grep -i -A1 '^.*authorization' log | grep -c emulator-token
  0
  [1]

It needs no server and no account, and wrong flags are still wrong:

  $ tpuctl emulator stop
  Stopping the emulator...
  ...done.
  $ tpuctl tpu-vm delete one --dry-run
  DELETE http://127.0.0.1:44161/v2alpha1/projects/emulator/locations/us-central2-b/nodes/one?alt=json&requestId=f0660415-98fb-4a16-b9c4-df071ab135dd
  $ CLOUDSDK_AUTH_ACCESS_TOKEN_FILE=/nothing tpuctl tpu-vm delete one --dry-run
  ERROR: (tpuctl.tpu-vm.delete) Unable to read file [/nothing]: No such file or directory.
  [1]
  $ tpuctl tpu-vm create one --version=v --spott --dry-run
  ERROR: (tpuctl.tpu-vm.create) unrecognized arguments: --spott (did you mean '--spot'?)
  Run `tpuctl tpu-vm create --help` for its flags.
  [2]
