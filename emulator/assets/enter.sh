#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The door of an emulated worker: every login and the start-up script pass it. It gives a process of this computer the
# worker's home, names and tools. Arguments are a command to run; else sshd says in SSH_ORIGINAL_COMMAND what was asked.
folder=${0%/*}
if [ -f "$folder/disk" ] && [ ! -e "$folder/full/here" ] && read -r how <"$folder/disk"; then
  # shellcheck disable=SC2086
  exec nsenter $how -- "$0" "$@" # to where the disk is full
fi
. "$folder/worker.env"
cd "$HOME" || exit 1

if command -v bash >/dev/null 2>&1; then shell=bash; else shell=sh; fi
SHELL=$(command -v $shell)
export SHELL
unset MAIL OLDPWD SHLVL  # the next shell is the first of this login, and reads ~/.bashrc as one that sshd has started

[ $# -gt 0 ] && exec "$@"

if [ -n "${SSH_ORIGINAL_COMMAND-}" ]; then
  wanted=$SSH_ORIGINAL_COMMAND
  unset SSH_ORIGINAL_COMMAND
  exec $shell -c "$wanted"
fi

[ -t 0 ] || exec $shell
if [ ! -e "$folder/greeted" ]; then
  : >"$folder/greeted"
  echo "This is an emulated TPU worker: its commands run on your own machine, as $USER, and can change your files."
fi
if [ $shell = bash ]; then exec bash --rcfile "$folder/shellrc" -i; fi
ENV=$folder/shellrc exec sh -i
