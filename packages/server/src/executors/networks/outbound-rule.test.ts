import fc from "fast-check";
import { expect, test } from "vitest";
import { closedRanges, createOutboundRule, type OutboundRuleSettings, privateRanges } from "./outbound-rule.ts";

const base: OutboundRuleSettings = { privateNetworks: true, allow: [], machine: ["192.168.7.2", "10.9.0.0/16", "fd00::7"], guarded: [] };
const refusal = (host: string, port = 80, more: Partial<OutboundRuleSettings> = {}, address = host) =>
  createOutboundRule({ ...base, ...more }).refusal({ host, address, port });

test.each([
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["::1", "loopback"],
  ["::", "no address"],
  ["0.0.0.0", "no address"],
  ["169.254.1.1", "link-local"],
  ["fe80::1", "link-local"],
  ["febf::1", "link-local"],
  ["fe80::1%eth0", "not an address that can be checked"],
  ["169.254.169.254", "clouds"],
  ["fd00:ec2::254", "clouds"],
  ["100.100.100.200", "clouds"],
  ["168.63.129.16", "clouds"],
  ["224.0.0.1", "no address"],
  ["255.255.255.255", "no address"],
  ["ff02::1", "no address"],
  ["::127.0.0.1", "no address"],
  ["::ffff:0:127.0.0.1", "translation"],
  ["64:ff9b:1::7f00:1", "translation"],
  ["192.168.7.2", "this machine"],
  ["10.9.200.1", "this machine"],
  ["fd00::7", "this machine"],
  ["fd00:0:0::0007", "this machine"],
  ["localhost", "not an address that can be checked"],
])("%s is refused: %s, and the setting that would allow it is named", (address, what) => {
  const why = refusal(address);
  expect(why).toContain(what);
  if (!what.includes("checked")) expect(why).toContain("MILLRACE_TASK_OUTBOUND_ALLOW=");
});

test.each(["1.1.1.1", "2606:4700::1111", "10.1.2.3", "192.168.7.3", "172.17.0.1", "fd12::1", "64:ff9b::101:101"])(
  "%s may be reached",
  (address) => {
    expect(refusal(address)).toBeUndefined();
  },
);

test.each(["10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "fd12::1", "::ffff:10.1.2.3", "64:ff9b::a01:203"])(
  "%s is left out without private networks",
  (address) => {
    expect(refusal(address, 80, { privateNetworks: false })).toContain("MILLRACE_TASK_PRIVATE_NETWORKS=true");
    expect(refusal("1.1.1.1", 80, { privateNetworks: false })).toBeUndefined();
  },
);

test("the rule refuses each range of the lists from which other filters are made", () => {
  const first = (range: string): string => range.split("/")[0] as string;
  for (const { what, ranges } of closedRanges)
    for (const range of ranges) expect(refusal(first(range)), range).toMatch(new RegExp(`it is|${what}`));
  for (const range of privateRanges) expect(refusal(first(range), 80, { privateNetworks: false }), range).toBeDefined();
});

const octet = fc.integer({ min: 0, max: 255 });
const forms: ((a: number, b: number, c: number, d: number) => string)[] = [
  (a, b, c, d) => `::ffff:${a}.${b}.${c}.${d}`,
  (a, b, c, d) => `::ffff:${hex(a, b)}:${hex(c, d)}`,
  (a, b, c, d) => `0:0:0:0:0:FFFF:${hex(a, b)}:${hex(c, d)}`,
  (a, b, c, d) => `64:ff9b::${a}.${b}.${c}.${d}`,
  (a, b, c, d) => `2002:${hex(a, b)}:${hex(c, d)}::1`,
];
function hex(high: number, low: number): string {
  return (high * 256 + low).toString(16);
}

test("an IPv4 address is recognised in any notation", () => {
  const rules = [{}, { privateNetworks: false }, { allow: ["127.0.0.0/8", "10.0.0.0/8:80"] }].map((more) =>
    createOutboundRule({ ...base, ...more }),
  );
  fc.assert(
    fc.property(fc.tuple(octet, octet, octet, octet), fc.constantFrom(...forms), fc.constantFrom(...rules), (octets, form, rule) => {
      const plain = octets.join(".");
      const written = form(...octets);
      expect(rule.refusal({ host: written, address: written, port: 80 })).toBe(rule.refusal({ host: plain, address: plain, port: 80 }));
    }),
    { examples: [[[127, 0, 0, 1], forms[0]!, rules[0]!]] },
  );
});

test("the setting opens an address, a range, a name, each for one port or all", () => {
  const allow = ["127.0.0.1:9000", "169.254.8.0/24", "[::1]:443", "build.internal:8443", "db.internal"];
  expect(refusal("127.0.0.1", 9000, { allow })).toBeUndefined();
  expect(refusal("::ffff:127.0.0.1", 9000, { allow })).toBeUndefined();
  expect(refusal("127.0.0.1", 9001, { allow })).toContain("MILLRACE_TASK_OUTBOUND_ALLOW=127.0.0.1:9001");
  expect(refusal("169.254.8.9", 1, { allow })).toBeUndefined();
  expect(refusal("169.254.9.9", 1, { allow })).toBeDefined();
  expect(refusal("::1", 443, { allow })).toBeUndefined();
  expect(refusal("::1", 444, { allow })).toContain("MILLRACE_TASK_OUTBOUND_ALLOW=[::1]:444");
  expect(refusal("Build.internal.", 8443, { allow }, "127.0.0.1")).toBeUndefined();
  expect(refusal("build.internal", 80, { allow }, "127.0.0.1")).toBeDefined();
  expect(refusal("other.internal", 8443, { allow }, "127.0.0.1")).toBeDefined();
  expect(refusal("db.internal", 1, { allow }, "192.168.7.2")).toBeUndefined();
});

test("the public address can be called, and nothing else on that host", () => {
  const publicUrl = "https://millrace.example.com";
  expect(refusal("millrace.example.com", 443, { publicUrl }, "192.168.7.2")).toBeUndefined();
  expect(refusal("millrace.example.com", 80, { publicUrl }, "192.168.7.2")).toContain("this machine");
  expect(refusal("evil.example.com", 443, { publicUrl }, "192.168.7.2")).toContain("this machine");
  expect(refusal("127.0.0.1", 8080, { publicUrl: "http://127.0.0.1:8080" })).toBeUndefined();
});

test("a guarded socket is opened by its exact name only, a sealed one by nothing", () => {
  const guarded = [
    { what: "the database", addresses: ["10.0.0.5", "::ffff:10.0.0.6"], port: 5432 },
    { what: "this service", port: 8080, isSealed: true },
  ];
  expect(refusal("10.0.0.5", 5432, { guarded })).toMatch(/the database; only MILLRACE_TASK_OUTBOUND_ALLOW=10.0.0.5:5432/);
  expect(refusal("10.0.0.6", 5432, { guarded })).toContain("the database");
  expect(refusal("10.0.0.5", 5433, { guarded })).toBeUndefined();
  const named = [{ what: "the database", name: "db.internal", addresses: ["10.0.0.5"], port: 5432 }];
  expect(refusal("DB.internal.", 5432, { guarded: named }, "10.0.0.77")).toContain("the database");
  expect(refusal("db.internal", 5432, { guarded: named, allow: ["db.internal:5432"] }, "10.0.0.77")).toBeUndefined();
  expect(refusal("10.0.0.5", 5432, { guarded, allow: ["10.0.0.0/8", "10.0.0.5", "10.0.0.0/8:5432"] })).toContain("the database");
  expect(refusal("10.0.0.5", 5432, { guarded, allow: ["10.0.0.5:5432"] })).toBeUndefined();
  const everything = { guarded, allow: ["127.0.0.1:8080", "0.0.0.0/1"], publicUrl: "http://127.0.0.1:8080" };
  for (const address of ["127.0.0.1", "127.8.8.8", "0.0.0.0", "::ffff:127.0.0.1", "192.168.7.2", "fd00::7"]) {
    expect(refusal(address, 8080, everything)).toContain("trusts every connection");
  }
  expect(refusal("127.0.0.1", 8081, everything)).toBeUndefined();
});
