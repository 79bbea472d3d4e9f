Tab in a real zsh on a terminal: what is offered (sorted), and what the line is then.

  $ mkdir functions
  $ ln -s "$REPO/completions/_tpuctl" functions/
  $ cat >.zshrc <<'RC'
  > PS1='> '
  > bindkey -e
  > unsetopt beep list_beep
  > LISTMAX=10000
  > fpath=($PWD/functions $fpath)
  > autoload -Uz compinit
  > compinit -u -d "$PWD/dump"
  > print -r -- "$_comps[tpuctl]" >chosen
  > compadd() {
  >   if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)* ]]; then
  >     typeset -a hits
  >     builtin compadd -A hits "$@"
  >     print -rl -- $hits >>offered
  >   fi
  >   builtin compadd "$@"
  > }
  > _recorded() { _tpuctl "$@" 2>>errors; }
  > compdef _recorded tpuctl
  > line() { print -rn -- "$BUFFER" >line.new; mv line.new line; }
  > zle -N line
  > bindkey '^X^P' line
  > RC
  $ cat >tab.py <<'PY'
  > import os, pty, sys, threading, time
  > # tab.py LINE...: types each line and Tab into one zsh, prints what was offered and the line that came of it
  > pid, terminal = pty.fork()
  > if pid == 0:
  >     os.environ["ZDOTDIR"] = os.getcwd()
  >     os.execvp("zsh", ["zsh", "-d", "-i"])
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

The function is found by compinit. Commands and their verbs, in each spelling:

  $ tab 'tpuctl tpu' 'tpuctl tpu-vm cr' 'tpuctl tpu-vm d' 'tpuctl queued-resources w' 'tpuctl alpha compute tpus tpu-vm sim' 'tpuctl emulator '
  tpuctl tpu-vm | tpu-vm
  tpuctl tpu-vm create | create
  tpuctl tpu-vm de| delete  describe  detach-disk
  tpuctl queued-resources wait | wait
  tpuctl alpha compute tpus tpu-vm simulate-maintenance-event | simulate-maintenance-event
  tpuctl emulator | env  fault  start  status  stop
  $ cat chosen
  _tpuctl

Flags, and the values of flags that have choices:

  $ tab 'tpuctl tpu-vm create x --auto' 'tpuctl tpu-vm create x --sp' 'tpuctl emulator env --shell=' 'tpuctl emulator env --shell=f' 'tpuctl emulator env --shell f' 'tpuctl tpu-vm create x --provisioning-model=s' 'tpuctl tpu-vm list --format=j' 'tpuctl tpu-vm list --for'
  tpuctl tpu-vm create x --autocheckpoint-enabled | --autocheckpoint-enabled
  tpuctl tpu-vm create x --spot | --spot
  tpuctl emulator env --shell=| --shell=fish  --shell=sh
  tpuctl emulator env --shell=fish | --shell=fish
  tpuctl emulator env --shell fish | fish
  tpuctl tpu-vm create x --provisioning-model=s| --provisioning-model=spot  --provisioning-model=standard
  tpuctl tpu-vm list --format=json| --format=json
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
  tpuctl jobs run x --tpu=beta| --tpu=beta
  $ tab 'tpuctl tpu-vm create x --accelerator-type=v4-8' 'tpuctl tpu-vm create x --version tpu-ubuntu2204-b'
  tpuctl tpu-vm create x --accelerator-type=v4-8 | --accelerator-type=v4-8
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
  $ tpuctl completion zsh | cmp - "$REPO/completions/_tpuctl"

Sourced, it registers itself, whichever comes first, and says nothing, whatever options the shell has set:

  $ for options in 'true' 'setopt nounset errexit' 'setopt ksharrays' 'setopt nounset errexit ksharrays warn_create_global'; do
  >   zsh -f -c "$options; source <(tpuctl completion zsh); print sourced"
  >   zsh -f -c "$options; source <(tpuctl completion zsh); autoload -Uz compinit; compinit -u -d $PWD/dump2; for hook in \${precmd_functions[@]}; do \$hook; done; print \"\${_comps[tpuctl]} \${#precmd_functions[@]}\""
  > done
  sourced
  _tpuctl 0
  sourced
  _tpuctl 0
  sourced
  _tpuctl 0
  sourced
  _tpuctl 0
  $ zsh -f -c 'autoload -Uz compinit; compinit -u -d $PWD/dump2; source <(tpuctl completion zsh); print "${_comps[tpuctl]} ${#precmd_functions}"'
  _tpuctl 0
  $ rm functions/_tpuctl
  $ sed -i "s|^autoload -Uz compinit|source <(tpuctl completion zsh)\n&|; s|^compdef _recorded tpuctl||" .zshrc
  $ tab 'tpuctl queued-' 'tpuctl emulator sto'
  tpuctl queued-resources | queued-resources
  tpuctl emulator stop | stop
  $ sed -i "/^source/d; s|^compinit.*|&\nsource <(tpuctl completion zsh)|" .zshrc
  $ tab 'tpuctl queued-' 'tpuctl emulator sto'
  tpuctl queued-resources | queued-resources
  tpuctl emulator stop | stop
