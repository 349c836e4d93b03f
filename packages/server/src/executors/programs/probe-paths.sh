#!/bin/sh
# The trial of a level of the sandbox, run as a step when the worker starts (process/probe.ts). Names what of the service a step can open: a folder that
# shows something, a file that has something in it, a socket that can be written to. The last line says that the trial came to its end.
#
#   probe-paths PATH…
for path do
  if [ -d "$path" ]; then
    [ -z "$(ls -A "$path" 2>/dev/null)" ] || echo "open $path"
  elif [ -f "$path" ]; then
    [ -z "$(head -c 1 "$path" 2>/dev/null | od -An -c)" ] || echo "open $path"
  elif [ -S "$path" ]; then
    [ ! -w "$path" ] || echo "open $path"
  fi
done
echo probed
