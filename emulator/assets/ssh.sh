#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ssh, scp and sftp on an emulated worker. OpenSSH takes a user's folder from the password file and not from HOME, so
# without this it would read and write your own ~/.ssh; and other workers do not listen on port 22.
bin=${0%/*}
name=${0##*/}
[ -n "${TPUCTL_WORKER_FOLDER-}" ] || . "$bin/../worker.env"
real=
IFS=:
for place in $PATH; do
  [ "$place" = "$bin" ] || [ ! -x "$place/$name" ] || { real=$place/$name; break; }
done
unset IFS
[ -n "$real" ] || { echo "$name: not installed" >&2; exit 127; }
case $name:${1-} in
  scp:-t | scp:-f | scp:-*[tf]) exec "$real" "$@" ;;  # the far end of an scp
esac
for key in id_rsa id_ecdsa id_ed25519 google_compute_engine; do
  [ -f "$TPUCTL_WORKER_FOLDER/home/.ssh/$key" ] && set -- -i "$TPUCTL_WORKER_FOLDER/home/.ssh/$key" "$@"
done
exec "$real" -F "$TPUCTL_WORKER_FOLDER/ssh_config" "$@"
