#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lsof on an emulated worker. Asked for the TPU's device file (also as /dev/accel* or /dev/vfio/*), it shows the
# processes that hold it; every other question goes to this machine's own lsof.
bin=${0%/*}
[ -n "${TPUCTL_WORKER_FOLDER-}" ] || . "$bin/../worker.env"

terse= asked=
for word in "$@"; do
  case $word in
    "$TPUCTL_ACCEL_DEVICE" | /dev/accel* | /dev/vfio*) asked=1 ;;
    --*) ;;
    -*t*) terse=1 ;;
  esac
done

if [ -z "$asked" ]; then
  PATH=${PATH#"$bin":}
  command -v lsof >/dev/null 2>&1 || { echo "lsof: not installed; an emulated worker only knows its TPU device" >&2; exit 1; }
  exec lsof "$@"
fi

# One look at all open files; a line of the result is PID, FD.
found=$(ls -l /proc/[0-9]*/fd 2>/dev/null | awk -v device="$TPUCTL_ACCEL_DEVICE" '
  /^\/proc\/[0-9]+\/fd:$/ { split($0, part, "/"); pid = part[3]; next }
  { tail = " -> " device; at = length($0) - length(tail) + 1 }
  at > 0 && substr($0, at) == tail { count = split(substr($0, 1, at - 1), word, " "); print pid, word[count] }')
[ -n "$found" ] || exit 1

if [ -n "$terse" ]; then
  echo "$found" | awk '!seen[$1]++ { print $1 }' | sort -n
  exit 0
fi
echo "COMMAND       PID USER   FD   TYPE NAME"
echo "$found" | while read -r pid fd; do
  read -r name <"/proc/$pid/comm" 2>/dev/null || continue
  printf '%-9.9s %7d %s %4su   CHR  %s\n' "$name" "$pid" "$USER" "$fd" "$TPUCTL_ACCEL_DEVICE"
done
