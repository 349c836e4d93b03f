#!/bin/sh
# Opens the way out of a step with the network `outbound`, and goes on as the step (process/step-egress.ts). Run inside the sandbox with the step's rights
# and in its network. It starts the forwarder beside the step and waits until that listens: then its standard output is closed. What the forwarder says
# instead is why there is no way out.
#
#   start-egress NODE FORWARDER PORT SOCKET PROGRAM [ARGUMENT…]
ready=$(UV_THREADPOOL_SIZE=1 "$1" --max-old-space-size=64 --v8-pool-size=0 "$2" "$3" "$4" </dev/null 2>&1 &)
[ -z "$ready" ] || echo "there is no HTTP_PROXY for this step: $ready" >&2
shift 4
exec "$@"
