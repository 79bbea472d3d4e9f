Shells and commands on workers: over real ssh, to workers that are processes of the emulator.

  $ start_emulator
  $ tpuctl tpu-vm create pod --version=tpu-ubuntu2204-base --accelerator-type=v4-32 --quiet 2>/dev/null
  $ tpuctl tpu-vm describe pod --format='value(networkEndpoints.len())'
  4

One worker. The first connection makes a key and tells the service; the second has nothing to say:

  $ tpuctl tpu-vm ssh pod --command='echo "hello from $(hostname) in $PWD"' </dev/null
  Making an ssh key pair for Cloud TPU: */emulator/ssh/key (glob)
  Propagating SSH public key to all workers of [pod]...
  SSH: Attempting to connect to worker 0...
  hello from t1v-n-*-w-0 in */emulator/workers/pod-0-*/home (glob)
  $ tpuctl tpu-vm ssh pod --worker=2 --command='hostname | sed "s/.*-//"' </dev/null
  SSH: Attempting to connect to worker 2...
  2
  $ tpuctl tpu-vm ssh pod --command='echo out; echo err >&2; exit 3' </dev/null
  SSH: Attempting to connect to worker 0...
  out
  err
  [3]
  $ tpuctl tpu-vm ssh pod --command="printf '%s|' \"a  b\" 'c\"d' \$((1+1)) '*' \\\\n" </dev/null
  SSH: Attempting to connect to worker 0...
  a  b|c"d|2|*|\n| (no-eol)
  $ stat -c %a "$CLOUDSDK_SSH_KEY_FILE"
  600

All workers, and some. Each line says whose it is; the exit code is that of the earliest failure:

  $ tpuctl tpu-vm ssh pod --worker=all --command='echo one; echo two' </dev/null 2>err | sort
  [pod/0] one
  [pod/0] two
  [pod/1] one
  [pod/1] two
  [pod/2] one
  [pod/2] two
  [pod/3] one
  [pod/3] two
  $ sort err
  SSH: Attempting to connect to 4 workers...
  $ tpuctl tpu-vm ssh pod --worker=1,3 --command='echo here' </dev/null 2>/dev/null | sort
  [pod/1] here
  [pod/3] here
  $ tpuctl tpu-vm ssh pod --worker=0-1 --command='printf "no newline"' </dev/null 2>/dev/null | sort
  [pod/0] no newline
  [pod/1] no newline
  $ tpuctl tpu-vm ssh pod --worker=all --command='case $(hostname) in *-2) exit 7 ;; esac' </dev/null
  SSH: Attempting to connect to 4 workers...
  ##### Command execution on worker pod/2 failed with exit status 7\.( Continuing\.)? (re)
  1 of 4 workers failed; the first was [pod/2], which failed with exit status 7.
  [7]

What comes on stdin goes whole to every worker:

  $ printf 'echo "script on $(hostname)"\nexit 0\n' | tpuctl tpu-vm ssh pod --worker=all --command='bash -s' 2>/dev/null | sort
  [pod/0] script on t1v-n-*-w-0 (glob)
  [pod/1] script on t1v-n-*-w-1 (glob)
  [pod/2] script on t1v-n-*-w-2 (glob)
  [pod/3] script on t1v-n-*-w-3 (glob)
  $ head -c 300000 /dev/urandom >blob
  $ tpuctl tpu-vm ssh pod --worker=all --command='cksum' <blob 2>/dev/null | sort | sed "s/$(cksum <blob)/THE BLOB/"
  [pod/0] THE BLOB
  [pod/1] THE BLOB
  [pod/2] THE BLOB
  [pod/3] THE BLOB
  $ tpuctl tpu-vm ssh pod --command='cat' <blob | cmp - blob
  SSH: Attempting to connect to worker 0...

A file for each worker, in a folder that must be there, as with gcloud:

  $ tpuctl tpu-vm ssh pod --worker=all --command='echo out; echo err >&2' --output-directory=logs </dev/null
  ERROR: (tpuctl.tpu-vm.ssh) The output directory [logs] does not exist.
  [125]
  $ mkdir logs
  $ tpuctl tpu-vm ssh pod --worker=all --command='echo out; echo err >&2' --output-directory=logs </dev/null 2>/dev/null
  $ ls logs
  0.log
  1.log
  2.log
  3.log
  $ sort logs/1.log
  err
  out

A dry run prints what can be pasted into a shell:

  $ tpuctl tpu-vm ssh pod --worker=1 --command="echo 'pasted  text'" --dry-run >line
  $ sed "s|$TPUCTL_TEST_SCRATCH|SCRATCH|g; s/[0-9.]*[0-9] /N /g" line | cut -c1-100
  /usr/bin/ssh -T -i SCRATCH/emulator/ssh/key -o CheckHostIP=no -o HashKnownHosts=no -o HostKeyAlias=t
  $ bash line </dev/null
  pasted  text
  $ tpuctl tpu-vm ssh pod --worker=all --command=true --dry-run | wc -l
  4

Further ssh flags, and a terminal of one's own:

  $ tpuctl tpu-vm ssh pod --ssh-flag='-o SetEnv=NOTHING=x' --command='echo fine' </dev/null
  SSH: Attempting to connect to worker 0...
  fine
  $ tpuctl tpu-vm ssh pod --command='tty' -- -T </dev/null
  SSH: Attempting to connect to worker 0...
  not a tty
  [1]
  $ printf 'echo "a shell on $(hostname)"\n' | tpuctl tpu-vm ssh pod -- -T 2>/dev/null
  a shell on t1v-n-*-w-0 (glob)

What cannot be:

  $ tpuctl tpu-vm ssh pod --worker=4 --command=true </dev/null
  ERROR: (tpuctl.tpu-vm.ssh) There is no worker 4: there are 4, numbers 0 to 3.
  [125]
  $ tpuctl tpu-vm ssh pod --worker=0,9 --command=true </dev/null
  ERROR: (tpuctl.tpu-vm.ssh) There is no worker 9: there are 4, numbers 0 to 3.
  [125]
  $ tpuctl tpu-vm ssh pod --worker=first --command=true </dev/null
  ERROR: (tpuctl.tpu-vm.ssh) Invalid value for [--worker]: [first].
  Use a number, a list of numbers and ranges like 0,2-5, or all.
  [2]
  $ tpuctl tpu-vm ssh pod --worker=all </dev/null
  ERROR: (tpuctl.tpu-vm.ssh) More than one worker needs --command.
  Or choose one worker: --worker=0
  [2]
  $ tpuctl tpu-vm ssh nothing --command=true </dev/null
  ERROR: (tpuctl.tpu-vm.ssh) NOT_FOUND: Resource 'projects/emulator/locations/us-central2-b/nodes/nothing' was not found. This command is authenticated with an access token from */emulator/gcloud/emulator-token specified by the [auth/access_token_file] property. (glob)
  - '@type': type.googleapis.com/google.rpc.ResourceInfo
    resourceName: projects/emulator/locations/us-central2-b/nodes/nothing
  [125]
  $ tpuctl tpu-vm ssh pod --worker=all --command=true --batch-size=0 </dev/null
  ERROR: (tpuctl.tpu-vm.ssh) Invalid value for [--batch-size]: [0].
  Use a number of at least 1, or all.
  [2]
  $ touch file
  $ tpuctl tpu-vm ssh pod --ssh-key-file=file/key --command=true </dev/null
  ERROR: (tpuctl.tpu-vm.ssh) Cannot lock [file/key.lock]: Not a directory.
  [125]
  $ tpuctl tpu-vm ssh pod --command=no-such-program </dev/null
  SSH: Attempting to connect to worker 0...
  bash: line 1: no-such-program: command not found
  [127]

Without ssh on this machine:

  $ mkdir few
  $ for program in bash sh env; do ln -s "$(command -v $program)" few/; done
  $ PATH=$PWD/few "$(command -v tpuctl)" tpu-vm ssh pod --command=true </dev/null
  ERROR: (tpuctl.tpu-vm.ssh) There is no ssh on PATH.
  Install the OpenSSH client.
  [125]

A worker that cannot be reached, and one that is silent:

  $ CLOUDSDK_SSH_PORT=1 timeout 120 tpuctl tpu-vm ssh pod --worker=0,1 --command=true --worker-timeout=3s </dev/null 2>err
  [6]
  $ grep -v '\[pod/.*Connection refused$' err | sed 's/host [0-9.]* port/host ADDRESS port/'
  SSH: Attempting to connect to 2 workers...
  No connection to pod/0, pod/1 yet; trying again...
  ##### Command execution on worker pod/* did not answer within its time limit (ssh: connect to host ADDRESS port 1: Connection refused). Continuing. (glob)
  ##### Command execution on worker pod/* did not answer within its time limit (ssh: connect to host ADDRESS port 1: Connection refused). (glob)
  2 of 2 workers failed; the first was [pod/*], which did not answer within its time limit (ssh: connect to host ADDRESS port 1: Connection refused). (glob)
  $ grep -o '\[pod/.*Connection refused$' err | sort | sed 's/host .* port/host ADDRESS port/'
  [pod/0] ssh: connect to host ADDRESS port 1: Connection refused
  [pod/1] ssh: connect to host ADDRESS port 1: Connection refused
  $ tpuctl tpu-vm ssh pod --worker=all --worker-timeout=20s --command='case $(hostname) in *-1) sleep 1000 ;; esac; echo done' </dev/null 2>err | sort
  [pod/0] done
  [pod/2] done
  [pod/3] done
  $ cat err
  SSH: Attempting to connect to 4 workers...
  ##### Command execution on worker pod/1 did not end within its time limit.
  Ending the command on 1 worker...
  1 of 4 workers failed; the first was [pod/1], which did not end within its time limit.
  $ timeout 60 tpuctl tpu-vm ssh pod --worker-timeout=2s --command='sleep 1000' </dev/null 2>/dev/null
  [6]

Another machine under the same name: its new host key is vouched for by the service:

  $ tpuctl tpu-vm delete pod --quiet 2>/dev/null
  $ tpuctl tpu-vm create pod --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --quiet 2>/dev/null
  $ tpuctl tpu-vm ssh pod --command='echo "hello again"' </dev/null 2>/dev/null
  hello again
