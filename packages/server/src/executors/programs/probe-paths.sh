#!/bin/sh
# Tests a level of the sandbox, as a step when the worker starts (process/isolation/probe.ts). Prints what of the service a step can open: a
# folder that can be listed, a file with content, a socket that can be written to. The last line reports that the test is complete.
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
