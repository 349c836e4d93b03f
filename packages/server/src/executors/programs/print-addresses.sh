#!/bin/sh
# Prints the kernel's tables with the machine's own addresses. Run in a container of ours in the network of the machine where the engine
# runs, which may not be the worker's machine (container/network/network-holder.ts reads the tables). Without IPv6 the last two are missing.
cat /proc/net/fib_trie
echo
cat /proc/net/ipv6_route /proc/net/anycast6 2>/dev/null || :
