#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# hostname on an emulated worker.
[ -n "${TPUCTL_WORKER_FOLDER-}" ] || . "${0%/*}/../worker.env"
case ${1-} in
  '' | -f | --fqdn | --long | -s | --short | -A | --all-fqdns) echo "$HOSTNAME" ;;
  -i | --ip-address | -I | --all-ip-addresses) echo "$TPUCTL_WORKER_ADDRESS" ;;
  *) echo "hostname: an emulated worker keeps its name" >&2; exit 1 ;;
esac
