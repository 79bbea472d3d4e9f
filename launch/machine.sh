# SPDX-License-Identifier: Apache-2.0
# What runs on a worker, first part: this machine's files, processes and users. The supervisor's text is machine.sh, cloud.sh and
# supervisor.sh in one: POSIX sh and coreutils.

say() { printf 'tpuctl: %s\n' "$*"; }

now() {
  t=$(date +%s.%N)
  case $t in *N) t=${t%.*} ;; esac
  printf '%s' "$t"
}

size_of() { if [ -f "$1" ]; then wc -c <"$1" | tr -d ' '; else printf 0; fi; }

replace() { # FILE TEXT
  if printf '%s\n' "$2" >"$1.new.$$" && mv -f "$1.new.$$" "$1"; then return; fi 2>/dev/null
  rm -f "$1.new.$$"
  return 1
}

# On a full disk the job's reserve is given up; where somebody else was quicker, the text goes in place of the old one, which
# needs no room.
put() { # FILE TEXT
  replace "$1" "$2" && return
  rm -f "$dir/reserve"
  replace "$1" "$2" && return
  if [ -f "$1" ]; then printf '%-200s\n' "$2" 1<>"$1"; else printf '%s\n' "$2" >"$1"; fi
} 2>/dev/null

full() { # FOLDER...: the first in which nothing can be written for want of room
  for place in "$@"; do
    if [ ! -d "$place" ] || [ ! -w "$place" ]; then continue; fi
    if ! head -c 4096 /dev/zero >"$place/.room.$$"; then
      rm -f "$place/.room.$$"
      printf '%s' "$place"
      return
    fi
    rm -f "$place/.room.$$"
  done
} 2>/dev/null

option() { sed -n "s/^$1 //p" "$dir/options" 2>/dev/null | head -n 1; }

as_root() {
  if [ "$(id -u)" = 0 ] || ! sudo -n true 2>/dev/null; then "$@"; else sudo -n "$@"; fi
}

# Where this job lies, or a new one would: all users of a worker share one place.
jobs_dir() {
  if [ -n "${TPUCTL_STATE_DIR:-}" ]; then
    printf '%s/jobs' "$TPUCTL_STATE_DIR"
    return
  fi
  shared=/var/lib/tpuctl/jobs
  if [ -d "$HOME/.tpuctl/jobs/$job" ] && [ ! -d "$shared/$job" ]; then
    printf '%s' "$HOME/.tpuctl/jobs"
  elif [ -w "$shared" ] || { as_root mkdir -p -m 755 /var/lib/tpuctl && as_root mkdir -p -m 1777 "$shared"; }; then
    printf '%s' "$shared"
  else
    printf '%s' "$HOME/.tpuctl/jobs"
  fi 2>/dev/null
}

# Processes that hold the TPU device: what the service signals before maintenance.
holders() {
  # shellcheck disable=SC2012
  as_root ls -l /proc/[0-9]*/fd 2>/dev/null | awk -v device="${TPUCTL_ACCEL_DEVICE:-/dev/accel0}" '
    /^\/proc\// { split($0, part, "/"); pid = part[3]; next }
    {
      at = index($0, " -> ")
      target = at ? substr($0, at + 4) : ""
      if (target == device || target ~ /^\/dev\/(accel|vfio\/)[0-9]+$/) print pid
    }' | sort -un
}

own_holders() { # those that this job has started, however often they left their session
  for pid in $(holders); do
    if as_root cat "/proc/$pid/environ" 2>/dev/null | tr '\0' '\n' | grep -qx "TPUCTL_JOB=$job"; then echo "$pid"; fi
  done
}

# A pid with its start time, so that a number used again by another process is not taken for ours.
identity() { # PID
  case $1 in '' | *[!0-9]*) return 1 ;; esac
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  # shellcheck disable=SC2086
  set -- ${stat##*) }
  case $1 in Z | X) return 1 ;; esac
  shift 19
  printf '%s' "$1"
}

alive() { # FILE with "PID START"
  [ -f "$1" ] || return 1
  pid='' start=''
  read -r pid start <"$1"
  [ -n "$start" ] && [ "$(identity "$pid")" = "$start" ]
}

running() { # DIR: its supervisor is alive and has not written the end down
  alive "$1/pid" && read -r state _ <"$1/status" && [ "$state" = running ]
} 2>/dev/null
