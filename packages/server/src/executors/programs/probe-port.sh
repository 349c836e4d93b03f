#!/bin/sh
# shellcheck disable=SC3045 # `read -n` is for bash alone, which runs that line
# Checks once whether a port of this network responds: the readiness probe of a sidecar. Run with the programs of the machine, as a user
# without rights in the container that holds the network of an attempt (container/sidecars/sidecar-probe.ts), and by the busybox of a pod's
# collector (pod/collect.sh). It only connects to the loopback of its network, and reads at most the first line of a response.
#
#   probe-port KIND PORT SECONDS        KIND is tcp or http; MILLRACE_REQUEST: the request, for http
#
# Exit codes: 0: it responds; 1: no response; 2: the status is not from 200 to 399; 3: there is no program to connect with.
set -u
kind=$1 port=$2 seconds=$3

# Listening ports are in the kernel's table with the state 0A, so no connection is needed.
if [ "$kind" = tcp ]; then
  hex=$(printf %04X "$port")
  for table in /proc/net/tcp /proc/net/tcp6; do
    while read -r _ local _ state _; do
      case $local/$state in *:"$hex"/0A) exit 0 ;; esac
    done < $table
  done 2> /dev/null
  exit 1
fi

judge() {
  case $1 in
  HTTP/1.[01]' '[23][0-9][0-9]*) exit 0 ;;
  '') ;;
  *) exit 2 ;;
  esac
}

for host in 127.0.0.1 ::1; do
  if command -v bash > /dev/null; then
    # shellcheck disable=SC2016 # bash expands it
    judge "$(timeout "$seconds" bash -c '
      exec 3<> "/dev/tcp/$1/$2" || exit
      printf %s "$MILLRACE_REQUEST" >&3
      IFS= read -r -n 60 line <&3
      printf "%s\n" "$line"' probe "$host" "$port" 2> /dev/null | tr -cd '\40-\176')"
  elif command -v nc > /dev/null; then
    # The sending side stays open until there is a response, because some servers send none otherwise. The pipe is in the folder of the
    # collector; on the engine's machine there is nowhere to write one, so there it waits until the time is up.
    if mkfifo "ask-$$" 2> /dev/null; then
      exec 3<> "ask-$$"
      rm -f "ask-$$"
      printf %s "$MILLRACE_REQUEST" >&3
      judge "$(timeout "$seconds" nc "$host" "$port" <&3 2> /dev/null | head -c 60 | head -n 1 | tr -cd '\40-\176')"
      exec 3>&-
    else
      judge "$({ printf %s "$MILLRACE_REQUEST"; sleep "$seconds"; } | timeout "$seconds" nc "$host" "$port" 2> /dev/null | head -c 60 | head -n 1 | tr -cd '\40-\176')"
    fi
  else
    exit 3
  fi
done
exit 1
