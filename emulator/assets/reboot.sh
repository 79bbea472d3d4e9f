#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# reboot and `shutdown -r` on an emulated worker: its machine process ends everything and boots again.
[ -n "${TPUCTL_WORKER_FOLDER-}" ] || . "${0%/*}/../worker.env"
name=${0##*/}
if [ "$name" = shutdown ]; then
  case " $* " in
    *" -r "* | *" --reboot "*) ;;
    *) echo "$name: an emulated worker is stopped from outside: tpuctl tpu-vm stop" >&2; exit 1 ;;
  esac
fi
read -r machine <"$TPUCTL_WORKER_FOLDER/pid" && kill -USR1 "$machine" || exit 1
sleep 60  # ended by the reboot
exit 1
