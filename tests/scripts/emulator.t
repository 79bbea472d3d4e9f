The emulator leaves the user's files alone. A home with something in it:

  $ mkdir -p "$HOME/.config/gcloud/configurations" "$HOME/.ssh"
  $ printf '[core]\nproject = mine\n' >"$HOME/.config/gcloud/configurations/config_default"
  $ printf default >"$HOME/.config/gcloud/active_config"
  $ printf 'Host *\n' >"$HOME/.ssh/config"
  $ picture() { (cd "$HOME" && find . -printf '%y %m %s %T@ %p\n' | sort -k5; find . -type f -exec cksum {} +); }
  $ picture >before

Start, and what it says:

  $ tpuctl emulator status
  ERROR: (tpuctl.emulator.status) No emulator runs in [*/emulator]. (glob)
  Start it: tpuctl emulator start
  [3]
  $ tpuctl emulator env
  ERROR: (tpuctl.emulator.env) No emulator runs in [*/emulator]. (glob)
  Start it: tpuctl emulator start
  [3]
  $ tpuctl emulator stop
  ERROR: (tpuctl.emulator.stop) No emulator runs in [*/emulator]. (glob)
  Start it: tpuctl emulator start
  [3]
  $ tpuctl emulator start --speed=1000
  The emulator runs at http://127.0.0.1:*/ (folder */emulator). (glob)
  Commands on its workers run on this machine, as you.
  Point this shell at it:  eval "$(tpuctl emulator env)"
  $ tpuctl emulator status
  dir: */emulator (glob)
  pid: * (glob)
  port: * (glob)
  speed: 1000
  ssh_port: * (glob)
  started: '*' (glob)
  url: http://127.0.0.1:*/ (glob)
  $ tpuctl emulator status --format='value(speed)'
  1000
  $ tpuctl emulator start
  ERROR: (tpuctl.emulator.start) An emulator runs in [*/emulator] already, at http://127.0.0.1:*/. (glob)
  Use it: eval "$(tpuctl emulator env)", or stop it: tpuctl emulator stop
  [5]
  $ tpuctl emulator env
  export TPUCTL_EMULATOR_DIR=*/emulator (glob)
  export CLOUDSDK_CONFIG=*/emulator/gcloud (glob)
  export CLOUDSDK_AUTH_ACCESS_TOKEN_FILE=*/emulator/gcloud/emulator-token (glob)
  export CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU=http://127.0.0.1:*/ (glob)
  export CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE=http://127.0.0.1:*/compute/v1/ (glob)
  export CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDRESOURCEMANAGER=http://127.0.0.1:*/ (glob)
  export CLOUDSDK_API_ENDPOINT_OVERRIDES_OSLOGIN=http://127.0.0.1:*/ (glob)
  export CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE=http://127.0.0.1:*/storage/v1/ (glob)
  export CLOUDSDK_SSH_PORT=* (glob)
  export CLOUDSDK_SSH_KEY_FILE=*/emulator/ssh/key (glob)
  export CLOUDSDK_SSH_KNOWN_HOSTS_FILE=*/emulator/ssh/known_hosts (glob)
  $ eval "$(tpuctl emulator env)"
  $ tpuctl config list
  [api_endpoint_overrides]
  cloudresourcemanager = http://127.0.0.1:*/ (glob)
  compute = http://127.0.0.1:*/compute/v1/ (glob)
  oslogin = http://127.0.0.1:*/ (glob)
  storage = http://127.0.0.1:*/storage/v1/ (glob)
  tpu = http://127.0.0.1:*/ (glob)
  [auth]
  access_token_file = */emulator/gcloud/emulator-token (glob)
  [compute]
  zone = us-central2-b
  [core]
  project = emulator
  [ssh]
  key_file = */emulator/ssh/key (glob)
  known_hosts_file = */emulator/ssh/known_hosts (glob)
  port = * (glob)
  
  Your active configuration is: [default]

A second one in the same place, on the same port, in a place that is a file, with faults that do not exist:

  $ tpuctl emulator start --dir=other --port="$(tpuctl emulator status --format='value(port)')"
  ERROR: (tpuctl.emulator.start) Cannot listen on 127.* port *; is something else using the port? (glob)
  Choose another one with --port.
  [1]
  $ touch file
  $ tpuctl emulator start --dir=file
  ERROR: (tpuctl.emulator.start) Cannot make the folder [*/emulator.t/file/ssh]: Not a directory. (glob)
  [1]
  $ tpuctl emulator start --dir=file/below
  ERROR: (tpuctl.emulator.start) Cannot make the folder [*/emulator.t/file/below]: Not a directory. (glob)
  [1]
  $ tpuctl emulator start --dir=other --fault=earthquake
  ERROR: (tpuctl.emulator.start) Fault [earthquake] is not understood: [earthquake] is unknown.
  Known are stockout, shortage, http, reset, lost, truncate, garbage, slow, unreachable, preempt, replace, announce, hang, full, block, refuse, late, keys, mute, heal, none. See `tpuctl emulator fault --help`.
  [2]
  $ tpuctl emulator start --dir=other --speed=0
  ERROR: (tpuctl.emulator.start) Invalid value for [--speed]: [0].
  Use a number above 0, e.g. 60.
  [2]
  $ tpuctl emulator start --dir=other --port=99999
  ERROR: (tpuctl.emulator.start) Invalid value for [--port]: [99999].
  Use a port from 1 to 65535, or 0.
  [2]
  $ tpuctl emulator start --dir=other --ssh-port=-1
  ERROR: (tpuctl.emulator.start) Invalid value for [--ssh-port]: [-1].
  Use a port from 1 to 65535, or 0.
  [2]
  $ tpuctl emulator fault earthquake
  ERROR: (tpuctl.emulator.fault) Fault [earthquake] is not understood: [earthquake] is unknown.
  Known are stockout, shortage, http, reset, lost, truncate, garbage, slow, unreachable, preempt, replace, announce, hang, full, block, refuse, late, keys, mute, heal, none. See `tpuctl emulator fault --help`.
  [2]
  $ tpuctl emulator fault http:200
  ERROR: (tpuctl.emulator.fault) Fault [http:200] is not understood: http needs a status from 400 to 599.
  Known are stockout, shortage, http, reset, lost, truncate, garbage, slow, unreachable, preempt, replace, announce, hang, full, block, refuse, late, keys, mute, heal, none. See `tpuctl emulator fault --help`.
  [2]
  $ tpuctl emulator fault preempt:nobody
  ERROR: (tpuctl.emulator.fault) NOT_FOUND: There is no node [nobody].
  [3]
  $ tpuctl emulator status --dir=other
  ERROR: (tpuctl.emulator.status) No emulator runs in [*/other]. (glob)
  Start it: tpuctl emulator start
  [3]

Two side by side know nothing of each other:

  $ tpuctl emulator start --dir=other --speed=1000
  The emulator runs at http://127.0.0.1:*/ (folder */other). (glob)
  Commands on its workers run on this machine, as you.
  Point this shell at it:  eval "$(tpuctl emulator env --dir=*/other)" (glob)
  $ tpuctl emulator start --dir=other
  ERROR: (tpuctl.emulator.start) An emulator runs in [*/other] already, at http://127.0.0.1:*/. (glob)
  Use it: eval "$(tpuctl emulator env --dir=*/other)", or stop it: tpuctl emulator stop --dir=*/other (glob)
  [5]
  $ (eval "$(tpuctl emulator env --dir=other)"; tpuctl tpu-vm create theirs --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --quiet 2>/dev/null; tpuctl tpu-vm list --format='value(name)')
  theirs
  $ tpuctl tpu-vm list
  Listed 0 items.
  $ tpuctl emulator stop --dir=other
  Stopping the emulator...
  ...done.

Work in it:

  $ tpuctl tpu-vm create one --version=tpu-ubuntu2204-base --accelerator-type=v4-16 --quiet 2>/dev/null
  $ tpuctl tpu-vm ssh one --worker=all --command='echo "$HOME" >here; ls' </dev/null 2>/dev/null | sort
  [one/0] here
  [one/1] here
  $ tpuctl queued-resources create q --node-id=qn --accelerator-type=v4-8 --runtime-version=tpu-ubuntu2204-base --quiet 2>/dev/null
  $ tpuctl queued-resources wait q 2>/dev/null

What was made is there after a stop and a start:

  $ tpuctl tpu-vm ssh one --command='nohup sleep 98765 >/dev/null 2>&1 & echo started' </dev/null 2>/dev/null
  started
  $ tpuctl emulator stop
  Stopping the emulator...
  ...done.
  $ pgrep -af "$TPUCTL_TEST_SCRATCH"
  [1]
  $ pgrep -u "$(id -u)" -fx 'sleep 98765'
  [1]
  $ tpuctl tpu-vm list
  ERROR: (tpuctl.tpu-vm.list) Cannot reach http://127.0.0.1:*: Failed to connect to 127.* port * after * ms: Couldn't connect to server. (glob)
  Does the emulator run? tpuctl emulator status, tpuctl emulator start
  [7]
  $ tpuctl emulator start --speed=1000 2>/dev/null
  $ eval "$(tpuctl emulator env)"
  $ tpuctl tpu-vm list
  NAME  ZONE           ACCELERATOR_TYPE  TYPE  TOPOLOGY  NETWORK  RANGE          STATUS
  one   us-central2-b  v4-16             V4    2x2x2     default  10.128.0.0/20  READY
  qn    us-central2-b  v4-8              V4    2x2x1     default  10.128.0.0/20  READY
  $ tpuctl queued-resources list --format='value(name, state.state)'
  q\tACTIVE (esc)
  $ tpuctl tpu-vm ssh one --worker=all --command='ls' </dev/null 2>/dev/null | sort
  [one/0] here
  [one/1] here

After kill -9 no worker lives on, and it starts again:

  $ kill -9 "$(tpuctl emulator status --format='value(pid)')"
  $ for i in $(seq 100); do pgrep -f "$TPUCTL_TEST_SCRATCH/emulator" >/dev/null || break; sleep 0.1; done
  $ pgrep -f "$TPUCTL_TEST_SCRATCH/emulator"
  [1]
  $ tpuctl emulator status
  ERROR: (tpuctl.emulator.status) No emulator runs in [*/emulator]. (glob)
  Start it: tpuctl emulator start
  [3]
  $ tpuctl emulator start --speed=1000 2>/dev/null
  $ eval "$(tpuctl emulator env)"
  $ tpuctl tpu-vm list --format='value(name, state)'
  one\tREADY (esc)
  qn\tREADY (esc)
  $ tpuctl emulator stop 2>/dev/null

Take the variables back; fish spells them otherwise:

  $ tpuctl emulator env --unset
  unset TPUCTL_EMULATOR_DIR
  unset CLOUDSDK_CONFIG
  unset CLOUDSDK_AUTH_ACCESS_TOKEN_FILE
  unset CLOUDSDK_API_ENDPOINT_OVERRIDES_TPU
  unset CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE
  unset CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDRESOURCEMANAGER
  unset CLOUDSDK_API_ENDPOINT_OVERRIDES_OSLOGIN
  unset CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE
  unset CLOUDSDK_SSH_PORT
  unset CLOUDSDK_SSH_KEY_FILE
  unset CLOUDSDK_SSH_KNOWN_HOSTS_FILE
  $ eval "$(tpuctl emulator env --unset)"
  $ env | grep -c CLOUDSDK
  0
  [1]
  $ tpuctl config get project
  mine
  $ tpuctl emulator env --unset --shell=fish | head -2
  set -e TPUCTL_EMULATOR_DIR
  set -e CLOUDSDK_CONFIG
  $ tpuctl emulator env --shell=tcsh
  ERROR: (tpuctl.emulator.env) argument --shell: Invalid choice: 'tcsh'. Valid choices are [sh, fish] (did you mean 'fish'?)
  Run `tpuctl emulator env --help` for its flags.
  [2]

And the home is as it was:

  $ picture >after
  $ diff before after
