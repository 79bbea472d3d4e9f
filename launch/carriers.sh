# SPDX-License-Identifier: Apache-2.0
# How an archive reaches a worker: from the client on stdin, from Cloud Storage, from another worker; and how this one lets
# others have it. The first part of porter.sh, which says what the variables mean; stdin is descriptor 3 here.

# Only one may write the archive. An earlier one that is still here has lost its client, or does the same work.
claim() {
  mkdir -p "$record" || refuse "[$record] cannot be made"
  other=$(cat "$record/writer" 2>/dev/null)
  if [ -n "$other" ] && [ "$other" != "$group" ] && pgrep -f -g "$other" tpuctl >/dev/null 2>&1; then
    kill -s TERM -- "-$other" 2>/dev/null
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      pgrep -g "$other" >/dev/null 2>&1 || break
      sleep 0.2
    done
    kill -s KILL -- "-$other" 2>/dev/null
  fi
  echo "$group" >"$record/writer"
}

# The archive's bytes are all here: are they the right ones?
verify() {
  [ "$(bytes "$part")" -ge "$size" ] || return 1
  [ "$(sha256sum <"$part" | cut -c 1-64)" = "$sum" ] || {
    rm -f "$part"
    return 2
  }
  mv -f "$part" "$archive"
}

# From the client, piece by piece. Each is acknowledged, so that no more than a few are on the way, and after each another
# carrier may go on.
take() { # COUNT; the next bytes of the archive come on stdin
  [ -z "$pulled" ] || arrived=$(bytes "$part")
  pulled=
  trouble=$(head -c "$1" <&3 2>&1 >>"$part") || {
    [ $? -gt 128 ] || rm -f "$part" # a full disk; else another transfer has taken over
    refuse "${trouble:-the connection was cut}"
  }
  arrived=$((arrived + $1))
  say more
  [ "$arrived" -ge "$size" ] || return 0
  verify
  case $? in
    0) say got ;;
    1) refuse 'the connection was cut' ;;
    *) refuse 'what arrived is spoiled' ;;
  esac
}

# What COMMAND gets goes on in the background, so that the end of the client is noticed meanwhile.
pull() { # COMMAND ARGUMENTS
  pulled=1
  (
    trap - EXIT HUP INT TERM PIPE
    trouble=$("$@" 2>&1 </dev/null)
    if verify; then say got; else say "unfetched $(bytes "$part") $(last_line "${trouble:-what arrived is spoiled}")"; fi
  ) 3<&- &
}

# From Cloud Storage, as the machine's own service account; the token is never in a command line.
by_object() { # HTTPS_URL GS_URL
  if [ "$(bytes "$part")" -eq "$size" ]; then
    :
  elif command -v curl >/dev/null 2>&1; then
    by_curl "$1"
  elif command -v python3 >/dev/null 2>&1; then
    by_python "$1"
  elif command -v gcloud >/dev/null 2>&1; then
    gcloud storage cat "$2" >"$part"
  elif command -v gsutil >/dev/null 2>&1; then
    gsutil cat "$2" >"$part"
  else
    echo 'there is none of curl, python3, gcloud and gsutil' >&2
  fi
}

token_url=http://${GCE_METADATA_HOST:-metadata.google.internal}/computeMetadata/v1/instance/service-accounts/default/token

by_curl() {
  token=$(curl -sS -f -m 30 --noproxy '*' -H 'Metadata-Flavor: Google' "$token_url") || return 1
  token=$(printf '%s' "$token" | sed -n 's/.*"access_token" *: *"\([^"]*\)".*/\1/p')
  printf 'header = "Authorization: Bearer %s"\n' "$token" | curl -sS -f -K - --retry 3 -C - -o "$part" "$1"
}

by_python() {
  URL=$1 PART=$part TOKEN_URL=$token_url python3 -c '
import json, os, urllib.request as u
part = os.environ["PART"]
ask = u.Request(os.environ["TOKEN_URL"], headers={"Metadata-Flavor": "Google"})
token = json.load(u.build_opener(u.ProxyHandler({})).open(ask, timeout=30))["access_token"]
have = os.path.getsize(part) if os.path.exists(part) else 0
get = u.Request(os.environ["URL"], headers={"Authorization": "Bearer " + token, "Range": "bytes=%d-" % have})
answer = u.urlopen(get, timeout=60)
out = open(part, "ab" if answer.status == 206 else "wb")
while True:
    piece = answer.read(1 << 20)
    if not piece:
        break
    out.write(piece)
out.close()'
}

# From another worker, which knows the key.
by_ssh() { # ALIAS PORT USER ADDRESS
  from=$(($(bytes "$part") + 1))
  ssh -T -p "$2" -o BatchMode=yes -o IdentityAgent="$SSH_AUTH_SOCK" -o IdentitiesOnly=no -o UserKnownHostsFile="$record/hosts" \
    -o GlobalKnownHostsFile=/dev/null -o HostKeyAlias="$1" -o StrictHostKeyChecking="$checking" -o LogLevel=ERROR -o ProxyCommand=none \
    -o ControlPath=none -o ConnectTimeout=15 -o ConnectionAttempts=2 -o ServerAliveInterval=15 -o ServerAliveCountMax=3 -- "$3@$4" \
    "tail -c +$from .tpuctl/files/$key/$sum.tgz" >>"$part"
}

fetch() { # PRIVATE_KEY_BYTES HOST_KEYS_BYTES ALIAS PORT USER ADDRESS; the keys come on stdin
  # An agent that was here before, or is forwarded from the user's machine, must not get it.
  head -c "$1" <&3 | if [ -n "${TPUCTL_OWN_AGENT:-}" ]; then ssh-add -q -t 7200 -; else cat && false; fi >/dev/null 2>&1
  known=$?
  checking=no
  rm -f "$record/hosts"
  if [ "$2" -gt 0 ]; then
    head -c "$2" <&3 >"$record/hosts"
    checking=yes
  fi
  if [ $known -eq 0 ]; then pull by_ssh "$3" "$4" "$5" "$6"; else say "unfetched $(bytes "$part") there is no ssh-agent"; fi
}

# The file of authorized keys without this transfer's line and without those whose time is over, and with LINE.
rewrite_keys() { # LINE
  mkdir -p "$HOME/.ssh"
  (
    command -v flock >/dev/null 2>&1 && flock -w 30 7
    keys=$(readlink -f "$HOME/.ssh/authorized_keys")
    fresh=$keys.tpuctl.$$
    {
      [ ! -f "$keys" ] || awk -v mine=" $opened tpuctl-files" -v now="$(date +%Y%m%d%H%M%S)" '
        / tpuctl-files$/ {
          if (mine != "  tpuctl-files" && index($0, mine)) next
          if (match($0, /expiry-time="[0-9]+/) && substr($0, RSTART + 13, RLENGTH - 13) < now) next
        }
        { print }' "$keys"
      [ -z "$1" ] || printf '%s\n' "$1"
    } >"$fresh" && mv -f "$fresh" "$keys"
  ) 7>"$HOME/.ssh/.tpuctl-lock"
}

# The key opens this archive and nothing else, from those addresses alone, for two hours at most.
serve() { # ADDRESS KEY_TYPE KEY_DATA
  served=${served:+$served,}$1 opened="$2 $3"
  rewrite_keys "restrict,expiry-time=\"$(date -d "@$(($(date +%s) + 7200))" +%Y%m%d%H%M%S)\",from=\"$served\",command=\"\
set -- \$SSH_ORIGINAL_COMMAND; exec tail -c \\\"\$3\\\" .tpuctl/files/$key/$sum.tgz\" $opened tpuctl-files" ||
    { say "unserving $1" && return; }
  say "serving $1"
}
