#!/bin/sh
# shellcheck shell=dash disable=SC2016,SC2046,SC2086 # busybox runs it, whose shell is nearest to this one; lists of paths of /proc have no blanks
# Reports repeatedly, beside the first process of a step's container, what the step holds on the disk of its node where the collector can't
# see it. Run by step.sh, with descriptor 5 on the folder of busybox and 8 on the pipe to the collector, which no process of the step has. A
# step can end or halt it: then the collector receives nothing, and assumes that the step holds what the disk has lost.
#
#   watch STOPPER SCRATCH FILES
#
# STOPPER is a process of ours beside it, SCRATCH KiB and FILES are the limits of the step. Each line is `held GONE OTHER FILES HIDDEN`: KiB
# in files that were deleted and are still open, KiB in volumes of the image, in files of the node and in the image itself, the number of
# these files, and 1 if open files could not be read, 2 if a folder could not.
set -u
stopper=$1 scratch=$2 most=$3
box=/proc/self/fd/5/busybox

# Free KiB of the disk of a folder.
room() {
  set -- $($box stat -f -c '%f %S' "$1")
  echo $(( ${1:-0} * ${2:-0} / 1024 ))
}

# Processes of the step, without ours. If the first thread of a process has ended, its other threads continue; each has a separate folder.
list_processes() {
  processes=
  for process in /proc/[0-9]*; do
    pid=${process#/proc/}
    case $pid in 1 | "$$" | "$stopper") continue ;; esac
    state=
    while read -r key state _; do [ "$key" != State: ] || break; done < "$process/status"
    case $state in
    '') continue ;;
    Z | X) ;;
    *)
      processes="$processes $process"
      [ -n "$thorough" ] || continue
      ;;
    esac
    for thread in "$process/task"/*; do
      [ "${thread##*/}" = "$pid" ] || processes="$processes $thread"
    done
  done
}

paths_of() {
  for process in $processes; do
    for part in "$@"; do echo "$process/$part"; done
  done
}

# Files without a name, each once, added up by device: blocks, files, one path. Then the number of errors.
count_unlinked() {
  {
    errors=$({
      $box find $(paths_of fd exe) -print0 | $box xargs -0 -r $box stat -L -c '%h %d:%i %b %d %n' |
        $box awk '$1 == 0 && !seen[$2]++ { blocks[$4] += $3; files[$4]++; one[$4] = $5 }
          END { for (device in blocks) print blocks[device], files[device], one[device] }' >&3
    } 2>&1 | $box grep -vc -e ': No such file or directory$' -e ': No such process$')
    echo "errors $errors"
  } 3>&1
}

# Whether there are files in transit in a socket or in a ring of the kernel, or mapped ones: their size can't be found out. Mapped files in
# memory are excluded, since they count as memory.
holds_secretly() {
  $box find $(paths_of fdinfo) -type f -print0 | $box xargs -0 -r $box grep -lsE '^(scm_fds|UserFiles):[[:space:]]*[1-9]' | $box grep -q . && return
  $box cat $(paths_of maps) | $box grep ' (deleted)$' |
    $box grep -qvE "^([^ ]+ ){4}[0-9]+ +/(memfd:[^/]*|SYSV[0-9a-f]{8}|dev/zero$in_memory) \(deleted\)$"
}

# An image can declare a volume at /dev/shm.
in_memory=
[ "$($box stat -f -c %t /dev/shm)" != 1021994 ] || in_memory='|dev/shm/[^/]*'

# Inspects all processes once; fails if something could not be read, e.g. of a process that is ending.
look() {
  list_processes
  gone=0 files=0
  [ -n "$processes" ] || return 0
  ok=
  while read -r blocks count path; do
    if [ "$blocks" = errors ]; then
      [ "$count" != 0 ] || ok=1
      break
    fi
    # tmpfs, which files in memory use, and hugetlbfs.
    case $($box stat -f -c %t "$path") in
    1021994 | 958458f6) continue ;;
    '') return 1 ;;
    esac
    gone=$((gone+blocks/2)) files=$((files+count))
  done << END
$(count_unlinked)
END
  [ -n "$ok" ] && ! holds_secretly
}

# Folders that the container engine creates for volumes of the image (those of containerd, of Docker and Podman, of CRI-O), and files of the
# node.
add_others() {
  other=0
  while read -r _ _ _ root at options _; do
    case $root in
    */pods/*) continue ;;
    */containers/*/volumes/* | */volumes/*/_data | */overlay-containers/*/*) ;;
    *) continue ;;
    esac
    case $options in rw*) ;; *) continue ;; esac
    at=$(printf '%bx' "$at")
    at=${at%x}
    # An unreadable folder of another user contains nothing of the step's; one of the step's own user may.
    set -- $({
      errors=$({
        $box du -skx "$at" | $box cut -f 1 >&3
        $box find "$at" -xdev -print0 | $box tr -dc '\000' | $box head -c $((most+1)) | $box wc -c >&3
      } 2>&1 | $box grep -vc ': Permission denied$')
      closed=$($box find "$at" -xdev -type d -user "$($box id -u)" ! -perm -500 | $box head -c 1 | $box wc -c)
      echo $((errors+closed))
    } 3>&1)
    other=$((other + ${1:-0})) files=$((files + ${2:-0}))
    [ "${3:-1}" = 0 ] || hidden=2
  done < /proc/self/mountinfo
  for file in /tekton/termination /etc/hosts /etc/hostname /etc/resolv.conf; do
    blocks=$($box stat -c %b "$file") && other=$((other+blocks/2))
  done
}

# Files in the root file system are counted by the node, which fails if a path is too long. A read-only root contains none.
add_root() {
  [ -n "$is_open" ] || return
  left=$(room /)
  [ $((root_known-left)) -gt $((scratch/4)) ] || return
  if $box find / -xdev -print0 2>&1 > /dev/null | $box grep -q ': File name too long$'; then
    other=$((other+root_known-left))
  else
    root_known=$left
  fi
}
is_open='' root_known=$(room /)
while read -r _ _ _ _ at options _; do
  case $at$options in /rw*) is_open=1 ;; esac
done < /proc/self/mountinfo

# Threads are only inspected if the disk has lost much: each may have its own table of open files, but most hide nothing.
thorough='' threads=
before=$(room /task)
pause=1 quiet=10 looked=$before
while $box sleep "$pause"; do
  read -r from _ < /proc/uptime
  now=$(room /task)
  # Each inspection starts some twenty programs. While the disk loses little, as with a step that waits, one every ten seconds is enough.
  quiet=$((quiet+pause)) pause=1
  if [ "$quiet" -lt 10 ] && [ $((looked-now)) -le $((scratch/16)) ]; then continue; fi
  quiet=0 looked=$now
  thorough=$threads
  if [ $((before-now)) -gt $((scratch/4)) ]; then
    before=$now thorough=1
  fi
  [ "$now" -lt "$before" ] || before=$now
  hidden=0
  look || look || look || hidden=1
  if [ -n "$thorough" ] && [ $((hidden+gone)) -gt 0 ]; then threads=1; fi
  add_others
  add_root
  echo "held $gone $other $files $hidden" >&8
  read -r to _ < /proc/uptime
  pause=$(( (${to%.*} - ${from%.*}) * 10 + 1 ))
  # The collector waits 20 s for the next line.
  [ $pause -le 10 ] || pause=10
done
