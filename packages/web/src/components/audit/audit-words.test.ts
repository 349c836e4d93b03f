import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../../../server/src/base/file/repository-root.ts";
import { auditVerb, kindWords } from "./audit-words.ts";

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

test("each kind of object that the service records has a word", () => {
  const folder = join(repositoryRoot, "packages/server/src");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /^(?:api|domain)\/.*(?<!\.test)\.ts$/.test(name),
  );
  const kinds = sources.flatMap((name) =>
    [...readFileSync(join(folder, name), "utf8").matchAll(/\baudit\(\s*\{\s*kind: "(\w+)"/g)].map(([, kind]) => kind ?? ""),
  );
  expect(kinds.length).toBeGreaterThan(50);
  expect([...new Set(kinds)].filter((kind) => kindWords[kind] === undefined)).toEqual([]);
});
