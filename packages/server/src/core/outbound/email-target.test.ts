import { expect, test } from "vitest";
import { emailTargetFaults, isDomainAllowed, parseDomains } from "./email-target.ts";

const faults = (target: Parameters<typeof emailTargetFaults>[0], domains: string[] = []) =>
  emailTargetFaults(target, domains, "/target").map(({ path, message }) => `${path} ${message}`);

test("addresses, people or both are recipients; an empty target is refused", () => {
  expect(faults({ to: ["ann@example.com"] })).toEqual([]);
  expect(faults({ people: ["owners"], to: null })).toEqual([]);
  expect(faults({})[0]).toContain("/target has no recipients");
});

test("what is not a list, or has unknown words in it, is refused", () => {
  expect(faults({ to: "ann@example.com" })[0]).toContain("/target/to must be a list");
  expect(faults({ to: [7] })[0]).toContain("/target/to/0 is a number");
  expect(faults({ to: Array(51).fill("ann@example.com") })[0]).toContain("at most 50");
  expect(faults({ people: ["everyone"] })[0]).toContain("some of owners");
});

test.each([
  "ann",
  "ann@",
  "a b@example.com",
  "ann@example.com\r\nBcc: eve@example.com",
  "ann@example.com, bob@example.com",
  "<ann@example.com>",
])("%j is not an address", (address) =>
  expect(faults({ to: ["bob@example.com", address] })[0]).toMatch(/^\/target\/to\/1 is .*must be an email address/),
);

test("only the domains of the setting are written to, and none that only ends like one", () => {
  const domains = parseDomains(" Example.com, @example.org ;");
  expect(domains).toEqual(["example.com", "example.org"]);
  expect(isDomainAllowed("ann@EXAMPLE.com", domains)).toBe(true);
  expect(isDomainAllowed("ann@evil-example.com", domains)).toBe(false);
  expect(faults({ to: ["ann@elsewhere.test"] }, domains)[0]).toContain("sends emails to example.com, example.org only");
});
