#!/bin/sh
# shellcheck shell=dash disable=SC3045 # busybox runs it, whose shell is nearest to this one and knows `read -t`
# The first process of the container of a step, from the Secret of the attempt (kubernetes/pod/pod-scripts.ts describes the pipes through
# which the collector communicates with it). It reports that it is running, waits for its turn, starts the program of the step, and reports
# how that ended. As the first process of its container it gets no signals from a step: the kernel blocks them. A step can't inspect or
# trace it either: the file of its program is not readable (collect.sh). The image may come from anyone: nothing is looked up in it, every
# program is the one static busybox.
#
#   step FOLDER LAUNCH SCRATCH FILES [PROBE]
#
# FOLDER contains busybox, LAUNCH is the file with the values of the step, for launch.sh, SCRATCH and FILES are for watch.sh. A sidecar is
# started the same way. PROBE is the file with the values of its readiness probe: a program that runs whenever the collector asks, through a
# separate pipe.
millrace_here=$PWD

# An image can declare a volume, or contain a link, at the path of one of our folders.
ours=0 foreign=0
while read -r _ _ _ _ at _; do
  case $at in
  /run/millrace/shared | /run/millrace/own | /run/millrace/task) ours=$((ours+1)) ;;
  /run/millrace | /run/millrace/*) foreign=1 ;;
  esac
done < /proc/self/mountinfo
if [ "$ours$foreign" != 30 ]; then
  echo 'refused: the image has a volume or a link at /run/millrace, where the folders of the service belong' > /tekton/termination
  exit 70
fi

cd /run/millrace/own || exit 70
# Opened by descriptor: a step that can rename parent folders can make a path lead elsewhere.
exec 5< "$1" 4< "${0%/*}"
box=/proc/self/fd/5/busybox
trap 'exit 0' TERM
echo here > here
exec 6< go
read -r word <&6
[ "$word" = run ] || exit 0
exec 7<> stop 8> alive
[ -z "${5:-}" ] || exec 9<> probe
echo begun >&8
# The collector removes the names of the pipes and reports that: programs of the step can't find them.
read -r word <&6
exec 6<&-
termed=
trap 'termed=1; kill -TERM -1' TERM
# Reads seconds of grace between TERM and KILL. A later value counts from then on.
(
  exec 8>&-
  read -r grace <&7
  kill -TERM -1
  while read -r -t "$grace" next <&7; do grace=$next; done
  kill -KILL -1
) & stopper=$!
(
  trap '' TERM
  exec $box sh /proc/self/fd/4/watch "$stopper" "$3" "$4" > /dev/null 2>&1 7>&-
) &
exec 7>&-
# If the program has replaced something at the paths used here, that only runs as its own program: the pipes stay with this shell.
[ -z "${5:-}" ] || (
  trap '' TERM
  while read -r seconds <&9; do
    "$1/busybox" timeout -s KILL "$seconds" "$1/busybox" sh "${0%/*}/launch" "$5" "$1" "$millrace_here" < /dev/null > /dev/null 2>&1 4<&- 5<&- 8>&- 9<&-
    echo "probed $?" >&8
  done
) &
[ -z "${5:-}" ] || exec 9<&-
"$1/busybox" setsid "$1/busybox" sh "${0%/*}/launch" "$2" "$1" "$millrace_here" < /dev/null > out 2>&1 4<&- 5<&- 8>&- &
child=$!
while :; do
  wait "$child"
  code=$?
  [ -n "$termed" ] || break
  termed=
done
kill -KILL -1 2>/dev/null
wait
# How often the kernel killed a process in this container for lack of memory, with the second or the first version of control groups.
kills=0
for file in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
  [ -r $file ] || continue
  while read -r key value; do
    [ "$key" != oom_kill ] || kills=$value
  done < $file
done
echo "end $code $kills" >&8
exit "$code"
