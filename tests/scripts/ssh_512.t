A pod with 512 workers, from a machine with the usual limits of open files.

  $ export XDG_RUNTIME_DIR=$TPUCTL_TEST_SCRATCH/run; mkdir -m 700 "$XDG_RUNTIME_DIR"
  $ start_emulator
  $ tpuctl tpu-vm create big --version=tpu-ubuntu2204-base --accelerator-type=v4-4096 --quiet 2>/dev/null
  $ tpuctl tpu-vm describe big --format='value(networkEndpoints.len())'
  512
  $ cat >measured.py <<'PY'
  > import resource, subprocess, sys
  > code = subprocess.call(sys.argv[1:], stdin=subprocess.DEVNULL)
  > megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
  > print("little memory" if megabytes < 100 else f"{megabytes} MB", file=sys.stderr)
  > sys.exit(code)
  > PY

Where no more than 256 files may be open, workers wait for their turn; where 1024 may be, and more on request, they do not:

  $ (ulimit -n 256; timeout 500 python3 measured.py tpuctl tpu-vm ssh big --worker=all --command=hostname >out)
  Making an ssh key pair for Cloud TPU: */emulator/ssh/key (glob)
  Propagating SSH public key to all workers of [big]...
  SSH: Attempting to connect to 512 workers...
  little memory
  $ sed 's/^\[big.\([0-9]*\)\] t1v-n-[0-9a-f]*-w-\1$/right/' out | sort | uniq -c | sed 's/^ *//'
  512 right
  $ (ulimit -Sn 1024; timeout 500 python3 measured.py tpuctl tpu-vm ssh big --worker=all --command='echo $TPUCTL_WORKER_ADDRESS; exit $(hostname | grep -c -- "-w-7[0-9]$")' >out 2>err)
  [1]
  $ sort -u out | wc -l
  512
  $ grep -c 'Continuing' err; tail -n 3 err | head -n 2 | sed 's,big/[0-9]*,big/N,'
  10
  10 of 512 workers failed; the first was [big/N], which failed with exit status 1. Its last lines:
    127.* (glob)
  $ grep -c 'Too many open files' err
  0
  [1]
  $ for socket in "$XDG_RUNTIME_DIR"/tpuctl/*; do ssh -O exit -o ControlPath="$socket" nobody 2>/dev/null; done
