# SPDX-License-Identifier: Apache-2.0
# What runs on a worker: POSIX sh and coreutils, no client needed once a job is started.
#
#   sh supervisor.sh VERB JOB [ARGUMENTS]      start status steps log stop run
#
# The verbs are called over ssh; `run` is the supervisor itself, in a session of its own. State lies in
# STATE/jobs/JOB: command, workdir, env (0600), number, log, status, attempts, notices, pid, child, stopped. Files are replaced by
# rename, so that a reader sees whole ones. Lines for the client start with "tpuctl: ".
# In: S holds this text when it came over ssh.

say() { printf 'tpuctl: %s\n' "$*"; }

now() {
  t=$(date +%s.%N)
  case $t in *N) t=${t%.*} ;; esac
  printf '%s' "$t"
}

size_of() { if [ -f "$1" ]; then wc -c <"$1" | tr -d ' '; else printf 0; fi; }

put() { # FILE TEXT
  printf '%s\n' "$2" >"$1.new.$$" && mv -f "$1.new.$$" "$1"
}

state_dir() {
  if [ -n "${TPUCTL_STATE_DIR:-}" ]; then
    printf '%s' "$TPUCTL_STATE_DIR"
  elif [ -w /var/lib/tpuctl ] || { sudo -n mkdir -p /var/lib/tpuctl && sudo -n chown "$(id -u)" /var/lib/tpuctl; } 2>/dev/null; then
    printf /var/lib/tpuctl
  else
    printf '%s' "$HOME/.tpuctl"
  fi
}

# Processes that hold the TPU device: what the service signals before maintenance.
holders() {
  # shellcheck disable=SC2012
  ls -l /proc/[0-9]*/fd 2>/dev/null | awk -v device="${TPUCTL_ACCEL_DEVICE:-/dev/accel0}" '
    /^\/proc\// { split($0, part, "/"); pid = part[3]; next }
    {
      at = index($0, " -> ")
      target = at ? substr($0, at + 4) : ""
      if (target == device || target ~ /^\/dev\/(accel|vfio\/)[0-9]+$/) print pid
    }' | sort -un
}

# A pid with its start time, so that a number used again by another process is not taken for ours.
identity() { # PID
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  # shellcheck disable=SC2086
  set -- ${stat##*) }
  case $1 in Z | X) return 1 ;; esac
  shift 19
  printf '%s' "$1"
}

alive() { # FILE with "PID START"
  [ -f "$1" ] || return 1
  read -r pid start <"$1"
  [ "$(identity "$pid")" = "$start" ]
}

# ---- start: all checks first, then wait for the word "go" -------------------------------------------------------------
receive() { # DIR: "NAME MODE SIZE" and the bytes, until "end"
  mkdir -p "$1" || return 1
  chmod 700 "$1"
  while read -r name mode size; do
    [ "$name" = end ] && return 0
    (umask 077 && head -c "$size" >"$1/$name") && chmod "$mode" "$1/$name" || return 1
  done
  return 1
}

verb_start() {
  umask 022
  mkdir -p "$dir" || { say "refused cannot make the folder $dir"; exit 1; }
  incoming=$dir/incoming.$$
  trap 'rm -rf "$incoming"' EXIT
  receive "$incoming" || { say "refused the job's files did not arrive whole (is the disk full?)"; exit 1; }
  if [ ! -f "$incoming/command" ] && [ ! -f "$dir/command" ]; then
    say "refused there is no job of this name on this worker (was its TPU VM made again?)"
    exit 1
  fi
  if alive "$dir/pid"; then
    say "refused a job of this name is running already"
    exit 1
  fi
  for pid in $(holders); do
    user=$(ps -o user= -p "$pid" 2>/dev/null)
    say "refused the TPU is in use by pid $pid (${user:-unknown user}): $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | cut -c1-120)"
    exit 1
  done
  stale=$(env | grep -o '^MEGASCALE_[A-Z_]*' | head -n 1)
  [ -n "$stale" ] || stale=$(grep -o 'MEGASCALE_[A-Z_]*' /etc/environment 2>/dev/null | head -n 1)
  if [ -n "$stale" ]; then
    say "refused $stale is set in this machine's environment; multislice values must come from the metadata"
    exit 1
  fi
  say ready
  read -r answer || answer=
  [ "$answer" = go ] || exit 0
  if [ -f "$incoming/command" ]; then # a new job, not another attempt: the one before under this name is put aside
    for file in log attempts notices; do [ ! -f "$dir/$file" ] || mv -f "$dir/$file" "$dir/$file.before"; done
  fi
  for file in "$incoming"/*; do mv -f "$file" "$dir/"; done
  rm -f "$dir/stopped" "$dir/status" "$dir/pid"
  printf '%s\n' "$S" >"$dir/supervisor.sh"
  setsid nohup sh "$dir/supervisor.sh" run "$job" </dev/null >/dev/null 2>&1 &
  # Started is what has a status: the next question must not find a worker that knows nothing of the job.
  waited=0
  while [ ! -f "$dir/status" ] && [ "$waited" -lt 100 ]; do
    sleep 0.1 2>/dev/null || sleep 1
    waited=$((waited + 1))
  done
  if [ -f "$dir/status" ]; then say started; else say "refused the supervisor did not start"; fi
}

# ---- run: the supervisor -----------------------------------------------------------------------------------------------
fetch() { # PATH SECONDS [QUERY]
  url="http://${GCE_METADATA_HOST:-metadata.google.internal}/computeMetadata/v1/instance/$1${3:+?$3}"
  if command -v curl >/dev/null 2>&1; then
    curl -sf --noproxy '*' -m "$2" -H 'Metadata-Flavor: Google' "$url"
  else
    no_proxy='*' wget -qO- -T "$2" --header='Metadata-Flavor: Google' "$url"
  fi
}

# What the metadata server says of a notice, and what it says in quiet times.
notice_sources='maintenance-event=NONE preempted=FALSE'

# Notes every change of a metadata value away from its quiet one, with the length of the log at that moment.
watch() { # PATH QUIET
  last=$2
  while :; do
    for query in '' 'wait_for_change=true&timeout_sec=20'; do
      if value=$(fetch "$1" 30 "$query"); then
        value=$(printf '%s' "$value" | tr '\n' ' ')
        if [ "$value" != "$last" ] && [ "$value" != "$2" ] && [ -n "$value" ]; then
          printf '%s %s %s %s %s\n' "$(now)" "$attempt" "$(size_of log)" "$1" "$value" >>notices
        fi
        last=$value
      else
        last=$2
        sleep 2
      fi
    done
  done
}

verb_run() {
  cd "$dir" || exit 1
  attempt=$(cat number) # the client's count: the same on every worker
  put pid "$$ $(identity $$)"
  workdir=$(cat workdir 2>/dev/null)
  [ -n "$workdir" ] || workdir=$HOME
  case $workdir in /*) ;; *) workdir=$HOME/$workdir ;; esac
  touch log && chmod 644 log
  begin=$(now)
  offset=$(size_of log)
  put status "running $attempt $begin"
  for row in $notice_sources; do
    watch "${row%=*}" "${row#*=}" &
  done
  (
    set -a
    # shellcheck source=/dev/null
    [ ! -f env ] || . ./env
    set +a
    export TPUCTL_JOB="$job" TPUCTL_ATTEMPT="$attempt"
    command=$(cat command)
    cd "$workdir" || exit 127
    exec setsid "$(command -v bash || command -v sh)" -c "$command"
  ) >>log 2>&1 </dev/null &
  child=$!
  put child "$child $(identity $child)"
  wait "$child"
  code=$?
  end=$(now)
  # Killed at once, the job can end before a watcher has written why: ask once more.
  for row in $notice_sources; do
    value=$(fetch "${row%=*}" 2 | tr '\n' ' ')
    if [ -n "$value" ] && [ "$value" != "${row#*=}" ] && ! grep -q "^[^ ]* $attempt " notices 2>/dev/null; then
      printf '%s %s %s %s %s\n' "$(now)" "$attempt" "$(size_of log)" "${row%=*}" "$value" >>notices
    fi
  done
  printf '%s %s %s %s %s %s\n' "$attempt" "$begin" "$end" "$code" "$offset" "$(size_of log)" >>attempts
  put status "ended $attempt $begin $end $code"
  trap '' TERM
  kill -TERM 0 2>/dev/null # the watchers and what they started; the job had a session of its own
  exit 0
}

# ---- what is asked over ssh ---------------------------------------------------------------------------------------------
verb_status() {
  say "now $(now)"
  if [ ! -f "$dir/status" ]; then
    say "state none"
    return
  fi
  if alive "$dir/pid"; then living=alive; else living=dead; fi
  say "state $living $(cat "$dir/status")"
  [ ! -f "$dir/stopped" ] || say "stopped $(cat "$dir/stopped")"
  [ ! -f "$dir/attempts" ] || sed 's/^/tpuctl: attempt /' "$dir/attempts"
  [ ! -f "$dir/notices" ] || sed 's/^/tpuctl: notice /' "$dir/notices"
  say "log $(size_of "$dir/log") $(stat -c %Y "$dir/log" 2>/dev/null || echo 0)"
  for pid in $(holders); do
    say "holder $pid $(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$pid/status" 2>/dev/null)"
  done
}

# What the log tells: "step BYTE TEXT", "resume ...", "saved ...", only the part that matches; then committed checkpoints with
# their times. A name with anything behind the number (step.tmp, a staging suffix) is not committed.
verb_steps() { # STEP_REGEX RESUME_REGEX SAVED_REGEX CHECKPOINT_DIR
  for row in step resume saved; do
    grep -aboE -- "$1" "$dir/log" 2>/dev/null | tail -n 20000 | sed "s/^\([0-9]*\):/tpuctl: $row \1 /"
    shift
  done
  [ -n "${1:-}" ] && [ -d "$1" ] || return 0
  for entry in "$1"/*; do
    number=$(basename "$entry" | sed -n 's/^[A-Za-z_-]*0*\([0-9][0-9]*\)$/\1/p')
    [ -n "$number" ] && say "checkpoint $number $(stat -c %.3Y "$entry" 2>/dev/null || stat -c %Y "$entry")"
  done
  return 0
}

verb_log() { # FROM FOLLOW [LAST_LINES]
  [ -f "$dir/log" ] || exit 0
  if [ -n "${3:-}" ]; then
    exec tail -n "$3" "$dir/log"
  elif [ "$2" = follow ]; then
    exec tail -c "+$(($1 + 1))" -F "$dir/log" 2>/dev/null
  fi
  exec tail -c "+$(($1 + 1))" "$dir/log"
}

verb_stop() { # GRACE REASON
  if ! alive "$dir/pid"; then
    say "stopped already"
    return
  fi
  put "$dir/stopped" "$(now) $2"
  read -r child _ <"$dir/child"
  targets=$(holders)
  # shellcheck disable=SC2086
  if [ -n "$targets" ]; then kill -TERM $targets; else kill -TERM "-$child"; fi 2>/dev/null
  waited=0
  while alive "$dir/pid" && [ "$waited" -lt "$1" ]; do
    sleep 1
    waited=$((waited + 1))
  done
  if alive "$dir/pid"; then
    # shellcheck disable=SC2046
    kill -KILL "-$child" $(holders) 2>/dev/null
    say "stopped killed"
  else
    say "stopped ended"
  fi
}

verb=$1
job=$2
shift 2
dir=$(state_dir)/jobs/$job
"verb_$verb" "$@"
