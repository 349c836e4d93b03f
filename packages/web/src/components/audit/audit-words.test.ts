import { expect, test } from "vitest";
import { auditVerb } from "./audit-words.ts";

test.each([
  ["team/write", null, { id: "1", name: "hawks" }, "created"],
  ["team/write", { name: "hawks" }, { name: "owls" }, "changed"],
  ["team/delete", { id: "1", name: "hawks" }, null, "deleted"],
  ["team/grant", { approverGroups: [{ id: "1" }] }, null, "removed approver groups from"],
  ["team/delete", { members: [{ id: "1" }] }, null, "removed members from"],
  ["team/delete", { quotas: { maxWorkflowCount: 3 } }, null, "removed own quotas from"],
  ["signed-in", { id: "1", name: "t" }, null, "deleted"],
  ["workflow/action", null, { id: "1" }, "acted on"],
  ["integration/write", { linked: false }, { linked: true }, "changed"],
])("%s from %j to %j is %4$s", (action, before, after, verb) => expect(auditVerb({ action, before, after })).toBe(verb));
