#!/bin/sh
# Keeps a step from making user namespaces, in which it would have all rights. Run in a user namespace of the step's own, before its last rights are given
# up (process/namespace-lock.ts): how many namespaces a user may make there is a number that only who has rights in it can set.
#
#   lock-namespaces PROGRAM [ARGUMENT…]
echo 0 > /proc/sys/user/max_user_namespaces || exit 125
exec "$@"
