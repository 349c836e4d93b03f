import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../../../server/src/base/file/repository-root.ts";
import { auditActions, auditVerb, kindWords, permissionWords } from "./audit-words.ts";

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
])("%s from %j to %j is %4$s", (action, before, after, verb) =>
  expect(auditVerb({ action, object: { kind: "team", id: "1", name: null }, before, after })).toBe(verb),
);

test("a run that is submitted is started", () => {
  const object = { kind: "workflowrun", id: "1", name: "nightly" };
  expect(auditVerb({ action: "workflow/action", object, before: null, after: { id: "1" } })).toBe("started");
});

const folder = join(repositoryRoot, "packages/server/src");
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => /^(?:api|domain)\/.*(?<!\.test)\.ts$/.test(name))
  .map((name) => readFileSync(join(folder, name), "utf8"));
const found = (pattern: RegExp) => new Set(sources.flatMap((source) => [...source.matchAll(pattern)].map(([, word]) => word ?? "")));

test("each kind of object that the service records has a word", () => {
  const kinds = found(/\baudit\(\s*\{\s*kind: "(\w+)"/g);
  expect(kinds.size).toBeGreaterThan(10);
  expect([...kinds].filter((kind) => kindWords[kind] === undefined)).toEqual([]);
});

test.each([
  ["workflow/write", "Workflows: Write"],
  ["action/action", "Approvals and manual tasks: Decide"],
  ["workflow/archive", "Workflows: Archive"],
  ["signed-in", "signed-in"],
  ["toString/read", "toString/read"],
])("the permission %s is shown as %s", (permission, words) => expect(permissionWords(permission)).toBe(words));

test("each permission that the service records or filters by has words", () => {
  const used = found(/\b(?:action|permission): "(\w+\/\w+)"/g);
  expect(used.size).toBeGreaterThan(30);
  expect([...used, ...auditActions].filter((permission) => permissionWords(permission) === permission)).toEqual([]);
});
