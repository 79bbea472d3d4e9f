#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh VENV SESSION.t TPUCTL CRAM: a session whose workers have the real JAX and Orbax. They are installed once into VENV,
# by pip; the one test that needs a network, and only for that. Exits with 77, loudly, where pip cannot reach an index.
set -u
venv=$1
shift
session=$(dirname "$0")/../support/session.sh

ready() { "$venv/bin/python3" -c 'import jax, orbax.checkpoint, requests' 2>/dev/null; }

# What pip says when nobody answered, as opposed to an answer that is wrong.
unreachable='Temporary failure in name resolution|Name or service not known|Network is unreachable|Connection refused|ProxyError|timed out|NewConnectionError'

if ! ready; then
  python3 -m venv --clear "$venv" || { echo "python3 -m venv does not work here: is python3-venv installed?" >&2 && exit 1; }
  for pause in 5 20 60 0; do # an index hiccups now and then
    "$venv/bin/pip" install --quiet --disable-pip-version-check 'jax[cpu]' requests orbax-checkpoint >"$venv/pip.log" 2>&1
    ready && break
    cat "$venv/pip.log" >&2
    [ "$pause" = 0 ] || sleep "$pause"
  done
  if ! ready; then
    if grep -qE "$unreachable" "$venv/pip.log"; then
      printf '%s\n' '**********************************************************************' \
        '*  NOT TESTED: JAX and Orbax. pip reaches no package index from here. *' \
        '**********************************************************************' >&2
      exit 77
    fi
    echo "JAX and Orbax could not be installed." >&2
    exit 1
  fi
fi
export PATH=$venv/bin:$PATH
exec "$session" "$@"
