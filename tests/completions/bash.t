Tab in a real bash on a terminal: what is offered (sorted), and what the line is then.

  $ cat >rc <<'RC'
  > PS1='> '
  > source "$REPO/completions/tpuctl.bash"
  > _recorded() {
  >   _tpuctl "$@" 2>>errors
  >   printf '%s\n' "${COMPREPLY[@]}" >offered
  > }
  > complete -F _recorded tpuctl
  > line() { printf '%s' "$READLINE_LINE" >line.new; mv line.new line; }
  > bind -x '"\C-x\C-p": line'
  > bind 'set completion-query-items 0'
  > bind 'set page-completions off'
  > bind 'set bell-style none'
  > RC
  $ cat >tab.py <<'PY'
  > import os, pty, sys, threading, time
  > # tab.py LINE...: types each line and Tab into one bash, prints what was offered and the line that came of it
  > pid, terminal = pty.fork()
  > if pid == 0:
  >     os.execvp("bash", ["bash", "--noprofile", "--rcfile", "rc", "-i"])
  > def drain():
  >     try:
  >         while os.read(terminal, 65536): pass
  >     except OSError:
  >         pass
  > threading.Thread(target=drain, daemon=True).start()
  > def wait_for(name):
  >     deadline = time.time() + 60
  >     while not os.path.exists(name) and time.time() < deadline: time.sleep(0.01)
  >     return open(name).read()
  > for typed in sys.argv[1:]:
  >     for name in ("line", "offered"):
  >         if os.path.exists(name): os.remove(name)
  >     os.write(terminal, b"\x15" + typed.encode() + b"\t\x18\x10")
  >     line = wait_for("line")
  >     words = sorted(set(open("offered").read().split("\n"))) if os.path.exists("offered") else []
  >     print("%s| %s" % (line, "  ".join(word for word in words if word)))
  > os.write(terminal, b"\x15exit\n")
  > os.waitpid(pid, 0)
  > PY
  $ tab() { timeout 120 python3 tab.py "$@"; }

Commands and their verbs, in each spelling:

  $ tab 'tpuctl tpu' 'tpuctl tpu-vm cr' 'tpuctl tpu-vm d' 'tpuctl queued-resources w' 'tpuctl alpha compute tpus tpu-vm sim' 'tpuctl emulator '
  tpuctl tpu-vm | tpu-vm
  tpuctl tpu-vm create | create
  tpuctl tpu-vm de| delete  describe  detach-disk
  tpuctl queued-resources wait | wait
  tpuctl alpha compute tpus tpu-vm simulate-maintenance-event | simulate-maintenance-event
  tpuctl emulator | env  fault  start  status  stop

Flags, and the values of flags that have choices; what a readline that splits words at = makes of them:

  $ tab 'tpuctl tpu-vm create x --auto' 'tpuctl tpu-vm create x --sp' 'tpuctl emulator env --shell=' 'tpuctl emulator env --shell=f' 'tpuctl emulator env --shell f' 'tpuctl tpu-vm create x --provisioning-model=s' 'tpuctl tpu-vm list --format=j' 'tpuctl tpu-vm list --for'
  tpuctl tpu-vm create x --autocheckpoint-enabled | --autocheckpoint-enabled
  tpuctl tpu-vm create x --spot | --spot
  tpuctl emulator env --shell=| fish  sh
  tpuctl emulator env --shell=fish | fish
  tpuctl emulator env --shell fish | fish
  tpuctl tpu-vm create x --provisioning-model=s| spot  standard
  tpuctl tpu-vm list --format=json| json
  tpuctl tpu-vm list --format=| --format=

Properties, topics, files:

  $ tab 'tpuctl config set compute/z' 'tpuctl config get proj' 'tpuctl help exit'
  tpuctl config set compute/zone | compute/zone
  tpuctl config get project | project
  tpuctl help exit-codes | exit-codes
  $ mkdir -p code/inner
  $ touch code/file
  $ tab 'tpuctl emulator start --dir=co' 'tpuctl emulator start --dir co'
  tpuctl emulator start --dir=code/| code
  tpuctl emulator start --dir code/| code

No name without a project; then the names of what there is:

  $ tab 'tpuctl tpu-vm describe '
  tpuctl tpu-vm describe | 
  $ start_emulator --speed=5000
  $ for name in alpha-one alpha-two beta; do tpuctl tpu-vm create $name --version=tpu-ubuntu2204-base --accelerator-type=v4-8 --quiet 2>/dev/null; done
  $ warm() { for i in $(seq 50); do tpuctl __complete -- "$@" | grep -q '^[^:]' && return; sleep 1; done; }  # Tab itself has no patience
  $ warm tpu-vm describe ''; warm tpu-vm create x --accelerator-type ''; warm tpu-vm create x --version ''
  $ tab 'tpuctl tpu-vm describe ' 'tpuctl tpu-vm delete alpha' 'tpuctl tpu-vm ssh b' 'tpuctl jobs run x --tpu=b'
  tpuctl tpu-vm describe | alpha-one  alpha-two  beta
  tpuctl tpu-vm delete alpha-| alpha-one  alpha-two
  tpuctl tpu-vm ssh beta | beta
  tpuctl jobs run x --tpu=beta| beta
  $ tab 'tpuctl tpu-vm create x --accelerator-type=v4-8' 'tpuctl tpu-vm create x --version tpu-ubuntu2204-b'
  tpuctl tpu-vm create x --accelerator-type=v4-8 | v4-8
  tpuctl tpu-vm create x --version tpu-ubuntu2204-base | tpu-ubuntu2204-base

They are remembered for a minute, and when nobody answers, what was known is better than nothing:

  $ tpuctl emulator stop 2>/dev/null
  $ tab 'tpuctl tpu-vm describe b'
  tpuctl tpu-vm describe beta | beta
  $ ls "$HOME/.cache/tpuctl/names" | wc -l
  3

A server that is not there, or does not answer with names, costs nothing but the names:

  $ rm -r "$HOME/.cache/tpuctl"
  $ tab 'tpuctl tpu-vm describe b' 'tpuctl tpu-vm describe --zo'
  tpuctl tpu-vm describe b| 
  tpuctl tpu-vm describe --zone=| --zone=
  $ tpuctl emulator start --speed=5000 2>/dev/null
  $ eval "$(tpuctl emulator env)"
  $ rm -r "$HOME/.cache/tpuctl"
  $ tpuctl emulator fault garbage 2>/dev/null
  $ tab 'tpuctl tpu-vm describe b'
  tpuctl tpu-vm describe b| 
  $ rm -r "$HOME/.cache/tpuctl"
  $ tpuctl emulator fault none slow:600s 2>/dev/null
  $ tab 'tpuctl tpu-vm describe b'
  tpuctl tpu-vm describe b| 
  $ tpuctl emulator fault none 2>/dev/null

A broken configuration does not show at Tab either, and nothing at all was written to stderr:

  $ printf '[core\n' >"$CLOUDSDK_CONFIG/configurations/config_default"
  $ tab 'tpuctl tpu-vm describe b' 'tpuctl tpu-vm del'
  tpuctl tpu-vm describe b| 
  tpuctl tpu-vm delete | delete
  $ tpuctl __complete -- tpu-vm describe b
  :4
  $ tpuctl __complete | tail -1
  :4
  $ wc -c <errors
  0

The program prints the same script:

  $ rm "$CLOUDSDK_CONFIG/configurations/config_default"
  $ tpuctl completion bash | cmp - "$REPO/completions/tpuctl.bash"

Sourced, it says nothing, whatever options the shell has set:

  $ for options in 'true' 'set -eu' 'set -o posix'; do bash --norc -c "$options; source <(tpuctl completion bash); complete -p tpuctl"; done
  complete -F _tpuctl tpuctl
  complete -F _tpuctl tpuctl
  complete -F _tpuctl tpuctl
