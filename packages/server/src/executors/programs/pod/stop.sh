#!/bin/sh
# shellcheck shell=dash # busybox runs it, whose shell is nearest to this one
# Asks the collector of a pod to stop the running step, and returns when it was received or all is finished. Run by the worker in the
# container `collector` (kubernetes/pod/pod-exec.ts); again with less grace if the wait was too long.
#
#   stop SECONDS        of grace between TERM and KILL
cd /run/millrace/control || exit 70
[ ! -e over ] || exit 0
echo "$1" > stop-request.new
mv stop-request.new stop-request
while [ -e stop-request ] && [ ! -e over ]; do
  kill -USR1 1
  sleep 0.05
done
