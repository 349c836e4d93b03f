#!/bin/sh
# shellcheck shell=dash disable=SC3045 # busybox runs it, whose shell is nearest to this one and knows `read -t`
# The first process of the container of a step, from the Secret of the attempt (kubernetes/pod-scripts.ts has the pipes by which the collector speaks to it).
# It waits for its turn, starts the program of the step, and says how that ended. As the first process of its container it gets no signal of a step's: the
# kernel keeps them from it. The image is anyone's: nothing is looked up in it, every program is the one static busybox, by its path.
#
#   step LAUNCH        the file with the values of the step, for pod-launch.sh
box=/run/millrace/shared/bin/busybox
cd /run/millrace/own || exit 70
trap 'exit 0' TERM
read -r word < go
[ "$word" = run ] || exit 0
exec 8> alive
echo begun >&8
termed=
trap 'termed=1; kill -TERM -1' TERM
# Seconds of grace between TERM and KILL. What is said later counts from then on.
(
  exec 7<> stop 8>&-
  read -r grace <&7
  kill -TERM -1
  while read -r -t "$grace" next <&7; do grace=$next; done
  kill -KILL -1
) &
$box setsid $box sh /run/millrace/task/millrace/launch "$1" < /dev/null > out 2>&1 8>&- &
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
echo "$code $kills" >&8
exit "$code"
