# SPDX-License-Identifier: Apache-2.0
# What runs on a worker, last part: the verbs. No client is needed once a job is started.
#
#   sh supervisor.sh VERB JOB [ARGUMENTS]      start status steps describe log stop boot run tidy
#
# The verbs are called over ssh, boot by a startup script; `run` is the supervisor itself, in a session of its own. State lies in
# STATE/jobs/JOB: command, workdir, env and secrets (0600), options (lines NAME VALUE), record (what the client knows, JSON),
# number, log, clock, status, attempts, notices, pid, child, stopped. Files are replaced by rename, so that a reader sees whole
# ones. Lines for the client start with "tpuctl: ".
# In: S holds this text when it came over ssh.

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

refuse() {
  say "refused $*"
  exit 1
}

# Ends a process of somebody else that holds the TPU: it may save first.
end_holder() { # PID SECONDS
  for signal in TERM KILL; do
    as_root kill -"$signal" "$1" 2>/dev/null
    waited=0
    while holders | grep -qx "$1"; do
      [ "$waited" -lt "$2" ] || continue 2
      sleep 1
      waited=$((waited + 1))
    done
    return 0
  done
  return 1
}

# Nobody else may have the TPU, or be about to.
check_worker() {
  for other in "$jobs"/*; do
    if [ "$other" != "$dir" ] && running "$other"; then refuse "job [${other##*/}] is running on this worker"; fi
  done
  for pid in $(holders); do
    user=$(ps -o user= -p "$pid" 2>/dev/null)
    holder="pid $pid (${user:-unknown user}): $(as_root cat "/proc/$pid/cmdline" 2>/dev/null | tr '\0' ' ' | cut -c1-120)"
    patience=$(sed -n 's/^clear-device //p' "$incoming/options" 2>/dev/null)
    [ -n "$patience" ] || refuse "the TPU is in use by $holder (--clear-device ends it)"
    end_holder "$pid" "$patience" || refuse "the TPU is still in use, and cannot be taken from $holder"
    say "note ended what held the TPU: $holder"
  done
  lockfile=${TMPDIR:-/tmp}/libtpu_lockfile # left by a process that was killed; libtpu would not start
  if [ -e "$lockfile" ]; then
    as_root rm -f "$lockfile" 2>/dev/null || refuse "the stale $lockfile cannot be removed"
    say "note removed the stale $lockfile"
  fi
  stale=$(env | grep -o '^MEGASCALE_[A-Z_]*' | head -n 1)
  [ -n "$stale" ] || stale=$(grep -o 'MEGASCALE_[A-Z_]*' /etc/environment 2>/dev/null | head -n 1)
  [ -z "$stale" ] || refuse "$stale is set in this machine's environment; multislice values must come from the metadata"
}

verb_start() { # [ADDRESS of the first worker]
  umask 022
  mkdir -p "$dir" 2>/dev/null || refuse "cannot make the folder $dir (is the disk full?)"
  [ -w "$dir" ] || refuse "a job of this name belongs to the user $(stat -c %U "$dir")"
  incoming=$dir/incoming.$$
  trap 'rm -rf "$incoming" "$dir/starting"' EXIT
  receive "$incoming" || refuse "the job's files did not arrive whole (is the disk full?)"
  if [ ! -f "$incoming/command" ] && [ ! -f "$dir/command" ]; then
    refuse "there is no job of this name on this worker (was its TPU VM made again?)"
  fi
  running "$dir" && refuse "a job of this name is running already"
  if [ ! -f "$incoming/command" ] && grep -q ' requested$' "$dir/stopped" 2>/dev/null; then refuse "a stop of the job was asked for"; fi
  if alive "$dir/starting"; then
    trap 'rm -rf "$incoming"' EXIT
    refuse "somebody else is starting a job of this name"
  fi
  put "$dir/starting" "$$ $(identity $$)"
  check_worker
  [ -z "${1:-}" ] || check_meeting "$1"
  say ready
  read -r answer || answer=
  [ "$answer" = go ] || exit 0
  running "$dir" && refuse "a job of this name is running already" # a boot was quicker
  if alive "$dir/pid"; then kill -KILL "$pid"; fi # only tidies up behind the attempt before
  if [ -f "$incoming/command" ]; then # a new job, not another attempt: the one before under this name is put aside
    for file in log clock attempts notices; do [ ! -f "$dir/$file" ] || mv -f "$dir/$file" "$dir/$file.before"; done
    rm -f "$dir/env" "$dir/secrets" "$dir/options" "$dir/record" "$dir/shipped" "$dir/boot" "$dir/refused"
  fi
  for file in "$incoming"/*; do mv -f "$file" "$dir/"; done
  rm -f "$dir/stopped" "$dir/status" "$dir/pid"
  launch run
  # Started is what has a status: the next question must not find a worker that knows nothing of the job.
  waited=0
  while [ ! -f "$dir/status" ] && [ "$waited" -lt 100 ]; do
    sleep 0.1 2>/dev/null || sleep 1
    waited=$((waited + 1))
  done
  if [ -f "$dir/status" ]; then say started; else say "refused the supervisor did not start"; fi
}

# ---- run: the supervisor -----------------------------------------------------------------------------------------------
# What the metadata server says of a notice, and what it says in quiet times.
notice_sources='maintenance-event=NONE preempted=FALSE'

note() { # SOURCE VALUE
  line="$(now) $attempt $(size_of log) $1 $2"
  printf '%s\n' "$line" >>notices && return
  rm -f reserve
  printf '%s\n' "$line" >>notices
} 2>/dev/null

# Notes every change of a metadata value away from its quiet one, with the length of the log at that moment.
watch() { # PATH QUIET
  last=$2
  while :; do
    for query in '' 'wait_for_change=true&timeout_sec=20'; do
      if value=$(fetch "$1" 30 "$query"); then
        value=$(printf '%s' "$value" | tr '\n' ' ')
        if [ "$value" != "$last" ] && [ "$value" != "$2" ] && [ -n "$value" ]; then note "$1" "$value"; fi
        last=$value
      else
        last=$2
        sleep 2
      fi
    done
  done
}

# Which byte of the log was reached when, for those who ask for the last minutes.
keep_clock() {
  last=
  while :; do
    size=$(size_of log)
    [ "$size" = "$last" ] || printf '%s %s\n' "$(date +%s)" "$size" >>clock
    last=$size
    sleep 10
  done
}

# Killed at once, a job can end before a watcher has written why; and a framework may say that it left because of a notice
# that another worker got. Asked once, at the end.
last_words() {
  for row in $notice_sources; do
    value=$(fetch "${row%=*}" 5 | tr '\n' ' ')
    if [ -n "$value" ] && [ "$value" != "${row#*=}" ] && ! interrupted "$attempt"; then note "${row%=*}" "$value"; fi
  done
  marker=$(option marker)
  if [ -n "$marker" ] && ! interrupted "$attempt" && [ ! -f stopped ]; then
    words=$(tail -c "+$((offset + 1))" log | grep -aoE -m 1 -e "$marker" | head -n 1)
    [ -z "$words" ] || note log "$words"
  fi
}

# Whether the end has to do with a full disk: the folder without room, or "-" when only the log says so.
want_of_room() { # CODE
  place=$(full "$dir" "$workdir" "${TMPDIR:-/tmp}")
  if [ -z "$place" ] && [ "$1" != 0 ] && tail -c "+$((offset + 1))" log | tail -c 20000 | grep -aq 'No space left on device'; then place=-; fi
  [ -z "$place" ] || printf ' full %s' "$place"
}

verb_run() {
  cd "$dir" || exit 1
  attempt=$(cat number) # the client's count: the same on every worker
  put pid "$$ $(identity $$)"
  workdir=$(cat workdir 2>/dev/null)
  [ -n "$workdir" ] || workdir=$HOME
  case $workdir in /*) ;; *) workdir=$HOME/$workdir ;; esac
  touch log && chmod 644 log
  head -c 65536 /dev/zero >reserve 2>/dev/null # room to write the end down on a full disk
  begin=$(now)
  offset=$(size_of log)
  put status "running $attempt $begin"
  for row in $notice_sources; do
    watch "${row%=*}" "${row#*=}" &
  done
  keep_clock &
  bucket=$(option bucket)
  if [ -n "$bucket" ]; then
    fetch_workdir
    [ -d code ] && [ -n "$(option archive)" ] && workdir=$dir/code
    ship_for_ever &
  fi
  (
    set -a
    for file in env secrets; do
      # shellcheck source=/dev/null
      [ ! -f $file ] || . "./$file"
    done
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
  room=$(want_of_room "$code")
  last_words
  row="$attempt $begin $end $code $offset $(size_of log)"
  rm -f reserve
  printf '%s\n' "$row" >>attempts
  put status "ended $row$room" # the whole row: where there was no room for another one, this says it
  trap '' TERM
  kill -TERM 0 2>/dev/null # the watchers and what they started; the job had a session of its own
  trap - TERM
  [ -z "$bucket" ] || ship
  if boots; then aftermath; fi
  exit 0
}

boots() { [ -f "$dir/boot" ] || [ -n "$(option boots)" ]; }

# ---- what is asked over ssh ---------------------------------------------------------------------------------------------
verb_status() {
  say "now $(now)"
  if [ ! -f "$dir/status" ]; then
    if [ -f "$dir/refused" ]; then say "refusal $(cat "$dir/refused")"; fi
    say "state none"
    return
  fi
  if alive "$dir/pid"; then living=alive; else living=dead; fi
  say "state $living $(cat "$dir/status")"
  if running "$dir"; then
    place=$(full "$dir")
    [ -z "$place" ] || say "full $place"
  fi
  if boots; then say boots; fi
  [ ! -f "$dir/refused" ] || say "refusal $(cat "$dir/refused")"
  [ ! -f "$dir/record" ] || say "record $(cat "$dir/record")"
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

verb_describe() { verb_status; verb_steps "$@"; }

verb_log() { # FROM FOLLOW LAST_LINES SINCE_SECONDS
  [ -f "$dir/log" ] || exit 0
  from=$1
  if [ -n "${4:-}" ]; then # the last byte that is known to be older
    from=$(awk -v limit="$(($(date +%s) - $4))" '$1 <= limit { byte = $2 } END { print byte + 0 }' "$dir/clock" 2>/dev/null)
  fi
  if [ "$2" = follow ]; then
    if [ -n "${3:-}" ]; then set -- -n "$3"; else set -- -c "+$((${from:-0} + 1))"; fi
    tail "$@" -F "$dir/log" 2>/dev/null &
    cat >/dev/null # ends with the client, which keeps it open: nothing is left here of one that was killed
    kill "$!"
    exit 0
  elif [ -n "${3:-}" ]; then
    tail -c "+$((${from:-0} + 1))" "$dir/log" | tail -n "$3"
    exit 0
  fi
  exec tail -c "+$((${from:-0} + 1))" "$dir/log"
}

# The job's own processes: holders of the device when there are any, else its process group.
signal_job() { # SIGNAL
  targets=$(own_holders)
  # shellcheck disable=SC2086
  if [ -n "$targets" ]; then as_root kill "-$1" $targets; fi
  if [ -z "$targets" ] || [ "$1" = KILL ]; then as_root kill "-$1" "-$child"; fi
} 2>/dev/null

verb_stop() { # GRACE REASON
  if ! running "$dir"; then
    if [ ! -f "$dir/status" ]; then say stopped unknown; return; fi
    # So that nobody starts it again. The first word counts.
    [ "$2" != requested ] || grep -q ' requested$' "$dir/stopped" 2>/dev/null || put "$dir/stopped" "$(now) $2"
    say stopped already
    return
  fi
  put "$dir/stopped" "$(now) $2"
  child=0
  read -r child _ <"$dir/child"
  case $child in '' | *[!0-9]* | 0 | 1) say "stopped not: the file $dir/child is damaged"; return ;; esac
  signal_job TERM
  waited=0
  # Also what the command has left behind in its group: it may be saving still.
  while { running "$dir" || as_root kill -0 "-$child" 2>/dev/null; } && [ "$waited" -lt "$1" ]; do
    sleep 1
    waited=$((waited + 1))
  done
  if running "$dir" || as_root kill -0 "-$child" 2>/dev/null; then
    signal_job KILL
    waited=0
    while running "$dir" && [ "$waited" -lt 10 ]; do # until the end is written down
      sleep 1
      waited=$((waited + 1))
    done
    say "stopped killed"
  else
    say "stopped ended"
  fi
}

verb=$1
job=$2
shift 2
jobs=$(jobs_dir)
dir=$jobs/$job
"verb_$verb" "$@"
