#!/bin/sh
# The first process of a step of the process executor where start-step.c does not run: the launcher (process/isolation/launcher.ts), inside
# the sandbox and with no more rights than the step. It sets what a program can only set for itself (limits, folder, environment), starts
# the step and ends with its exit code. A first process of the process namespace is needed anyway: a program without signal handlers could
# not be ended in that position, and orphans have to be reaped.
#
#   start-step ENVIRONMENT DATA_KIB PROCESSES FOLDER UMASK PROGRAM [ARGUMENT…]
#
# ENVIRONMENT is a file, or `-`: it is read here and not before, so that no variable of a user (LD_PRELOAD) reaches a program that creates
# the sandbox. DATA_KIB (largest data segment of a process) and PROCESSES (of the user) are 0 if something else limits them.

# If the machine runs out of memory the kernel ends steps before anything else, and the service and its database last.
{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null
# shellcheck disable=SC3045 # dash, bash and busybox know these limits, each in its own way; a shell that knows one of them not goes on without
[ "$2" = 0 ] || ulimit -d "$2" 2>/dev/null
# shellcheck disable=SC3045 # dash says -p where the others say -u
[ "$3" = 0 ] || ulimit -u "$3" 2>/dev/null || ulimit -p "$3" 2>/dev/null
# shellcheck disable=SC3045 # as above
ulimit -c 0 2>/dev/null
umask "$5"
# shellcheck disable=SC1090 # the service writes it for each step
[ "$1" = - ] || . "$1"
cd -- "$4" 2>/dev/null || { mkdir -p -- "$4" && cd -- "$4"; } || { echo "cannot enter the working directory $4" >&2; exit 126; }
unset OLDPWD
shift 5
# The message of the shell itself about the end of the step (`Killed`) is not the step's output.
exec 3>&2 2>/dev/null
( exec "$@" 2>&3 3>&- )
exit $?
