#!/bin/sh
# Holds the network that the containers of an attempt share, and sleeps (container/network/network-holder.ts). Run as a container of ours that has no rights, with the
# machine's own programs; nobody's program runs there.
#
#   share-network READY
echo "$1"
exec sleep 2147483647
