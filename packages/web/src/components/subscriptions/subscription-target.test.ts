import { expect, test } from "vitest";
import { targetText, toDraft, toTarget } from "./subscription-target.ts";

test.each([
  ["webhook", { url: "https://a.example" }, "https://a.example"],
  ["email", { to: ["a@example.com"], people: ["owners"] }, "a@example.com, owners"],
  ["email", { people: ["approvers"] }, "approvers"],
  ["chat", { workspace: "T0", channel: "C0" }, "T0: C0"],
  ["chat", { workspace: "T0", emails: ["a@example.com"] }, "T0: a@example.com"],
] as const)("a target of the channel %s is kept by the form", (channel, target, text) => {
  expect(toTarget(channel, toDraft(target))).toEqual(target);
  expect(targetText(channel, target)).toBe(text);
});
