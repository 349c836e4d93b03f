#!/bin/sh
# Joins the control groups of an attempt and then executes the program that isolates the step. Run by the worker with its own rights, on the
# machine, before there is a sandbox: later nothing may write to these files (process/isolation/launcher.ts).
#
#   join-groups FILE… -- PROGRAM [ARGUMENT…]
#
# A FILE is the `cgroup.procs` of one group, or its `tasks` in version 1.
while [ "$1" != -- ]; do
  echo 0 > "$1" || exit 125
  shift
done
shift
exec "$@"
