#!/bin/sh
# Builds the file system of a step from mounts and leaves that of the machine: the level `unshare` (process/isolation/unshare.ts). Run by
# `unshare` in new namespaces, with all rights in them; if the service is root, these are root's. No program may run as root once something
# that a user can write to is visible. Therefore:
#
# - The programs have absolute paths, in folders of the machine that no workspace can cover. Nothing is looked up by name.
# - The caller orders the words: every mount point is created first, in the empty root. What steps can write to comes last; after that
#   nothing is created or looked up below it: this program only leaves the old root and drops its rights, through the PROGRAM that it
#   executes.
#
#   make-root MOUNT UMOUNT PIVOT_ROOT MKDIR RMDIR TOUCH LN WORD… -- PROGRAM [ARGUMENT…]
#
# A WORD with its values is one of those below. Paths start with a slash; those in the new root are as the step sees them.
mount=$1 umount=$2 pivot_root=$3 mkdir=$4 rmdir=$5 touch=$6 ln=$7
shift 7

# In memory and harmless: steps have only these five devices.
make_devices() {
  "$mount" -t tmpfs -o mode=755,size=64m,nosuid,noexec tmpfs dev
  "$mkdir" -m 1777 dev/shm
  "$touch" dev/null dev/zero dev/full dev/random dev/urandom
  for device in null zero full random urandom; do
    "$mount" --bind /dev/$device dev/$device
  done
  "$ln" -s /proc/self/fd dev/fd
  "$ln" -s /proc/self/fd/0 dev/stdin
  "$ln" -s /proc/self/fd/1 dev/stdout
  "$ln" -s /proc/self/fd/2 dev/stderr
}

# Arguments: paths, one per line; none contains a line end (core/task/mount-paths.ts). One process creates them all, since each process
# takes a millisecond.
make_folders() {
  set -f
  IFS='
'
  # shellcheck disable=SC2086 # the lines are the words
  "$mkdir" -p $1
  unset IFS
  set +f
}

# Enters a folder of the new root, which must really be at its path: through a link that a step has left in a workspace, a mount would end
# up anywhere on the machine, over a program that root runs next.
enter() {
  cd "$root$1"
  [ "$(pwd -P)" = "$root$1" ] || { echo "make-root: a link is in the way to $1" >&2; exit 125; }
}

while [ "$1" != -- ]; do
  case $1 in
  join) # FILE of a control group
    echo 0 > "$2" || exit 125
    shift 2
    ;;
  loopback) # the way out ends at an address of the step's own network; bubblewrap does this by itself
    ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || busybox ip link set lo up 2>/dev/null || true
    shift
    ;;
  root) # FOLDER of the machine that is empty: the new root is mounted on it, and made in it; from here on everything has to succeed
    set -e
    cd "$2"
    "$mount" -t tmpfs -o mode=755,size=4m,nosuid tmpfs .
    cd "$2"
    root=$(pwd -P)
    shift 2
    ;;
  folders) # PATHS, one a line, each with a dot in front
    make_folders "$2"
    shift 2
    ;;
  file) # PATH of an empty one
    "$touch" ".$2"
    shift 2
    ;;
  link) # TARGET PATH
    "$ln" -s "$2" ".$3"
    shift 3
    ;;
  show) # SOURCE PATH, to be read alone
    "$mount" -o bind,ro,nosuid "$2" ".$3"
    shift 3
    ;;
  lend) # SOURCE PATH of a folder that steps may have written to, to be read alone
    enter "$3"
    "$mount" -o bind,ro,nosuid "$2" .
    cd "$root"
    shift 3
    ;;
  give) # SOURCE PATH of a folder, to be written as well
    enter "$3"
    "$mount" -o bind,nosuid "$2" .
    cd "$root"
    shift 3
    ;;
  cover) # PATH of a folder that steps must not look into
    "$mount" -t tmpfs -o ro,size=4k,nosuid,nodev,noexec tmpfs ".$2"
    shift 2
    ;;
  devices)
    make_devices
    shift
    ;;
  processes) # the table of processes, of these namespaces alone
    "$mount" -t proc -o nosuid,nodev,noexec proc proc
    shift
    ;;
  last-namespace) # one more user namespace, which gives up what this one could do, and none after it
    echo 1 > proc/sys/user/max_user_namespaces
    shift
    ;;
  leave) # the old root
    "$pivot_root" . .old
    "$umount" -l /.old
    "$rmdir" /.old
    "$mount" -o remount,bind,ro,nosuid /
    cd /
    shift
    ;;
  *)
    echo "make-root does not know the word $1" >&2
    exit 125
    ;;
  esac
done
shift
exec "$@"
