#!/bin/sh
# shellcheck shell=dash disable=SC2016,SC2046,SC2086 # busybox runs it, whose shell is nearest to this one; lists of paths of /proc have no blanks
# Says again and again, beside the first process of a step's container, what the step holds on the disk of its node where the collector can't see it. Run by
# step.sh, with descriptor 5 on the folder of busybox and 8 on the pipe to the collector, which nothing of the step has. A step can end it or make it
# stop: then the collector hears nothing, and takes the step to hold what the disk has lost.
#
#   watch STOPPER SCRATCH FILES
#
# STOPPER is a process of ours beside it, SCRATCH KiB and FILES are what the step may have. Each line is `held GONE OTHER FILES HIDDEN`: KiB in files that
# were deleted and are still open, KiB in volumes of the image, in files of the node and in the image itself, how many files these are, and 1 when open files could not be read,
# 2 when a folder could not.
set -u
stopper=$1 scratch=$2 most=$3
box=/proc/self/fd/5/busybox

# Free KiB of the disk of a folder.
room() {
  set -- $($box stat -f -c '%f %S' "$1")
  echo $(( ${1:-0} * ${2:-0} / 1024 ))
}

# Processes of the step, without ours. Of one whose first thread has ended the other threads go on; each has a folder of its own.
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

# Files without a name, each once, added up by device: blocks, files, one path. Then how many errors there were.
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

# Files that are under way in a socket or in a ring of the kernel, and those that are mapped: nothing says how large they are. Those in memory count there.
holds_secretly() {
  $box find $(paths_of fdinfo) -type f -print0 | $box xargs -0 -r $box grep -lsE '^(scm_fds|UserFiles):[[:space:]]*[1-9]' | $box grep -q . && return
  $box cat $(paths_of maps) | $box grep ' (deleted)$' |
    $box grep -qvE "^([^ ]+ ){4}[0-9]+ +/(memfd:[^/]*|SYSV[0-9a-f]{8}|dev/zero$in_memory) \(deleted\)$"
}

# An image can declare a volume there.
in_memory=
[ "$($box stat -f -c %t /dev/shm)" != 1021994 ] || in_memory='|dev/shm/[^/]*'

# One look at all processes; fails when something could not be read, as of a process on its way out.
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
    # tmpfs, which memory files are of, and hugetlbfs.
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

# Folders that the container engine makes for volumes of the image (those of containerd, of Docker and Podman, of CRI-O), and files of the node.
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
    # A folder of another user's that can't be read holds nothing of the step's, one of its own may.
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

# What lies in the root file system is for the node to count, which gives up at a path that is too long to say. A root that nobody may write to holds none.
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

# Thread by thread only when the disk has lost much: each may have a table of open files of its own, and most hide nothing.
thorough='' threads=
before=$(room /task)
pause=1 quiet=10 looked=$before
while $box sleep "$pause"; do
  read -r from _ < /proc/uptime
  now=$(room /task)
  # A look starts some twenty programs. While the disk loses little, as under a step that waits, one in ten seconds is enough.
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
