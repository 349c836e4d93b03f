import { expect, test } from "vitest";
import { defaultNetwork, hostNetworkFaults, hostNetworkRefusal } from "./opt-in.ts";

test("the network of the machine needs the instance and the team, and the missing one is named", () => {
  const team = (isAllowed: boolean) => ({ name: "hawks", isAllowed });
  expect(hostNetworkRefusal({ isAllowedHere: true, team: team(true) })).toBeUndefined();
  expect(hostNetworkRefusal({ isAllowedHere: false, team: team(true) })).toContain("MILLRACE_ALLOW_HOST_NETWORK=true");
  expect(hostNetworkRefusal({ isAllowedHere: true, team: team(false) })).toMatch(/team hawks .* allowHostNetwork/);
  expect(hostNetworkRefusal({ isAllowedHere: true })).toBeUndefined();
});

test.each([["none"], ["outbound"], [undefined], [null]])("%j needs no right", (asked) => {
  expect(hostNetworkFaults(asked, { isAllowedHere: false }, "/annotations")).toEqual([]);
});

test.each([
  ["process", [{}], "none"],
  ["process", [{ image: "alpine" }], "none"],
  ["container", [{}], "none"],
  ["container", [{}, { image: "alpine" }], "outbound"],
  ["kubernetes", [{ image: "alpine" }], "outbound"],
  ["container", [{ image: " " }], "none"],
] as const)("without an annotation %s with steps %j has the network %s", (kind, steps, network) => {
  expect(defaultNetwork(kind, steps)).toBe(network);
});
