#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sudo on an emulated worker, whose only user is the one who runs the emulator: the command runs as it stands.
refuse() {
  echo "sudo: $1" >&2
  exit 1
}

as_user() {
  case $1 in
    root | '#0' | "$USER") ;;
    *) refuse "an emulated worker has no user $1" ;;
  esac
}

shell= nothing=
while [ $# -gt 0 ]; do
  case $1 in
    --) shift; break ;;
    -u | --user) [ $# -gt 1 ] || refuse "option $1 needs a user"; as_user "$2"; shift ;;
    -u?*) as_user "${1#-u}" ;;
    --user=*) as_user "${1#--user=}" ;;
    -g | --group | -p | --prompt | -D | --chdir | -C | --close-from | -h | --host | -T | --command-timeout) [ $# -gt 1 ] && shift ;;
    -i | --login | -s | --shell) shell=1 ;;
    -v | --validate | -k | --reset-timestamp | -K | --remove-timestamp | -l | --list) nothing=1 ;;
    -V | --version) echo "sudo of the tpuctl emulator"; exit 0 ;;
    --preserve-env* | --non-interactive | --set-home | --stdin | --askpass | --group=* | --prompt=*) ;;
    -*[!AEHPSn]* | -) refuse "option $1 is not known on an emulated worker" ;;
    -*) ;;
    [A-Za-z_]*=*) export "$1" ;;
    *) break ;;
  esac
  shift
done

[ $# -gt 0 ] && exec "$@"
[ -n "$shell" ] && exec "${SHELL:-/bin/sh}"
[ -n "$nothing" ] && exit 0
refuse "no command given"
