#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gsutil on an emulated worker, by way of `gcloud storage`.
while [ $# -gt 0 ]; do
  case $1 in
    -o | -h | -u | -i) shift; [ $# -gt 0 ] && shift ;;
    -[mqdD]*) shift ;;
    *) break ;;
  esac
done
exec "${0%/*}/gcloud" storage "$@"
