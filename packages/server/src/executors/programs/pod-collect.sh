#!/bin/sh
# shellcheck shell=dash # busybox runs it, whose shell is nearest to this one
# The first process of a pod's container `collector`, from the Secret of the attempt (kubernetes/pod-scripts.ts has the files and pipes by which it speaks
# to the steps and to the worker). It makes these, lets the steps begin one after the other, keeps what they write, and stays until the pod is removed, so
# that the worker can still read all of it. The image is ours; nothing of a step's runs here.
#
#   collect BLOCKS SCRATCH
#
# BLOCKS of 512 bytes are what the output of all steps may have, SCRATCH KiB what the scratch folder and the folders of the pipes may have. A step may write
# to its own pipes and put other things in their place: what comes out of them is checked, and a step is over when nothing holds its pipe any more. A shell that waits for the other end of a pipe
# hears nothing but KILL, so pipes are opened in children only.
set -u
umask 0
blocks=$1 scratch=$2
cd /run/millrace/control || exit 70
mkdir -p public/bin public/ends log /task/work /task/results /task/home /task/tmp
cp /proc/$$/exe public/bin/busybox && chmod 755 public/bin/busybox
n=0
while read -r _; do
  n=$((n+1))
  mkdir step-$n
  mkfifo step-$n/go step-$n/alive step-$n/stop step-$n/out
  : > log/$n.out
done < /run/millrace/task/millrace/plan
mkfifo wake
exec 6<> wake
trap : USR1
trap 'exit 0' TERM INT
: > ready

# Says once that the scratch folder is too large, and rests ten times as long as a look takes.
measure() {
  pause=1
  while sleep "$pause"; do
    read -r from _ < /proc/uptime
    # Steps can write into the folders of their pipes, too.
    used=$(du -sk /task step-* 2>/dev/null | { all=0; while read -r one _; do all=$((all+one)); done; echo $all; })
    if [ "${used:-0}" -gt "$scratch" ]; then
      echo "$used" > breach.new
      mv breach.new breach
      echo >&6
      return
    fi
    read -r to _ < /proc/uptime
    pause=$(( (${to%.*} - ${from%.*}) * 10 + 1 ))
  done
}
measure &

# Asks the running step to stop, or gives up on one whose container has not begun.
ask() {
  [ -e stop-request ] || return 0
  read -r grace < stop-request
  rm -f stop-request
  stopping=1
  if [ -e log/$n.begun ]; then
    ( echo "$grace" > step-$n/stop ) &
  else
    kill -KILL "$alive" "$go" 2>/dev/null
  fi
}

# A signal ends the wait, not the child: the worker says by one that there is a request.
await() {
  while kill -0 "$1" 2>/dev/null; do
    ask
    wait "$1"
  done
}

# What a step says of itself is a number only if it looks like one.
numeric() {
  case $1 in
  '' | *[!0-9]* | ??????????*) return 1 ;;
  esac
}

# What is beyond the limit is read and dropped, so that no step ever waits for a reader.
drain() {
  ( ulimit -f "$blocks"; exec cat > log/$n.out )
  exec cat > /dev/null
}

n=0
stopping=
while read -r flag end <&3; do
  n=$((n+1))
  if [ -e stop-request ] || [ -n "$stopping" ]; then break; fi
  drain < step-$n/out 2>/dev/null & out=$!
  (
    {
      read -r _ || exit
      read -r up _ < /proc/uptime
      echo "$up" > log/$n.begun.new
      mv log/$n.begun.new log/$n.begun
      echo >&6
      read -r code kills
      # It is over when nothing holds the pipe any more, whatever was said.
      cat > /dev/null
    } < step-$n/alive
    if ! numeric "$code" || [ "$code" -gt 255 ]; then code=lost; fi
    numeric "$kills" || kills=0
    echo "$code $kills" > log/$n.code.new
  ) & alive=$!
  ( echo run > step-$n/go ) & go=$!
  await $alive
  if [ ! -e log/$n.code.new ]; then
    kill -KILL $go $out 2>/dev/null
    break
  fi
  await $out
  # All steps share what may be written.
  blocks=$(( blocks - $(stat -c %s log/$n.out) / 512 ))
  [ $blocks -ge 2 ] || blocks=2
  read -r code _ < log/$n.code.new
  echo -n "$code" > "public/ends/$end"
  mv log/$n.code.new log/$n.code
  echo >&6
  [ "$code" = 0 ] || [ "$flag" = continue ] || break
done 3< /run/millrace/task/millrace/plan
: > over
rm -f stop-request
echo >&6
while :; do
  sleep 3600 &
  wait $!
done
