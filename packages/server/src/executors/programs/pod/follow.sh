#!/bin/sh
# shellcheck shell=dash disable=SC3045 # busybox runs it, whose shell is nearest to this one and knows `read -t`
# Prints everything that a pod has to report, starting where the worker left off, until all is finished: starts, output, ends, then the
# results. Run by the worker in the container `collector` of a pod, again whenever the connection was lost; kubernetes/pod/frame-reader.ts
# reads its frames.
#
#   follow STEP OUT 0 LIMIT [BYTES…]
#
# STEP is the one to start with, OUT the number of bytes of its output that are known, LIMIT the maximum bytes of one result. The third
# argument is for Jobs of earlier versions, which kept standard error apart. BYTES are the numbers of known bytes of the output of each
# sidecar.
cd /run/millrace/control || exit 70
at=$1 out=$2 limit=$4
left=$(( $4 * 16 ))
exec 5<> wake
steps=$(wc -l < /run/millrace/task/millrace/plan)
begun='' told='' quiet=0
shift 4
sidecars=0
while read -r _; do
  sidecars=$((sidecars+1))
  eval "known_$sidecars=${1:-0} state_$sidecars=running"
  [ $# = 0 ] || shift
done < /run/millrace/task/millrace/sidecars

# Prints at most 4 MiB of new output; fails if there is none.
send() {
  count=$(( $1 - out ))
  [ "$count" -gt 0 ] || return 1
  [ "$count" -le 4194304 ] || count=4194304
  echo "out $at $count"
  dd if="log/$at.out" bs=65536 iflag=skip_bytes,count_bytes skip="$out" count="$count" 2>/dev/null || exit 71
}

# Prints the new output of the sidecars, at most 1 MiB of each; fails if there is none.
send_sidecars() {
  sidecar=0 is_quiet=1
  while [ $sidecar -lt "$sidecars" ]; do
    sidecar=$((sidecar+1))
    eval "from=\$known_$sidecar state=\$state_$sidecar"
    if [ "$state" = running ] && [ -e log/sidecar-$sidecar.unready ]; then
      read -r why < log/sidecar-$sidecar.unready
      echo "unready $sidecar $why"
      state=late is_quiet=0
    fi
    over=
    [ ! -e log/sidecar-$sidecar.code ] || over=1
    more=$(( $(stat -c %s log/sidecar-$sidecar.out) - from ))
    if [ "$more" -gt 0 ]; then
      [ "$more" -le 1048576 ] || more=1048576
      echo "beside $sidecar $more"
      dd if="log/sidecar-$sidecar.out" bs=65536 iflag=skip_bytes,count_bytes skip="$from" count="$more" 2>/dev/null || exit 71
      from=$((from+more)) is_quiet=0
    elif [ -n "$over" ] && [ "$state" != over ]; then
      read -r code kills when < log/sidecar-$sidecar.code
      echo "ended $sidecar $code $kills $when"
      state=over is_quiet=0
    fi
    eval "known_$sidecar=$from state_$sidecar=$state"
  done
  return $is_quiet
}

# Waits for a change; the pauses grow while nothing changes. A tick every 10 s shows that the connection is alive.
rest() {
  quiet=$((quiet+1))
  if [ $quiet -lt 10 ]; then pause=0.02
  elif [ $quiet -lt 30 ]; then pause=0.05
  elif [ $quiet -lt 60 ]; then pause=0.1
  else
    pause=0.25
    [ $((quiet % 40)) != 0 ] || echo tick
  fi
  read -r -t $pause _ <&5 && quiet=0
}

# Reads the time in a file, in hundredths of a second: a shell has no fractions.
hundredths() {
  read -r time _ < "$1"
  whole=${time%.*} part=${time#*.}
  time=$(( whole * 100 + ${part#0} ))
}

# Whether all is finished is checked first: what does not exist after that will never appear.
while [ "$at" -le "$steps" ]; do
  if send_sidecars; then quiet=0; fi
  last=
  [ ! -e over ] || last=1
  if [ -z "$told" ] && [ -e breach ]; then
    told=1
    read -r found < breach
    echo "breach 0 $found"
  fi
  if [ -e "log/$at.turn" ]; then
    read -r word more < "log/$at.turn"
    echo "$word $at $more"
    at=$((at+1))
    continue
  fi
  if [ -z "$begun" ]; then
    if [ ! -e "log/$at.begun" ]; then
      [ -z "$last" ] || break
      rest
      continue
    fi
    begun=1
    hundredths "log/$at.begun"
    from=$time
    hundredths /proc/uptime
    echo "begin $at $(( (time - from) * 10 ))"
  fi
  ended=
  [ ! -e "log/$at.code" ] || ended=1
  if send "$(stat -c %s "log/$at.out")"; then
    out=$((out+count))
    quiet=0
    continue
  fi
  if [ -n "$ended" ]; then
    read -r code kills < "log/$at.code"
    echo "end $at $code $kills"
    at=$((at+1)) out=0 begun=
    continue
  fi
  [ -z "$last" ] || break
  rest
done
until [ -e over ]; do
  send_sidecars || rest
done
while send_sidecars; do :; done

# Prints a result if it is a regular file: a step may have left a link or a folder with its name.
give() {
  [ -f "./$1" ] && [ ! -L "./$1" ] && [ -r "./$1" ] || return 0
  size=$(stat -c %s "./$1")
  if [ "$size" -gt "$limit" ] || [ "$size" -gt "$left" ]; then
    echo "large 0 $size $1"
    return
  fi
  left=$((left-size))
  echo "result 0 $size $1"
  dd if="./$1" bs=65536 iflag=count_bytes count="$size" 2>/dev/null || exit 71
}

# Names of undeclared results, sorted; none if there are too many, as in all executors (steps/read-results.ts). Nothing here grows with the
# folder. Without the `/`, which no name contains, busybox would find nothing if the list of declared names is empty.
undeclared() {
  find . -maxdepth 1 -type f -name '[A-Za-z0-9_]*' ! -name '*[!A-Za-z0-9_.-]*' | head -n 10001 > /run/millrace/control/found
  [ "$(wc -l < /run/millrace/control/found)" -le 10000 ] || return
  sed 's|^\./||' /run/millrace/control/found | grep -vxF -e / -f /run/millrace/task/millrace/results | sort | head -n 200
}

if [ -d /task/results ] && [ ! -L /task/results ] && cd /task/results; then
  while read -r name; do give "$name"; done < /run/millrace/task/millrace/results
  { undeclared | while read -r name; do give "$name" >&3; done; } 3>&1 || exit 71
fi
echo over
