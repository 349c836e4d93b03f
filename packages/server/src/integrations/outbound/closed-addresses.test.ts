import { describe, expect, test } from "vitest";
import { createAddressRule } from "./closed-addresses.ts";

const rule = createAddressRule([]);

/** The host of a URL in any spelling, as a request would reach it. */
const hostOf = (spelling: string) => new URL(`http://${spelling}/`).hostname.replace(/^\[|\]$/g, "");

describe("closed addresses", () => {
  test.each([
    "0.0.0.0",
    "0.1.2.3",
    "10.1.2.3",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "0:0:0:0:0:ffff:10.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1",
    "fc00::1",
    "fd12:3456:789a::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "FD00:EC2::254",
  ])("%s is closed", (address) => {
    expect(rule.isOpen(address)).toBe(false);
  });

  test.each([
    "1.1.1.1",
    "93.184.216.34",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "223.255.255.255",
  ])("%s is open", (address) => expect(rule.isOpen(address)).toBe(true));

  test.each(["2606:4700::1111", "2a00:1450:4001::1", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "2002:101:101::1"])("%s is open", (address) =>
    expect(rule.isOpen(address)).toBe(true),
  );

  test.each([
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "017700000001",
    "0177.0.0.1",
    "127.1",
    "127.0.1",
    "0",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0::1]",
    "①②⑦.⓪.⓪.①",
  ])("%s, an odd spelling of this machine, is closed", (spelling) => expect(rule.isOpen(hostOf(spelling))).toBe(false));

  test.each(["", "localhost", "127.0.0.1.", "1.1.1", "::g", "0x7f000001"])("what is not an address (%s) is closed", (text) => {
    expect(rule.isOpen(text)).toBe(false);
  });
});

describe("addresses of this machine", () => {
  const machine = () => ["93.184.216.34", "2606:4700::1111", "198.41.0.0/16"];

  test.each(["93.184.216.34", "::ffff:93.184.216.34", "64:ff9b::93.184.216.34", "2606:4700::1111", "2606:4700:0::1111", "198.41.7.7"])(
    "%s is closed although it is of the open internet",
    (address) => expect(createAddressRule([], machine).isOpen(address)).toBe(false),
  );

  test("others are open, and the configuration opens them", () => {
    expect(createAddressRule([], machine).isOpen("93.184.216.35")).toBe(true);
    expect(createAddressRule(["93.184.216.34"], machine).isOpen("93.184.216.34")).toBe(true);
  });

  test("an address that the machine gets later is closed from then on", () => {
    let found: string[] = [];
    const rule = createAddressRule([], () => found);
    expect(rule.isOpen("93.184.216.34")).toBe(true);
    found = ["93.184.216.34"];
    expect(rule.isOpen("93.184.216.34")).toBe(false);
  });
});

describe("what the configuration allows", () => {
  const open = createAddressRule(["127.0.0.1", "10.1.0.0/16", "fd00:1::/32", "Inside.Example"]);

  test.each(["127.0.0.1", "10.1.255.1", "fd00:1::7", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "1.1.1.1"])("%s is open", (address) =>
    expect(open.isOpen(address)).toBe(true),
  );

  test.each(["127.0.0.2", "10.2.0.1", "fd00:2::7", "::1", "::ffff:10.2.0.1"])("%s stays closed", (address) =>
    expect(open.isOpen(address)).toBe(false),
  );

  test("a host is allowed by its whole name only", () => {
    expect(open.isHostAllowed("inside.example")).toBe(true);
    expect(open.isHostAllowed("inside.example.")).toBe(true);
    expect(open.isHostAllowed("x.inside.example")).toBe(false);
    expect(open.isHostAllowed("example")).toBe(false);
  });
});
