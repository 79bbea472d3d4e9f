# SPDX-License-Identifier: Apache-2.0
# The supervisor's dealings with the cloud, between machine.sh and supervisor.sh in one text: the metadata server, the
# bucket, a machine that boots, the rule by which a job deletes its machines. Needs curl, and gcloud for the rule.

fetch() { # PATH SECONDS [QUERY]
  url="http://${GCE_METADATA_HOST:-metadata.google.internal}/computeMetadata/v1/instance/$1${3:+?$3}"
  if command -v curl >/dev/null 2>&1; then
    curl -sf --noproxy '*' -m "$2" -H 'Metadata-Flavor: Google' "$url"
  else
    no_proxy='*' wget -qO- -T "$2" --header='Metadata-Flavor: Google' "$url"
  fi
}

tpu_env() { # NAME: a line NAME: 'value' of the attribute tpu-env
  fetch attributes/tpu-env 10 | sed -n "s/^$1: '\(.*\)'\$/\1/p"
}

# "NODE/WORKER", as the client names this worker. Asked once a run.
label() {
  if [ ! -s "$dir/label" ]; then
    node=$(tpu_env NODE_ID)
    worker=$(fetch attributes/agent-worker-number 10)
    [ -n "$node" ] && [ -n "$worker" ] && put "$dir/label" "$node/$worker"
  fi
  cat "$dir/label" 2>/dev/null
}

# ---- the network between workers ----------------------------------------------------------------------------------------
swallowed() { # ADDRESS PORT: no word comes back, not even a refusal
  connected=$(curl -s -o /dev/null --noproxy '*' -m 3 -w '%{time_connect}' "http://$1:$2/")
  [ $? = 28 ] || return 1
  case $connected in *[1-9]*) return 1 ;; esac
}

# The processes of a JAX job meet at a port of the first worker: 8482, 8476 before JAX 0.8.1. Where a firewall drops what goes
# there they would wait for each other without a word. Says the port, and another one that is free to be used.
check_meeting() { # ADDRESS of the first worker
  command -v curl >/dev/null 2>&1 || return 0
  if [ -f "$incoming/command" ]; then settings=$incoming/env; else settings=$dir/env; fi
  chosen=$(sed -n "s/^JAX_COORDINATOR_PORT='*\([0-9]*\)'*\$/\1/p" "$settings" 2>/dev/null | tail -n 1)
  swallowed "$1" "${chosen:-8482}" || return 0
  free=
  if [ -z "$chosen" ] && ! swallowed "$1" 8476; then free=8476; fi
  say "swallowed ${chosen:-8482} $free"
}

# ---- the bucket ---------------------------------------------------------------------------------------------------------
storage() { # CURL_ARGUMENT...: with the token of the VM's service account, which is on no command line
  token=$(fetch service-accounts/default/token 10 | sed -n 's/.*"access_token" *: *"\([^"]*\)".*/\1/p')
  [ -n "$token" ] || return 1
  printf 'header = "Authorization: Bearer %s"\n' "$token" | curl -sf -K - -m 600 "$@"
}

object_url() { # upload|download NAME
  host=${STORAGE_EMULATOR_HOST:-https://storage.googleapis.com}
  place=${bucket#gs://}
  folder=$(printf '%s' "${place#"${place%%/*}"}/$job/$2" | sed 's,^/*,,; s,/,%2F,g')
  if [ "$1" = upload ]; then
    printf '%s/upload/storage/v1/b/%s/o?uploadType=media&name=%s' "$host" "${place%%/*}" "$folder"
  else
    printf '%s/storage/v1/b/%s/o/%s?alt=media' "$host" "${place%%/*}" "$folder"
  fi
}

# What the log has grown by, as an object named after the byte it begins at; then the status.
ship() {
  who=$(label)
  [ -n "$who" ] || return 1
  shipped=$(cat "$dir/shipped" 2>/dev/null || printf 0)
  size=$(size_of "$dir/log")
  if [ "$size" -gt "$shipped" ]; then
    tail -c "+$((shipped + 1))" "$dir/log" | head -c "$((size - shipped))" >"$dir/piece" &&
      upload "$who/log-$(printf '%015d' "$shipped")" "$dir/piece" && put "$dir/shipped" "$size" || return 1
    rm -f "$dir/piece"
  fi
  verb_status >"$dir/piece" && upload "$who/status" "$dir/piece" && rm -f "$dir/piece"
}

upload() { # NAME FILE
  storage -o /dev/null -X POST -H 'Content-Type: text/plain' --data-binary "@$2" "$(object_url upload "$1")"
}

ship_for_ever() {
  every=$(option ship-seconds)
  while sleep "${every:-60}"; do ship; done
}

# The folder that `jobs submit --workdir` left in the bucket. The machine may be up before its rights are: tried for ever.
fetch_workdir() {
  archive=$(option archive)
  [ -n "$archive" ] || return 0
  [ "$(cat "$dir/code.sum" 2>/dev/null)" != "$archive" ] || return 0
  rm -rf "$dir/code.new" && mkdir "$dir/code.new" || return 1
  until storage -o "$dir/code.tgz" "$(object_url download "workdir-$archive.tgz")"; do
    echo "tpuctl: the job's folder cannot be read from the bucket yet; tried again" >>"$dir/log"
    sleep 10
  done
  tar -xzf "$dir/code.tgz" -C "$dir/code.new" && rm -rf "$dir/code" "$dir/code.tgz" && mv "$dir/code.new" "$dir/code" &&
    put "$dir/code.sum" "$archive"
}

# ---- after the end of an attempt ----------------------------------------------------------------------------------------
machines() { # a line NODE,STATE,HEALTH,STATUS,START for each machine of the job; fails without the right to look
  rows=$(gcloud alpha compute tpus tpu-vm list --zone="$(tpu_env ZONE)" --filter="labels.tpuctl-job=$job" \
    --format='value[separator=","](name.basename(),state,health,upcomingMaintenance.maintenanceStatus,upcomingMaintenance.windowStartTime)' 2>/dev/null) && [ -n "$rows" ]
}

# The first of them that is away, ill or under maintenance, if that may be why the attempt has ended: maintenance that began after the
# end, or is announced for another day, is no reason for it.
unwell() {
  read -r _ _ _ end _ <status
  printf '%s\n' "$rows" | while IFS=, read -r node state health status start; do
    begin=
    [ -z "$start" ] || begin=$(date -d "$start" +%s 2>/dev/null)
    if [ -n "$begin" ] && [ "$begin" -gt "$((${end%.*} + 30))" ]; then continue; fi
    case $state,$health,$status,$start in READY,HEALTHY,, | READY,,,) ;; *)
      echo "$node,$state,$health"
      return
      ;;
    esac
  done
}

# A job that starts by itself looks around for ten minutes. Another machine's maintenance ends this attempt too, and not every
# machine is rebooted for it: where that did not happen the next attempt is begun here. Otherwise the job is over, and the first
# worker deletes the machines when that is the rule; never after an interruption.
aftermath() {
  since=$(date +%s)
  span=$(option aftermath-seconds)
  trouble='' seen='' looked=''
  while [ -z "$looked" ] || [ -n "$trouble" ] || [ "$(($(date +%s) - since))" -lt "${span:-600}" ]; do
    looked=yes
    if [ -f stopped ]; then return; fi
    if machines; then
      seen=yes
      bad=$(unwell)
      if [ -n "$bad" ]; then
        trouble=$bad
      elif [ -n "$trouble" ]; then
        begin_next "$trouble"
        return
      fi
    fi
    if [ "$(($(date +%s) - since))" -lt 60 ]; then sleep 3; else sleep 30; fi
  done
  [ -z "$seen" ] || delete_by_rule
}

begin_next() { # WHY
  settle=$(option settle-seconds)
  sleep "${settle:-60}" # the reboot may still come, and with it the end of this process
  read -r state number _ <status
  [ "$state" = ended ] && [ ! -f stopped ] || return 0
  attempt=$number
  interrupted "$number" || note node "$1"
  put number "$((number + 1))"
  S=$(cat supervisor.sh)
  rm -f pid # this process is of the past
  launch run
}

delete_by_rule() {
  rule=$(option delete-on)
  [ -n "$rule" ] && [ "$rule" != never ] || return 0
  case $(label) in */0) ;; *) return 0 ;; esac
  [ "$(tpu_env MEGASCALE_SLICE_ID)" -gt 0 ] 2>/dev/null && return 0
  read -r state number _ _ code _ <status
  [ "$state" = ended ] && ! interrupted "$number" || return 0
  case $rule in
    success) [ "$code" = 0 ] || return 0 ;;
    failure) [ "$code" != 0 ] || return 0 ;;
  esac
  gcloud alpha compute tpus queued-resources delete "$(option queued-resource)" --zone="$(tpu_env ZONE)" --force --quiet --async >>deletion 2>&1
}

verb_tidy() {
  cd "$dir" || exit 1
  put pid "$$ $(identity $$)"
  aftermath
}

# ---- boot ---------------------------------------------------------------------------------------------------------------
interrupted() { # NUMBER: a notice came in that attempt
  grep -q "^[^ ]* $1 " "$dir/notices" 2>/dev/null
}

# The number of the attempt that this boot has to start, or why none: "start N" or "none REASON".
decide() {
  [ -f "$dir/status" ] || { echo start 1; return; }
  read -r state number _ end code _ <"$dir/status"
  [ -f "$dir/stopped" ] && grep -q ' requested$' "$dir/stopped" && { echo none stopped; return; }
  if [ "$state" = running ] && alive "$dir/pid"; then echo none running; return; fi
  next=$((number + 1))
  if [ "$state" = running ] || interrupted "$number"; then # the machine went down under it, or was about to
    limit=$(option max-preemptions)
    if [ "$number" -gt "$((${limit:-100} + $(failures)))" ]; then echo none interrupted too often; else echo start "$next"; fi
  elif [ "$code" = 0 ]; then
    echo none finished
  elif ! alone && [ "$(($(date +%s) - ${end%.*}))" -lt 3600 ]; then
    # One of many, rebooted soon after: another was maintained, and this one failed for want of it.
    echo start "$next"
  else
    limit=$(option max-failures)
    if [ "$(failures)" -gt "${limit:-0}" ]; then echo none failed; else echo start "$next"; fi
  fi
}

alone() { # the job has one worker
  workers=$(option workers)
  if [ -n "$workers" ]; then [ "$workers" = 1 ]; return; fi
  case $(fetch attributes/worker-network-endpoints 10) in *,*) return 1 ;; esac
  ! [ "$(tpu_env MEGASCALE_NUM_SLICES)" -gt 1 ] 2>/dev/null
}

failures() { # attempts that failed without a notice
  count=0
  while read -r number _ _ code _; do
    [ "$code" = 0 ] || interrupted "$number" || count=$((count + 1))
  done 2>/dev/null <"$dir/attempts"
  echo "$count"
}

# A startup script's way in: the job's files on stdin. Root boots; the job runs as who started it, if there is such a user.
verb_boot() {
  umask 022
  export HOME="${HOME:-/root}"
  mkdir -p "$dir" || exit 1
  receive "$dir/incoming.$$" || exit 1
  for file in "$dir/incoming.$$"/*; do
    if [ "${file##*/}" != number ]; then mv -f "$file" "$dir/"; fi
  done
  rm -rf "$dir/incoming.$$"
  : >"$dir/boot"
  decision=$(decide)
  case $decision in
    start*) ;;
    *)
      say "not started: ${decision#none }"
      [ "$decision" != 'none finished' ] || launch tidy
      return
      ;;
  esac
  if [ -n "$(option secrets)" ] && [ ! -f "$dir/secrets" ]; then
    put "$dir/refused" "the job's secrets are gone with the machine that had them; run it again"
    say "not started: $(cat "$dir/refused")"
    return
  fi
  rm -f "$dir/refused"
  put "$dir/number" "${decision#start }"
  launch run
  say "started attempt ${decision#start }"
}

# The supervisor in a session of its own, as the owner of the job's folder.
launch() { # run|tidy
  printf '%s\n' "$S" >"$dir/supervisor.sh"
  owner=$(stat -c %U "$dir" 2>/dev/null)
  if [ "$(id -u)" = 0 ] && [ -n "$owner" ] && [ "$owner" != root ] && [ "$owner" != UNKNOWN ]; then
    chown -R "$owner" "$dir"
    setsid nohup su "$owner" -s /bin/sh -c "exec sh '$dir/supervisor.sh' $1 '$job'" </dev/null >/dev/null 2>&1 &
  else
    setsid nohup sh "$dir/supervisor.sh" "$1" "$job" </dev/null >/dev/null 2>&1 &
  fi
}
