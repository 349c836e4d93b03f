#!/bin/sh
# shellcheck shell=dash disable=SC2086,SC2094 # lists of folders have no blanks, and pipes lose their names while they are read; busybox runs it, whose shell is nearest to this one
# The first process of a pod's container `collector`, from the Secret of the attempt (kubernetes/pod/pod-scripts.ts describes the files and
# pipes through which it communicates with the steps and the worker). It creates these, lets the steps start one after the other, stores
# their output, and stays until the pod is removed, so that the worker can still read everything. The image is ours; no program of a step
# runs here.
#
#   collect BLOCKS SCRATCH FILES NONCE [PLACE:KIB…]
#
# BLOCKS of 512 bytes are the limit for the output of all steps, SCRATCH KiB and FILES those of the scratch folder. NONCE names the folder
# of busybox: an image that knew the name could declare a volume there. The rest are the volumes of the task that have a size of their own.
# A step sees the pipes read-only, and all except that of its output only until it starts. A shell that blocks while opening a pipe reacts
# only to KILL, so pipes are opened for both ends, which never blocks, or in children.
set -u
umask 0
blocks=$1 scratch=$2 most=$3 nonce=$4
shift 4
sizes=$*
cd /run/millrace/control || exit 70
mkdir -p "public/$nonce" public/ends log /task/work /task/results /task/home /task/tmp
# Not readable: processes that run it can't be traced or inspected by processes of the same user, such as those of a step.
cp /proc/$$/exe "public/$nonce/busybox" && chmod 111 "public/$nonce/busybox"
# Mount points of volumes in the home, with a slash at the end for a folder: the node would create them so that only root can use them.
while IFS= read -r place; do
  mkdir -p "${place%/*}"
  case $place in */) ;; *) : > "$place" ;; esac
done < /run/millrace/task/millrace/places
n=0
while read -r _; do
  n=$((n+1))
  mkdir step-$n
  mkfifo step-$n/here step-$n/go step-$n/alive step-$n/stop step-$n/out
  : > log/$n.out
done < /run/millrace/task/millrace/plan
# There is a line for each sidecar, `GRACE BLOCKS READY KIND PORT TIMEOUT PERIOD DELAY SUCCESSES`: seconds between TERM and KILL, the limit
# of its output, seconds within which it has to be ready, and its readiness probe; KIND is none, exec, tcp or http.
sidecars=0
while read -r _; do
  sidecars=$((sidecars+1))
  mkdir sidecar-$sidecars kept-$sidecars
  for pipe in here go alive stop out probe; do mkfifo sidecar-$sidecars/$pipe; done
  : > log/sidecar-$sidecars.out
  for part in work home tmp; do mkdir -p /run/millrace/volumes/sidecar-$sidecars/$part; done
done < /run/millrace/task/millrace/sidecars
mkfifo wake
exec 6<> wake
trap : USR1
trap 'exit 0' TERM INT
: > ready

# Free KiB and files of the disk of the scratch folder.
room() {
  stat -f -c '%f %S %d' /task | { read -r free size nodes; echo $((free * size / 1024)) "$nodes"; }
}

# The scratch folder, and volumes of the task that count towards its limit.
folders=/task
for volume in /run/millrace/volumes/*; do
  [ ! -d "$volume" ] || folders="$folders $volume"
done

# Measures these folders, and adds what the running step reports. If something can't be read, it is assumed to take all that the disk has
# lost since everything could be read. Files are only missing from their count if folders can't be read.
look() {
  # shellcheck disable=SC2046 # two numbers
  set -- $(room)
  free=${1:-0} nodes=${2:-0}
  # shellcheck disable=SC2046 # three numbers
  set -- $({
    errors=$({
      find $folders -xdev -print0 | tr -dc '\000' | head -c $((most+1)) | wc -c >&3
      du -skcx $folders | tail -n 1 | cut -f 1 >&3
    } 2>&1 | grep -vc ': No such file or directory$')
    echo "$errors"
  } 3>&1)
  files=${1:-0} used=${2:-0} errors=${3:-1} hidden=0
  gone=0 other=0 unseen=0
  for said in held held-[0-9] held-[0-9][0-9]; do
    if read -r more_gone more_other more_files more_hidden at < "$said"; then
      gone=$((gone+more_gone)) other=$((other+more_other)) files=$((files+more_files)) used=$((used+more_gone+more_other))
      read -r up _ < /proc/uptime
      [ $(( ${up%.*} - ${at%.*} )) -le 20 ] || more_hidden=2
      [ "$more_hidden" -le $hidden ] || hidden=$more_hidden
    fi 2>/dev/null
  done
  [ "$errors" = 0 ] || hidden=2
  if [ "$hidden" = 0 ]; then
    known_free=$free known_nodes=$nodes known_used=$used known_files=$files
    return
  fi
  unseen=$((known_free - free - used + known_used))
  [ $unseen -gt 0 ] || unseen=0
  used=$((used+unseen))
  lost=$((known_nodes - nodes - files + known_files))
  if [ "$hidden" = 2 ] && [ $lost -gt 0 ]; then files=$((files+lost)); fi
}

tell() {
  echo "$1" > breach.new
  mv breach.new breach
  echo >&6
}

# Reports once that a limit is exceeded, and pauses ten times as long as a measurement takes.
measure() {
  # shellcheck disable=SC2046 # two numbers
  set -- $(room)
  known_free=${1:-0} known_nodes=${2:-0} known_used=0 known_files=0
  pause=1
  while sleep "$pause"; do
    read -r from _ < /proc/uptime
    look
    if [ "$used" -gt "$scratch" ] || [ "$files" -gt "$most" ]; then
      tell "$used $files $gone $other $unseen 0"
      return
    fi
    for size in $sizes; do
      held=$(du -skx "/run/millrace/volumes/${size%%:*}" 2>/dev/null | cut -f 1)
      [ "${held:-0}" -gt "${size#*:}" ] || continue
      tell "$held 0 0 0 0 $((${size%%:*}+1))"
      return
    done
    read -r to _ < /proc/uptime
    pause=$(( (${to%.*} - ${from%.*}) * 10 + 1 ))
  done
}
measure &

# Asks the running step to stop, or gives up a step whose container has not started.
ask() {
  [ -e stop-request ] || return 0
  read -r grace < stop-request
  rm -f stop-request
  stopping=1
  stop_sidecars "$grace"
  if [ -e log/$n.begun ]; then
    echo "$grace" >&4
  else
    kill -KILL "$alive" 2>/dev/null
  fi
}

# A signal interrupts `wait` and not the child: the worker uses it to report a request.
await() {
  while kill -0 "$1" 2>/dev/null; do
    ask
    wait "$1"
  done
}

# Output beyond the limit is read and dropped, so that no step ever waits for a reader. Arguments: BLOCKS FILE
drain() {
  ( ulimit -f "$1"; exec cat > "$2" )
  exec cat > /dev/null
}

# Then programs of the step can't find these pipes: from now on only the step's wrapper can write to them.
remove_names() {
  rm -f step-$n/go step-$n/stop step-$n/alive
}

# For a step with conditions or values from earlier steps: fails if the step does not start, and reports why.
takes_turn() {
  turn=/run/millrace/task/millrace/turn
  [ -e "$turn-$n" ] || return 0
  rm -rf public/values
  said=$(mkdir public/values && sh $turn "$turn-$n" "$PWD/public/values") || said='refuse 0 broken'
  [ -n "$said" ] || return 0
  echo "$said" > log/$n.turn.new
  mv log/$n.turn.new log/$n.turn
  echo >&6
  return 1
}

# No step starts before the containers of all were created. The node creates one after the other, and resolves mount points in folders that
# a step can write to: a link there would place a volume of a later image over the wrapper's own programs, or, with some node agents, a
# mount outside the pod.
(
  here=0
  while [ $here -lt $n ]; do
    here=$((here+1))
    read -r _ < step-$here/here
    rm -f step-$here/here
  done
  here=0
  while [ $here -lt $sidecars ]; do
    here=$((here+1))
    read -r _ < sidecar-$here/here
    rm -f sidecar-$here/here
  done
) & all=$!
while kill -0 $all 2>/dev/null; do
  [ ! -e stop-request ] || kill -KILL $all 2>/dev/null
  wait $all
done

# The life of a sidecar. Programs in its container must not find the pipes by their names: these are moved to where only the collector sees
# them. Arguments: K BLOCKS
run_sidecar() {
  at=sidecar-$1
  exec 5<> $at/go
  drain "$2" log/$at.out < $at/out 2>/dev/null & out=$!
  echo run >&5
  code=lost kills=0
  {
    if read -r _; then
      mv $at/stop $at/probe "kept-$1"
      rm -f $at/go $at/alive
      read -r up _ < /proc/uptime
      echo "0 0 0 0 $up" > "held-$1"
      : > log/$at.begun
      echo on >&5
      while read -r word one two three four; do
        case $word in
        held)
          read -r up _ < /proc/uptime
          echo "$one $two $three $four $up" > "held-$1.new"
          mv "held-$1.new" "held-$1"
          ;;
        probed)
          echo "$one" > "probed-$1.new"
          mv "probed-$1.new" "probed-$1"
          ;;
        end) code=$one kills=$two ;;
        esac
      done
    fi
  } < $at/alive
  rm -f "held-$1"
  wait $out
  when=early
  [ ! -e admitted ] || when=late
  [ ! -e asked ] || when=asked
  echo "$code $kills $when" > log/$at.code.new
  mv log/$at.code.new log/$at.code
  echo >&6
}

# Probes once. Returns 0 if the sidecar is ready; otherwise prints a word for the worker and a number. Arguments: K KIND PORT TIMEOUT
probe() {
  if [ "$2" = exec ]; then
    rm -f "probed-$1"
    echo "$4" 1<> "kept-$1/probe"
    tries=$(( ($4 + 5) * 20 ))
    until [ -e "probed-$1" ]; do
      tries=$((tries-1))
      if [ $tries -le 0 ] || [ -e "log/sidecar-$1.code" ]; then echo timeout 0; return 1; fi
      sleep 0.05
    done
    read -r code < "probed-$1"
    case $code in 0) return 0 ;; 137) echo timeout 0 ;; *) echo "exit $code" ;; esac
    return 1
  fi
  MILLRACE_REQUEST=$(cat "/run/millrace/task/millrace/request-$1" 2>/dev/null; echo x)
  export MILLRACE_REQUEST="${MILLRACE_REQUEST%x}"
  sh /run/millrace/task/millrace/probe "$2" "$3" "$4" && return 0
  echo "port $?"
  return 1
}

# K KIND PORT TIMEOUT PERIOD DELAY SUCCESSES READY
await_ready() {
  until [ -e "log/sidecar-$1.begun" ] || [ -e "log/sidecar-$1.code" ]; do sleep 0.05; done
  good=0
  if [ "$2" != none ]; then
    sleep "$6"
    read -r up _ < /proc/uptime
    until=$(( ${up%.*} + $8 ))
    while [ ! -e "log/sidecar-$1.code" ]; do
      if why=$(probe "$1" "$2" "$3" "$4"); then good=$((good+1)); else good=0; fi
      echo "${why:-few 0}" > "why-$1"
      [ $good -lt "$7" ] || break
      read -r up _ < /proc/uptime
      if [ "${up%.*}" -gt $until ] && [ ! -e "log/sidecar-$1.code" ]; then
        cp "why-$1" "log/sidecar-$1.unready.new"
        mv "log/sidecar-$1.unready.new" "log/sidecar-$1.unready"
        return
      fi
      sleep "$5"
    done
  fi
  : > "ready-$1"
}

# Whether the first step no longer has to wait.
are_decided() {
  [ ! -e stop-request ] || return 0
  k=0 all_ready=1
  while [ $k -lt $sidecars ]; do
    k=$((k+1))
    if [ -e log/sidecar-$k.code ]; then
      read -r code _ < log/sidecar-$k.code
      [ "$code" = 0 ] || failed=1
    elif [ ! -e ready-$k ]; then
      all_ready=
    fi
    [ ! -e log/sidecar-$k.unready ] || failed=1
  done
  [ -n "$failed$all_ready" ]
}

# Argument: SECONDS of grace. A sidecar whose container has not started is given up, and so is one that has ended the process that was to
# stop it.
stop_sidecars() {
  : > asked
  k=0
  for pid in $runners; do
    k=$((k+1))
    if [ -e log/sidecar-$k.begun ]; then echo "$1" 1<> kept-$k/stop; else kill -KILL "$pid" 2>/dev/null; fi
    ( sleep $(( ${1%.*} + 5 )); kill -KILL "$pid" 2>/dev/null ) &
  done
}

failed='' runners='' awaiters='' default_grace=0
if [ $sidecars -gt 0 ] && [ ! -e stop-request ]; then
  k=0
  while read -r own_grace own_blocks ready kind port timeout period delay successes; do
    k=$((k+1)) default_grace=$own_grace
    ( run_sidecar $k "$own_blocks" ) & runners="$runners $!"
    await_ready $k "$kind" "$port" "$timeout" "$period" "$delay" "$successes" "$ready" & awaiters="$awaiters $!"
  done < /run/millrace/task/millrace/sidecars
  until are_decided; do sleep 0.05; done
  # If the attempt is stopped while waiting, the worker learns which sidecars were not ready.
  k=0
  while [ $k -lt $sidecars ]; do
    k=$((k+1))
    if [ -e stop-request ] && [ ! -e ready-$k ] && [ -e why-$k ]; then cp why-$k log/sidecar-$k.unready; fi
  done
  kill -KILL $awaiters 2>/dev/null
  [ -n "$failed" ] || : > admitted
fi

n=0
stopping=
while [ -z "$failed" ] && read -r flag end <&3; do
  n=$((n+1))
  if [ -e stop-request ] || [ -n "$stopping" ]; then break; fi
  if ! takes_turn; then
    [ "$said" = skip ] || break
    echo -n 0 > "public/ends/$end"
    continue
  fi
  exec 4<> step-$n/stop 5<> step-$n/go
  drain "$blocks" log/$n.out < step-$n/out 2>/dev/null & out=$!
  (
    {
      read -r _ || exit
      remove_names
      read -r up _ < /proc/uptime
      echo "0 0 0 0 $up" > held
      echo "$up" > log/$n.begun.new
      mv log/$n.begun.new log/$n.begun
      echo >&6
      echo on >&5
      code=lost kills=0
      # The step has ended when no process holds the pipe any more.
      while read -r word one two three four; do
        case $word in
        held)
          read -r up _ < /proc/uptime
          echo "$one $two $three $four $up" > held.new
          mv held.new held
          ;;
        end) code=$one kills=$two ;;
        esac
      done
    } < step-$n/alive
    rm -f held
    echo "$code $kills" > log/$n.code.new
  ) & alive=$!
  echo run >&5
  await $alive
  exec 4>&- 5>&-
  if [ ! -e log/$n.code.new ]; then
    kill -KILL $out 2>/dev/null
    break
  fi
  await $out
  # All steps share the limit of the output.
  blocks=$(( blocks - $(stat -c %s log/$n.out) / 512 ))
  [ $blocks -ge 2 ] || blocks=2
  read -r code _ < log/$n.code.new
  echo -n "$code" > "public/ends/$end"
  mv log/$n.code.new log/$n.code
  echo >&6
  [ "$code" = 0 ] || [ "$flag" = continue ] || break
done 3< /run/millrace/task/millrace/plan
if [ -n "$runners" ]; then
  grace=$default_grace
  [ ! -e stop-request ] || read -r grace < stop-request
  rm -f stop-request
  [ -n "$stopping" ] || stop_sidecars "$grace"
  for runner in $runners; do
    while kill -0 "$runner" 2>/dev/null; do
      if [ -e stop-request ]; then
        read -r grace < stop-request
        rm -f stop-request
        stop_sidecars "$grace"
      fi
      wait "$runner"
    done
  done
fi
: > over
rm -f stop-request
echo >&6
while :; do
  sleep 3600 &
  wait $!
done
