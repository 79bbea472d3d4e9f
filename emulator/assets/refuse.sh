#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# systemctl, service and the like: an emulated worker has no service manager, and this machine's own is none of its business.
echo "${0##*/}: an emulated worker has no services; not done: ${0##*/} $*" >&2
exit 1
