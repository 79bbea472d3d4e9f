#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# full.sh FOLDER SCRATCH BYTES: a worker's disk with BYTES of room. In a mount namespace of its own (and a user namespace,
# where only that allows one) a small file system lies over the worker's folders. enter goes in through the process that
# FOLDER/disk names, for as long as this runs. It needs unshare and nsenter of util-linux.
if [ "${4-}" = inside ]; then
  cd "$1" || exit 1
  mkdir -p full
  mount -t tmpfs -o "size=$((($3 + 4095) / 4096 * 4096 + 4096)),mode=0700" none full || exit 1
  : >full/here
  for place in home state "$2"; do
    layer=full/$(printf %s "$place" | tr -c 'a-z\n' -)
    mkdir -p "$layer" "$layer.work"
    mount -t overlay -o "lowerdir=$place,upperdir=$layer,workdir=$layer.work" none "$place" || exit 1
  done
  head -c 4096 /dev/zero >full/filler # a file system of size 0 would have no limit
  echo "$5 --target=$$" >disk.new && mv disk.new disk
  # What programs from before write goes below the mounts; only a remount forgets what was read of it.
  while sleep 0.3 2>/dev/null || sleep 1; do
    for place in home state "$2"; do mount -o remount "$place" || exit 1; done
  done
fi

rm -f "$1/disk"
for how in '--mount' '--user --mount --preserve-credentials'; do
  case $how in *user*) options='--user --mount --map-current-user --keep-caps' ;; *) options='--mount' ;; esac
  # shellcheck disable=SC2086
  unshare $options true 2>/dev/null || continue
  # shellcheck disable=SC2086
  exec unshare $options sh "$0" "$1" "$2" "$3" inside "$how"
done
echo "this computer lets $(id -un) have no mount namespace" >&2
exit 1
