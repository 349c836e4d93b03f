#!/bin/sh
# shellcheck shell=dash disable=SC3045 # busybox runs it, whose shell is nearest to this one and knows `read -t`
# The first process of the container of a step, from the Secret of the attempt (kubernetes/pod-scripts.ts has the pipes by which the collector speaks to it).
# It says that it is there, waits for its turn, starts the program of the step, and says how that ended. As the first process of its container it gets no signal of a step's: the
# kernel keeps them from it. Nor can a step look into it or trace it: nobody may read the file of its program (collect.sh). The image is anyone's:
# nothing is looked up in it, every program is the one static busybox.
#
#   step FOLDER LAUNCH SCRATCH FILES [PROBE]
#
# FOLDER has busybox, LAUNCH is the file with the values of the step, for launch.sh, SCRATCH and FILES are for watch.sh. A sidecar is begun the same
# way. PROBE is the file with the values of its readiness probe: a program that is run whenever the collector asks, by a pipe of its own.
millrace_here=$PWD

# An image can declare a volume, or have a link, where one of our folders belongs.
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
# By descriptor: a step that can rename what lies on the way to a path leads it elsewhere.
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
# The collector takes the names of the pipes away and says so: what the step starts finds none of them.
read -r word <&6
exec 6<&-
termed=
trap 'termed=1; kill -TERM -1' TERM
# Seconds of grace between TERM and KILL. What is said later counts from then on.
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
# What the program has made of the paths that are used here, it has made for itself: the pipes stay with this shell.
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
# How often the kernel killed in this container for want of memory, by the second or the first version of control groups.
kills=0
for file in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
  [ -r $file ] || continue
  while read -r key value; do
    [ "$key" != oom_kill ] || kills=$value
  done < $file
done
echo "end $code $kills" >&8
exit "$code"
