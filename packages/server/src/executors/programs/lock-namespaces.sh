#!/bin/sh
# Prevents a step from creating user namespaces, in which it would have all rights. Run in the step's own user namespace, before its last
# rights are dropped (process/isolation/namespace-lock.ts): only a process with rights in a namespace can set how many namespaces a user may
# create there.
#
#   lock-namespaces PROGRAM [ARGUMENT…]
echo 0 > /proc/sys/user/max_user_namespaces || exit 125
exec "$@"
