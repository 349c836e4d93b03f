#!/bin/sh
# Moves its standard input, from which a function gets its jobs, to descriptor 9, and then executes the program that runs the function
# (process/kept/open-sandbox.ts). Run inside the sandbox with the rights of the step: programs that a script starts must not read its jobs.
#
#   move-input PROGRAM [ARGUMENT…]
exec 9<&0 </dev/null
exec "$@"
