A dry run shows the request and changes nothing:

  $ start_emulator
  $ tpuctl tpu-vm create one --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --autocheckpoint-enabled --dry-run
  POST http://127.0.0.1:*/v2alpha1/projects/emulator/locations/us-central2-b/nodes?alt=json&nodeId=one&requestId=* (glob)
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
  POST http://127.0.0.1:*/v2alpha1/projects/emulator/locations/us-central2-b/queuedResources?alt=json&queuedResourceId=pair&requestId=* (glob)
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
  DELETE http://127.0.0.1:*/v2alpha1/projects/emulator/locations/us-central2-b/nodes/one?alt=json&requestId=* (glob)
  $ tpuctl queued-resources delete pair --force --dry-run
  DELETE http://127.0.0.1:*/v2alpha1/projects/emulator/locations/us-central2-b/queuedResources/pair?alt=json&force=true&requestId=* (glob)
  $ tpuctl tpu-vm simulate-maintenance-event one --workers=0 --dry-run
  POST http://127.0.0.1:*/v2alpha1/projects/emulator/locations/us-central2-b/nodes/one:simulateMaintenanceEvent?alt=json (glob)
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
  $ python3 - <<'PY'
  > import json
  > sent = open("log").read().split("body: ", 1)[1].split("==== request end")[0]
  > print(json.loads(sent) == json.load(open("shown")))
  > PY
  True
  $ grep -i authorization log | sort -u
  Authorization: --- Token Redacted ---
  $ grep ya29.of-the-emulator log
  [1]

It needs no server and no account, and wrong flags are still wrong:

  $ tpuctl emulator stop
  Stopping the emulator...
  ...done.
  $ tpuctl tpu-vm delete one --dry-run
  DELETE http://127.0.0.1:*/v2alpha1/projects/emulator/locations/us-central2-b/nodes/one?alt=json&requestId=* (glob)
  $ (eval "$(tpuctl emulator env --unset)"; tpuctl tpu-vm delete one --dry-run --project=p --zone=z)
  ERROR: (tpuctl.tpu-vm.delete) You do not currently have an active account selected.
  Looked for, in this order:
    a token: --access-token-file=FILE, CLOUDSDK_AUTH_ACCESS_TOKEN, property auth/access_token_file
    a credential file: property auth/credential_file_override, GOOGLE_APPLICATION_CREDENTIALS
    an account: --account, property core/account
    application default credentials: */home/.config/gcloud/application_default_credentials.json (glob)
    the service account of this machine (metadata server)
  Sign in with one of:
    tpuctl auth login
    tpuctl auth application-default login
  To try without a cloud: tpuctl emulator start
  [4]
  $ tpuctl tpu-vm create one --version=v --spott --dry-run
  ERROR: (tpuctl.tpu-vm.create) unrecognized arguments: --spott (did you mean '--spot'?)
  Run `tpuctl tpu-vm create --help` for its flags.
  [2]
