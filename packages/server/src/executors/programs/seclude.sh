#!/bin/sh
# Gives a step of the level `own-uid`, which sees the machine's files, its own instances of the folders that everyone may write to
# (process/isolation/seclusion.ts). Run as root in new namespaces for mounts and queues, before PROGRAM drops root's rights; the path of
# MOUNT is absolute, so that nothing is looked up by name.
#
#   seclude MOUNT TEMP HIDE [memory FOLDER | attempt FOLDER]… -- PROGRAM [ARGUMENT…]
#
# A FOLDER that the machine does not have is left out. `memory`: an empty one for each step; `attempt`: TEMP, the attempt's folder for
# temporary files. HIDE is `yes` if processes of other users are to be hidden.
mount=$1 temp=$2 hide=$3
shift 3
while [ "$1" != -- ]; do
  if [ -d "$2" ]; then
    case $1 in
    memory) "$mount" -t tmpfs -o mode=1777,nosuid,nodev,size=64m tmpfs "$2" ;;
    attempt) "$mount" -o bind,nosuid,nodev "$temp" "$2" ;;
    esac || exit 125
  fi
  shift 2
done
shift
[ "$hide" = no ] || "$mount" -t proc -o nosuid,nodev,noexec,hidepid=2 proc /proc || exit 125
exec "$@"
