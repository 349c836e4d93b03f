import { expect, test } from "vitest";
import { makeJob } from "../exercise/scenario.ts";
import { resolveOutbound } from "../networks/outbound-filter.ts";
import type { OutboundRuleSettings } from "../networks/outbound-rule.ts";
import { jobLabels } from "./object-names.ts";
import { mergeSeen, outboundObject } from "./outbound-object.ts";

const base: OutboundRuleSettings = { privateNetworks: true, allow: [], machine: [], guarded: [] };
const names: Record<string, string[]> = { "build.internal": ["10.1.2.3", "fd00::3"] };
async function policy(more: Partial<OutboundRuleSettings> = {}, seen: readonly string[] = []) {
  const filter = await resolveOutbound({ ...base, ...more }, async (name) => names[name] ?? []);
  const { spec } = outboundObject("here", filter, mergeSeen(undefined, 1_000, seen));
  const egress = spec?.egress ?? [];
  return { spec, egress, last: egress.at(-1)?.to?.map(({ ipBlock }) => ipBlock) ?? [] };
}

test("it selects the pods of tasks with this network and closes them to connections, even without the manifest's policy", async () => {
  const { spec } = await policy();
  const labels = jobLabels("here", makeJob("true"), "outbound");
  expect(labels).toMatchObject(spec?.podSelector?.matchLabels ?? { none: "none" });
  expect(jobLabels("here", makeJob("true"), "none")).not.toMatchObject(spec?.podSelector?.matchLabels ?? {});
  expect(jobLabels("there", makeJob("true"), "outbound")).not.toMatchObject(spec?.podSelector?.matchLabels ?? {});
  expect(spec?.policyTypes).toEqual(["Ingress", "Egress"]);
  expect(spec?.ingress).toBeUndefined();
});

test("it leaves out loopback, link-local and metadata addresses, the API server, the database and the workers", async () => {
  const { last } = await policy({}, ["10.96.0.1", "10.0.0.5", "fd00::7"]);
  expect(last.map((block) => block?.cidr)).toEqual(["0.0.0.0/0", "::/0"]);
  for (const range of ["127.0.0.0/8", "169.254.0.0/16", "169.254.169.254/32", "100.100.100.200/32", "10.96.0.1/32", "10.0.0.5/32"])
    expect(last[0]?.except).toContain(range);
  for (const range of ["::1/128", "fe80::/10", "fd00:ec2::254/128", "fd00::7/128"]) expect(last[1]?.except).toContain(range);
  expect(last[0]?.except).not.toContain("10.0.0.0/8");
  expect((await policy({ privateNetworks: false })).last[0]?.except).toContain("10.0.0.0/8");
});

test("DNS is allowed, and what the setting names is opened, with its port", async () => {
  const { egress } = await policy({ allow: ["build.internal:8443", "169.254.8.0/24"], publicUrl: "https://build.internal" });
  expect(egress[0]?.ports).toEqual([
    { protocol: "UDP", port: 53 },
    { protocol: "TCP", port: 53 },
  ]);
  const opened = egress.slice(1, -1).map(({ to, ports }) => [to?.[0]?.ipBlock?.cidr, ports?.[0]?.port]);
  expect(opened).toEqual([
    ["10.1.2.3/32", 8443],
    ["fd00::3/128", 8443],
    ["10.1.2.3/32", 443],
    ["fd00::3/128", 443],
    ["169.254.8.0/24", undefined],
  ]);
});

test("a range that the setting names does not open the database in it; its address with its port does", async () => {
  const { egress } = await policy({ allow: ["10.0.0.0/8", "10.0.0.5"] }, ["10.0.0.5", "10.96.0.1", "192.168.0.1"]);
  expect(egress.slice(1, -1)).toEqual([{ to: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.0.0.5/32", "10.96.0.1/32"] } }] }]);
  const opened = await policy({ allow: ["10.0.0.5:5432"] }, ["10.0.0.5"]);
  expect(opened.egress[1]).toMatchObject({ to: [{ ipBlock: { cidr: "10.0.0.5/32" } }], ports: [{ protocol: "TCP", port: 5432 }, {}] });
});

test("an address in a closed range is not opened by the setting, and a range around it is opened without it", async () => {
  const { egress } = await policy({ allow: ["10.9.1.1", "10.0.0.0/8", "127.0.0.0/8"] }, ["10.9.0.0/16", "127.0.0.0/8"]);
  expect(egress.slice(1, -1)).toEqual([{ to: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.9.0.0/16"] } }] }]);
});

test("an address that another worker found stays closed for an hour, even if this one doesn't find it", async () => {
  const filter = await resolveOutbound(base);
  const first = outboundObject("here", filter, mergeSeen(undefined, 1_000, ["10.0.0.1"]));
  const second = mergeSeen(first, 2_000, ["10.0.0.2"]);
  expect(second).toEqual({ "10.0.0.1": 1_000, "10.0.0.2": 2_000 });
  expect(mergeSeen(first, 3_700_000, ["10.0.0.2"])).toEqual({ "10.0.0.2": 3_700_000 });
  const broken = { metadata: { annotations: { "dev.millrace/closed-addresses": "{" } } };
  expect(mergeSeen(broken, 1, ["10.0.0.2"])).toEqual({ "10.0.0.2": 1 });
});
