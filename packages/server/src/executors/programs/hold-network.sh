#!/bin/sh
# Sets up the filter of the network that the containers of steps share, reports that, and sleeps: this process holds the network
# (container/network/network-holder.ts). Runs as root in a container of ours, with the machine's own programs and no right except to change
# this network; no program of a task or an image runs there.
#
#   hold-network READY        MILLRACE_RULES: the rules, for nft
#
# The rules come from the environment, the name servers from what the engine has written for this network, and the gateways and the
# broadcast addresses of the network from the kernel: these belong to the machine, whose bridge may be newer than its list of known
# addresses. With IPv6 the first address of a network is its router. READY is the line that reports that the filter is active.
set -e
printf '%s' "$MILLRACE_RULES" | nft -f -

# The kernel writes an address as eight hex digits, the last byte first.
sed -n 's/^[^\t]*\t[0-9A-F]*\t\(..\)\(..\)\(..\)\(..\)\t.*/0x\4 0x\3 0x\2 0x\1/p' /proc/net/route | sort -u | while read -r one two three four; do
  [ "$one $two $three $four" = '0x00 0x00 0x00 0x00' ] ||
    nft add element inet millrace closed4 "{ $(printf '%d.%d.%d.%d' "$one" "$two" "$three" "$four") }"
done
grep -B1 'link BROADCAST' /proc/net/fib_trie | sed -n 's/.*|-- //p' | sort -u | while read -r heard; do
  nft add element inet millrace closed4 "{ $heard }"
done
if [ -e /proc/net/ipv6_route ]; then
  { cut -d' ' -f1 /proc/net/ipv6_route; cut -d' ' -f5 /proc/net/ipv6_route; } | sort -u | grep -v '^0*$' | sed 's/..../&:/g; s/:$//' | while read -r hop; do
    nft add element inet millrace closed6 "{ $hop }"
  done
fi
while read -r word server _; do
  [ "$word" = nameserver ] || continue
  server=${server%%%*}
  case $server in
  *:*) nft add element inet millrace dns6 "{ $server }" ;;
  *) nft add element inet millrace dns4 "{ $server }" ;;
  esac
done </etc/resolv.conf
echo "$1"
exec sleep 2147483647
