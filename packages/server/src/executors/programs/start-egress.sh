#!/bin/sh
# Provides outbound access for a step with the network `outbound`, and then executes the step (process/step-egress.ts). Run inside the
# sandbox with the step's rights and in its network. It starts the forwarder beside the step and waits until that listens: then the
# forwarder closes its standard output. If it prints something instead, that is why there is no outbound access.
#
#   start-egress NODE FORWARDER PORT SOCKET PROGRAM [ARGUMENT…]
ready=$(UV_THREADPOOL_SIZE=1 "$1" --max-old-space-size=64 --v8-pool-size=0 "$2" "$3" "$4" </dev/null 2>&1 &)
[ -z "$ready" ] || echo "there is no HTTP_PROXY for this step: $ready" >&2
shift 4
exec "$@"
