#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# session.sh SESSION.t TPUCTL CRAM: runs a session in a home of its own, with tpuctl on PATH and no gcloud settings; an
# emulator that the session starts ends with it, whatever happens. In the session: start_emulator [FLAGS], and $REPO.
set -u
session=$1 program=$2 cram=$3
scratch=$(mktemp -d /tmp/tpuctl-test.XXXXXX)
export TPUCTL_TEST_SCRATCH=$scratch
mkdir "$scratch/bin" "$scratch/home"
ln -s "$program" "$scratch/bin/tpuctl"
cat >"$scratch/rc" <<'RC'
start_emulator() {
  tpuctl emulator start --speed=200 "$@" 2>"$TPUCTL_TEST_SCRATCH/start.err" || cat "$TPUCTL_TEST_SCRATCH/start.err"
  eval "$(tpuctl emulator env)"
}
RC
while IFS='=' read -r name _; do
  case $name in CLOUDSDK_* | GOOGLE_* | GCE_* | TPUCTL_EMULATOR_DIR | *_proxy | *_PROXY | *_CA_BUNDLE | SSL_CERT_* | XDG_*) unset "$name" ;; esac
done < <(env)
REPO=$(cd "$(dirname "$0")/../.." && pwd)
export REPO HOME=$scratch/home PATH=$scratch/bin:$PATH NO_GCE_CHECK=true NO_COLOR=1
export TPUCTL_EMULATOR_DIR=$scratch/emulator BASH_ENV=$scratch/rc
# cram's own idea of the environment would change HOME and TMPDIR; both are ours.
"$cram" --preserve-env --shell=/bin/bash "$session"
code=$?
[ ! -f "$scratch/emulator/emulator.json" ] || "$program" emulator stop >/dev/null 2>&1
rm -rf "$scratch" "$session.err"
exit $code
