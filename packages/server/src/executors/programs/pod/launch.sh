#!/bin/sh
# shellcheck shell=dash # busybox runs it, whose shell is nearest to this one
# Becomes the program of a step in its container. Run by step.sh in the busybox of the pod, with the environment of the step's image.
#
#   launch VALUES FOLDER [HERE]
#
# FOLDER contains busybox, HERE is the working directory of the image, for a program that names none. VALUES is a file of the Secret,
# written for this step by kubernetes/pod/step-files.ts with every value quoted. It sets the variables of the step, sets the arguments of
# this shell to its working directory, its program and that program's arguments, and defines a function that starts a program if a variable
# has a name that no shell can set. All other names start with millrace_…, so that they don't collide with the variables of the step.
unset HOSTNAME box millrace_box millrace_here millrace_out millrace_err
millrace_box=$2/busybox millrace_here=${3:-/}
: "${PATH:=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin}"
export PATH
millrace_start() { exec "$@"; }
# Reads a value from an earlier step, including all line ends at its end. The collector has written it (turn.sh), for this step to read.
millrace_read() {
  millrace_value=$("$millrace_box" cat "${millrace_box%/*/*}/values/$1"; echo x)
  millrace_value=${millrace_value%x}
}
# shellcheck disable=SC1090 # it is another one for each step
. "$1"

if [ -z "$1" ]; then
  cd "$millrace_here" || cd /
elif ! { "$millrace_box" mkdir -p "$1" 2>/dev/null; cd "$1" 2>/dev/null; }; then
  echo "cannot enter the working directory $1" >&2
  exit 126
fi
unset OLDPWD
shift

# The program is looked up here and not by the shell, whose own small tools would come before those of the image.
case $1 in
*/*)
  millrace_found=$1
  ;;
*)
  millrace_found=
  millrace_ifs=$IFS
  IFS=:
  for millrace_dir in $PATH; do
    if [ -f "$millrace_dir/$1" ] && [ -x "$millrace_dir/$1" ]; then
      millrace_found=$millrace_dir/$1
      break
    fi
  done
  IFS=$millrace_ifs
  ;;
esac
if [ -z "$millrace_found" ] || [ ! -e "$millrace_found" ]; then
  echo "$1: not found" >&2
  exit 127
fi
shift
set -- "$millrace_found" "$@"
# Its output is also copied to files: by a program of ours for this kind of machine, which is in the Secret as text, and is opened before
# its name is removed. Signals reach all processes of the step directly.
if [ -n "$millrace_out$millrace_err" ]; then
  if ! millrace_copy=$("$millrace_box" mktemp -t .copy-XXXXXX) ||
    ! "$millrace_box" base64 -d < "${0%/*}/copy-output-$("$millrace_box" uname -m)" > "$millrace_copy" ||
    ! "$millrace_box" chmod 700 "$millrace_copy" || ! exec 9< "$millrace_copy" || ! "$millrace_box" rm "$millrace_copy"; then
    echo "can't copy the output of the step (stdoutConfig, stderrConfig) on this node" >&2
    exit 126
  fi
  set -- /proc/self/fd/9 0 "$millrace_out" "$millrace_err" "$@"
fi
millrace_start "$@"
