import { expect, test } from "vitest";
import { nftRules, resolveOutbound } from "./outbound-filter.ts";
import type { OutboundRuleSettings } from "./outbound-rule.ts";

const base: OutboundRuleSettings = { privateNetworks: true, allow: [], machine: ["192.168.7.2", "fd00::7"], guarded: [] };
const names: Record<string, string[]> = { "build.internal": ["10.1.2.3"], "millrace.example.com": ["192.168.7.2"] };
const filterOf = (more: Partial<OutboundRuleSettings>) =>
  resolveOutbound({ ...base, ...more }, async (name) => names[name] ?? Promise.reject(new Error(`no ${name}`)));
const rulesOf = async (more: Partial<OutboundRuleSettings>): Promise<string[]> =>
  nftRules(await filterOf(more))
    .split("\n")
    .map((line) => line.trim());

test("names are replaced with their addresses, and a name that can't be resolved allows nothing", async () => {
  const { opened, allowed } = await filterOf({
    allow: ["build.internal:8443", "build.internal", "gone.internal", "10.0.0.0/8:80", "[fd00::9]:443"],
    publicUrl: "https://millrace.example.com",
  });
  expect(opened).toEqual([
    { range: "10.1.2.3", port: 8443 },
    { range: "fd00::9", port: 443 },
    { range: "192.168.7.2", port: 443 },
  ]);
  expect(allowed).toEqual([{ range: "10.1.2.3" }, { range: "10.0.0.0/8", port: 80 }]);
});

test("the order of rules is: sealed, named endpoints, guarded, ranges, closed", async () => {
  const rules = await rulesOf({
    allow: ["10.0.0.5:5432", "10.0.0.0/8"],
    guarded: [
      { what: "the database", addresses: ["10.0.0.5"], port: 5432 },
      { what: "this service", port: 8080, isSealed: true },
    ],
  });
  const places = [
    /^ip daddr 192\.168\.7\.2 .* dport 8080 reject/,
    /^ip daddr @dns4 .* dport 53 accept/,
    /^ip daddr 10\.0\.0\.5 .* dport 5432 accept/,
    /^ip daddr 10\.0\.0\.5 .* dport 5432 reject/,
    /^ip daddr 10\.0\.0\.0\/8 accept/,
    /^ip daddr @closed4 reject/,
    /^meta l4proto .* accept/,
  ].map((pattern) => rules.findIndex((line) => pattern.test(line)));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((left, right) => left - right));
});

test("an IPv4 address is also closed in its IPv6 forms", async () => {
  const rules = await rulesOf({});
  const [v4, v6] = ["set closed4", "set closed6"].map((start) => rules.find((line) => line.startsWith(start)));
  for (const range of ["127.0.0.0/8", "169.254.169.254", "192.168.7.2"]) expect(v4).toContain(range);
  for (const range of ["64:ff9b::7f00:0/104", "2002:7f00:0::/24", "64:ff9b::c0a8:702/128", "2002:c0a8:702::/48", "fe80::/10", "fd00::7"])
    expect(v6).toContain(range);
  expect(v4).not.toContain("10.0.0.0/8");
  expect((await rulesOf({ privateNetworks: false })).join()).toContain("10.0.0.0/8");
});
