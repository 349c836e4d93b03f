import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { anycastsV6, broadcastsV4, localRangesV4, localRangesV6, machineAddresses } from "./machine-addresses.ts";

test("an address is of this machine whatever the state of its interface, and so is a range that a route makes local", () => {
  const table = `Local:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
     +-- 10.9.0.0/16 2 0 2
        |-- 10.9.0.0
           /16 host LOCAL
     +-- 172.17.0.0/16 2 0 2
        +-- 172.17.0.0/30 2 0 2
           |-- 172.17.0.0
              /16 link UNICAST
           |-- 172.17.0.1
              /32 host LOCAL
        |-- 172.17.255.255
           /32 link BROADCAST
`;
  expect(localRangesV4(table)).toEqual(["10.9.0.0/16", "172.17.0.1"]);
  expect(broadcastsV4(table)).toEqual(["172.17.255.255"]);
});

test("local addresses of IPv6 are distinguished from those of neighbours", () => {
  const line = (destination: string, length: string, flags: string) =>
    `${destination} ${length} ${"0".repeat(32)} 00 ${"0".repeat(32)} 00000000 00000003 00000000 ${flags}       lo`;
  const table = [
    line("fd000000000000000000000000000002", "80", "80200001"),
    line("fd000000000000000000000000000000", "40", "00000001"),
    line("fd0a0000000000000000000000000000", "20", "80200001"),
    line(`${"0".repeat(31)}1`, "80", "80200001"),
  ].join("\n");
  expect(localRangesV6(table)).toEqual(["fd00::2", "fd0a::/32", "::1"]);
  expect(anycastsV6(`3    lan             fd000000000000000000000000000000     1\n`)).toEqual(["fd00::"]);
});

test("every address of an interface is there", () => {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  expect(machineAddresses()).toEqual(expect.arrayContaining(all.map(({ address }) => address)));
});
