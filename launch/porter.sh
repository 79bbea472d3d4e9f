# SPDX-License-Identifier: Apache-2.0
# The worker's half of a transfer: POSIX sh and GNU tools. An archive arrives whole, or goes on where it broke, is checked, unpacked
# aside, and takes its place by renames: what is there is old or new, never half of a file.
#
#   sh porter.sh KEY SUM SIZE CONTENT HOW DEST TOP KIND
#
# KEY names the place on the client's side, SUM is the archive's SHA-256, SIZE its bytes, CONTENT those of the files in it. HOW is
# `mirror` (DEST is a folder that will hold what the archive holds; files of an earlier archive that this one lacks go, files
# that others made stay) or `into` (as scp: into DEST if that is a folder, else DEST is the new name). TOP and KIND are name and
# kind (file, folder) of the archive's only entry at its top; TOP is empty when there are several.
#
# It says "have" and ends, or "need OFFSET" and takes orders on stdin until that ends: take, object, fetch (how to get the
# archive: "got", or "unfetched BYTES WHY" when another carrier may do better), serve ("serving ADDRESS", "unserving ADDRESS"), place ("done"). "failed WHY" at any
# time is the end. All lines for the client start with "tpuctl: ". State lies in ~/.tpuctl/files/KEY: the archive while it is
# needed, and of what was placed last `state`, `sums`, `paths`, `folders`.
set -u
LC_ALL=C
export LC_ALL
umask 077
exec 3<&0

key=$1 sum=$2 size=$3 content=$4 how=$5 dest=$6 top=$7 kind=$8
record=$HOME/.tpuctl/files/$key
part=$record/$sum.part     # arriving
archive=$record/$sum.tgz   # whole
aside='' served='' opened='' pulled=''

say() { printf 'tpuctl: %s\n' "$*"; }
first_line() { printf '%s\n' "$1" | sed q; }
last_line() { printf '%s\n' "$1" | sed -n '$p'; }
bytes() { if [ -f "$1" ]; then wc -c <"$1" | tr -d ' '; else echo 0; fi; }
refuse() {
  say "failed $*"
  exit 1
}

finish() {
  trap - EXIT
  trap '' HUP INT TERM PIPE
  [ "$group" != $$ ] || kill -s TERM -- "-$group" 2>/dev/null
  [ -z "$opened" ] || rewrite_keys ''
  [ -z "$aside" ] || rm -rf "$aside"
  [ "$(cat "$record/writer" 2>/dev/null)" != "$group" ] || rm -f "$record/writer" "$archive" "$record/hosts"
  [ -z "${TPUCTL_OWN_AGENT:-}" ] || kill "$SSH_AGENT_PID" 2>/dev/null
}
group=$(ps -o pgid= -p $$ 2>/dev/null | tr -d ' ')
trap finish EXIT
trap 'exit 1' HUP INT TERM PIPE

# ---- where it goes ---------------------------------------------------------------------------------------------------

# Sets base, the folder that the archive's entries come into, and name, under which its only entry goes (empty: its own).
resolve() {
  # shellcheck disable=SC2088
  case $dest in
    '' | '~') where=$HOME ;;
    '~/'*) where=$HOME/${dest#'~/'} ;;
    '~'*) refuse "the path [$dest] must be written in full" ;;
    /*) where=$dest ;;
    *) where=$HOME/$dest ;;
  esac
  base=$where name=
  [ "$how" = into ] || {
    [ ! -e "$base" ] || [ -d "$base" ] || refuse "[$dest] is no folder"
    return 0
  }
  [ ! -d "$where" ] || return 0
  [ -n "$top" ] || refuse "[$dest] is no folder"
  case $where in */) [ "$kind" = folder ] || refuse "there is no folder [$dest]" ;; esac
  while :; do
    case $where in */) where=${where%/} ;; *) break ;; esac
  done
  base=${where%/*}/ name=${where##*/}
  [ -d "$base" ] || refuse "there is no folder [${base%/}]"
}

# The archive was placed here, and what it brought is unchanged.
have() {
  [ "$(cat "$record/state" 2>/dev/null)" = "$sum $base $name" ] || return 1
  [ -s "$record/sums" ] || return 0
  (cd "$base" && sha256sum --status -c "$record/sums") 2>/dev/null
}

check_room() { # FOLDER BYTES; the nearest folder that is there
  folder=$1
  while [ -n "$folder" ] && [ ! -d "$folder" ]; do folder=${folder%/*}; done
  folder=${folder:-/}
  free=$(df -Pk "$folder" 2>/dev/null | awk 'NR == 2 { print $4 }')
  need=$(($2 / 1024 + 1))
  [ -z "$free" ] || [ "$free" -ge "$need" ] || refuse "no room in [$folder]: $((need / 1024 + 1)) MiB needed, $((free / 1024)) MiB free"
  [ -w "$folder" ] || refuse "[$folder] cannot be written to"
}

# ---- into its place --------------------------------------------------------------------------------------------------

# By rename, folder by folder; a folder that is not there yet moves whole.
merge() { # FROM TO
  cd "$1" || return 1
  find . -type d -print0 >"$aside/list" || return 1
  # shellcheck disable=SC2016
  xargs -0 sh -c '
    to=$1
    shift
    for folder; do
      if [ ! -d "$folder" ]; then
        :
      elif [ -d "$to/$folder" ]; then
        find "$folder" -mindepth 1 -maxdepth 1 ! -type d -exec mv -f -t "$to/$folder" -- {} + || exit 255
      else
        mv -T -- "$folder" "$to/$folder" || exit 255
      fi
    done' tpuctl "$2" <"$aside/list"
}

# What the last archive brought to the same place, and this one does not have.
remove_gone() {
  comm -z -23 "$record/paths" "$aside/paths" >"$aside/list"
  (cd "$base" && xargs -0 -r rm -f -- <"$aside/list") 2>/dev/null
  comm -z -23 "$record/folders" "$aside/folders" | sort -rz >"$aside/list"
  (cd "$base" && xargs -0 -r rmdir -- <"$aside/list") 2>/dev/null
  return 0
}

place() {
  exec 8>"$record/lock"
  ! command -v flock >/dev/null 2>&1 || flock -w 600 8 || refuse 'another transfer to the same place does not end'
  spot=$base
  while [ ! -d "$spot" ]; do
    spot=${spot%/*}
    spot=${spot:-/}
  done
  spot=${spot%/}
  rm -rf "$spot/.tpuctl-$key".*
  aside=$spot/.tpuctl-$key.$$
  trouble=$( (mkdir -- "$aside" && mkdir -m 755 -- "$aside/tree" && tar -xzpf "$archive" -m --no-same-owner -C "$aside/tree") 2>&1) ||
    refuse "unpacking: $(first_line "$trouble")"
  [ -z "$name" ] || [ "$name" = "$top" ] || mv -T -- "$aside/tree/$top" "$aside/tree/$name"
  trouble=$( (
    cd "$aside/tree" && find . -type f -exec sha256sum -- {} + >"$aside/sums" &&
      find . ! -type d -print0 | sort -z >"$aside/paths" && find . -mindepth 1 -type d -print0 | sort -z >"$aside/folders"
  ) 2>&1) || refuse "$(first_line "$trouble")"

  # From here on until the new state is written, a crash makes the next transfer do it all again.
  rm -f "$record/state"
  if [ "$how" = mirror ] && [ -f "$record/paths" ] && [ -d "$base" ]; then
    remove_gone
    for list in paths folders; do sort -zmu "$record/$list" "$aside/$list" >"$aside/all" && mv -f "$aside/all" "$record/$list"; done
  else
    cp "$aside/paths" "$aside/folders" "$record/"
  fi
  trouble=$(
    if [ -d "$base" ]; then
      merge "$aside/tree" "$base"
    else
      (umask 022 && mkdir -p -- "$(dirname -- "$base")") && mv -T -- "$aside/tree" "$base"
    fi 2>&1
  ) || refuse "$(first_line "$trouble")"
  mv -f "$aside/sums" "$aside/paths" "$aside/folders" "$record/" && echo "$sum $base $name" >"$record/state"
  rm -rf "$aside"
  aside=
  exec 8>&-
}

# ---- the conversation ------------------------------------------------------------------------------------------------

resolve
! grep -qs ' tpuctl-files$' "$HOME/.ssh/authorized_keys" || rewrite_keys ''
find "$HOME/.tpuctl/files" -maxdepth 2 \( -name '*.part' -o -name '*.tgz' \) -mtime +0 -exec rm -f {} + 2>/dev/null
if have; then
  say have
  exit 0
fi
check_room "$HOME" "$size"
check_room "${base%/}" "$((size + content))"
claim
arrived=$(bytes "$part")
[ "$arrived" -lt "$size" ] || rm -f "$part"  # whole it would have been renamed
[ "$arrived" -lt "$size" ] || arrived=0
say "need $arrived"
while read -r order a b c d e f <&3; do
  case $order in
    take) take "$a" ;;
    object) pull by_object "$a" "$b" ;;
    fetch) fetch "$a" "$b" "$c" "$d" "$e" "$f" ;;
    serve) serve "$a" "$b" "$c" ;;
    place) place && say 'done' ;;
  esac
done
