#!/bin/sh
# Holds the network that the containers of an attempt share, and sleeps (container/network/network-holder.ts). Runs in a container of ours
# without rights, with the machine's own programs; no program of a task or an image runs there.
#
#   share-network READY
echo "$1"
exec sleep 2147483647
