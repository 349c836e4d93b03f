/**
 * The programs inside a pod. All of them are run by one static busybox, which the container `collector` copies from its own image into a
 * folder of the pod, so that a step needs no shell in its image. They speak through named pipes and files of that folder, `control`:
 *
 *     control/public        for the steps to read: bin/busybox, and ends/exit-code-STEP of every step that is over
 *     control/step-N/go     the collector says `run` when it is the turn of step N
 *     control/step-N/alive  step N says `begun`, then `CODE KILLS` when it is over; when its container dies, the end of the pipe says that
 *     control/step-N/stop   seconds of grace: TERM to everything in the container of the step, KILL after them; again: with less grace
 *     control/step-N/out    standard output and standard error of the step, in the order of writing, which the collector reads to its end
 *     control/log/N.out     what came of it, up to the limit; what is beyond it is read and dropped, so that no step ever waits for a reader
 *     control/log/N.begun   when it began (seconds of uptime); N.code: its exit code and how often the kernel killed for want of memory
 *     control/over          all is over: nothing changes any more
 *     control/stop-request  seconds of grace, from the worker; taken away when it was heard
 *     control/breach        KiB in the scratch folder, once it has more than it may
 *     control/wake          a line for whoever follows, when there is news that should not wait
 *
 * Pipes are opened in children only: an open waits for the other side, and the collector has to hear signals meanwhile.
 */

export const podFolders = {
  /** As the collector sees it. */
  control: "/run/millrace/control",
  /** Of `control`, as every step sees it. */
  shared: "/run/millrace/shared",
  own: "/run/millrace/own",
  /** Files of the Secrets. */
  fixed: "/run/millrace/task",
  task: "/task",
} as const;

const { control, shared, own, fixed, task } = podFolders;

/** Files of the Secrets beside those that the steps see (executors/steps/places.ts). */
export const scriptFiles = {
  collect: "millrace/collect",
  step: "millrace/step",
  follow: "millrace/follow",
  plan: "millrace/plan",
  results: "millrace/results",
} as const;

/** Until the collector is ready for steps; the cluster starts the next container after it. */
export const readyCommand = ["sh", "-c", `until [ -e ${control}/ready ]; do sleep 0.01; done`];

/** Arguments: blocks of 512 bytes that the output of a step may have, KiB that the scratch folder may have. */
export const collectScript = `
set -u
umask 0
blocks=$1 scratch=$2
cd ${control} || exit 70
mkdir -p public/bin public/ends log ${task}/work ${task}/results ${task}/home ${task}/tmp
cp /proc/$$/exe public/bin/busybox && chmod 755 public/bin/busybox
n=0
while read -r flag end; do
  n=$((n+1))
  mkdir step-$n
  mkfifo step-$n/go step-$n/alive step-$n/stop step-$n/out
  : > log/$n.out
done < ${fixed}/${scriptFiles.plan}
mkfifo wake
exec 6<> wake
trap : USR1
trap 'exit 0' TERM INT
: > ready

measure() {
  pause=1
  while sleep $pause; do
    read -r from rest < /proc/uptime
    used=$(du -sk ${task} 2>/dev/null)
    used=\${used%%[!0-9]*}
    if [ "\${used:-0}" -gt "$scratch" ]; then
      echo "$used" > breach.new
      mv breach.new breach
      echo >&6
      return
    fi
    read -r to rest < /proc/uptime
    pause=$(( (\${to%.*} - \${from%.*}) * 10 + 1 ))
  done
}
measure &

# Asks the running step to stop, or gives up on one whose container has not begun.
# A shell that waits for the other end of a pipe hears nothing but KILL.
ask() {
  [ -e stop-request ] || return 0
  read -r grace < stop-request
  rm -f stop-request
  stopping=1
  if [ -e log/$n.begun ]; then
    ( echo "$grace" > step-$n/stop ) &
  else
    kill -KILL $alive $go 2>/dev/null
  fi
}

await() {
  while kill -0 $1 2>/dev/null; do
    ask
    wait $1
  done
}

drain() {
  ( ulimit -f "$blocks"; exec cat > log/$n.out )
  exec cat > /dev/null
}

n=0
stopping=
while read -r flag end <&3; do
  n=$((n+1))
  [ ! -e stop-request ] && [ -z "$stopping" ] || break
  drain < step-$n/out 2>/dev/null & out=$!
  (
    {
      read -r begun || exit
      read -r up rest < /proc/uptime
      echo "$up" > log/$n.begun.new
      mv log/$n.begun.new log/$n.begun
      echo >&6
      read -r code
    } < step-$n/alive
    echo "\${code:-lost 0}" > log/$n.code.new
  ) & alive=$!
  ( echo run > step-$n/go ) & go=$!
  await $alive
  if [ ! -e log/$n.code.new ]; then
    kill -KILL $go $out 2>/dev/null
    break
  fi
  await $out
  read -r code kills < log/$n.code.new
  echo -n "$code" > "public/ends/$end"
  mv log/$n.code.new log/$n.code
  echo >&6
  [ "$code" = 0 ] || [ "$flag" = continue ] || break
done 3< ${fixed}/${scriptFiles.plan}
: > over
rm -f stop-request
echo >&6
while :; do
  sleep 3600 &
  wait $!
done
`;

/** Arguments: number of the step, its launch file. It is the first process of its container, so the kernel keeps it from every signal of a step. */
export const stepScript = `
box=${shared}/bin/busybox
cd ${own} || exit 70
trap 'exit 0' TERM
read -r word < go
[ "$word" = run ] || exit 0
exec 8> alive
echo begun >&8
termed=
trap 'termed=1; kill -TERM -1' TERM
(
  exec 7<> stop 8>&-
  read -r grace <&7
  kill -TERM -1
  while read -r -t "$grace" next <&7; do grace=$next; done
  kill -KILL -1
) &
$box setsid $box sh "$1" < /dev/null > out 2>&1 8>&- &
child=$!
while :; do
  wait $child
  code=$?
  [ -n "$termed" ] || break
  termed=
done
kill -KILL -1 2>/dev/null
wait
kills=0
for file in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
  [ -r $file ] || continue
  while read -r key value; do
    [ "$key" != oom_kill ] || kills=$value
  done < $file
done
echo "$code $kills" >&8
exit $code
`;

/**
 * Arguments: the step to begin with, bytes of its output that are known, 0, bytes that one result may have. Says in frames, which
 * `frame-reader.ts` reads, what is there and what comes, until all is over. The third argument is for Jobs of earlier versions, which kept standard error apart.
 */
export const followScript = `
cd ${control} || exit 70
at=$1 out=$2 limit=$4 left=$(( $4 * 16 ))
exec 5<> wake
steps=$(wc -l < ${fixed}/${scriptFiles.plan})
begun= told= quiet=0

send() {
  count=$(( $1 - out ))
  [ $count -gt 0 ] || return 1
  [ $count -le 4194304 ] || count=4194304
  echo "out $at $count"
  dd if=log/$at.out bs=65536 iflag=skip_bytes,count_bytes skip=$out count=$count 2>/dev/null || exit 71
}

rest() {
  quiet=$((quiet+1))
  if [ $quiet -lt 10 ]; then pause=0.02
  elif [ $quiet -lt 30 ]; then pause=0.05
  elif [ $quiet -lt 60 ]; then pause=0.1
  else
    pause=0.25
    [ $((quiet % 40)) != 0 ] || echo tick
  fi
  read -r -t $pause news <&5 && quiet=0
}

hundredths() {
  read -r time others < "$1"
  whole=\${time%.*} part=\${time#*.}
  time=$(( whole * 100 + \${part#0} ))
}

# Whether all is over is looked at first: what is not there after that never comes.
while [ $at -le $steps ]; do
  last=
  [ ! -e over ] || last=1
  if [ -z "$told" ] && [ -e breach ]; then
    told=1
    read -r used < breach
    echo "breach 0 $used"
  fi
  if [ -z "$begun" ]; then
    if [ ! -e log/$at.begun ]; then
      [ -z "$last" ] || break
      rest
      continue
    fi
    begun=1
    hundredths log/$at.begun
    from=$time
    hundredths /proc/uptime
    echo "begin $at $(( (time - from) * 10 ))"
  fi
  ended=
  [ ! -e log/$at.code ] || ended=1
  if send "$(stat -c %s log/$at.out)"; then
    out=$((out+count)) quiet=0
    continue
  fi
  if [ -n "$ended" ]; then
    read -r code kills < log/$at.code
    echo "end $at $code $kills"
    at=$((at+1)) out=0 begun=
    continue
  fi
  [ -z "$last" ] || break
  rest
done
until [ -e over ]; do rest; done

give() {
  [ -f "./$1" ] && [ ! -L "./$1" ] && [ -r "./$1" ] || return 0
  size=$(stat -c %s "./$1")
  if [ $size -gt $limit ] || [ $size -gt $left ]; then
    echo "large 0 $size $1"
    return
  fi
  left=$((left-size))
  echo "result 0 $size $1"
  dd if="./$1" bs=65536 iflag=count_bytes count=$size 2>/dev/null || exit 71
}

if [ -d ${task}/results ] && [ ! -L ${task}/results ] && cd ${task}/results; then
  while read -r name; do give "$name"; done < ${fixed}/${scriptFiles.results}
  others=0
  for name in [A-Za-z0-9_]*; do
    grep -qxF -e "$name" ${fixed}/${scriptFiles.results} && continue
    others=$((others+1))
    [ $others -le 200 ] || break
    case $name in *[!A-Za-z0-9_.-]*) continue ;; esac
    give "$name"
  done
fi
echo over
`;

/** Argument: seconds of grace. Returns when it was heard. */
export const stopScript = `
cd ${control} || exit 70
[ ! -e over ] || exit 0
echo "$1" > stop-request.new
mv stop-request.new stop-request
while [ -e stop-request ] && [ ! -e over ]; do
  kill -USR1 1
  sleep 0.05
done
`;
