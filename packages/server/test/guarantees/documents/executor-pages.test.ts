import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { catalogueDocuments } from "../../kit/catalogue/catalogue-tasks.ts";

/** docs/executors.md lists exactly what exists. */
const page = readFileSync(join(repositoryRoot, "docs/executors.md"), "utf8");
const section = (from: string, to: string): string => page.slice(page.indexOf(`\n${from}\n`), page.indexOf(`\n${to}\n`));

test("the page has every reason that an attempt can end for, and no other", () => {
  const contract = readFileSync(join(repositoryRoot, "packages/server/src/engine/executor.ts"), "utf8");
  const union = /export type JobReason =([\s\S]*?);\n/.exec(contract)?.[1] ?? "";
  // Concerns only the log.
  const known = [...union.matchAll(/\| "(\w+)"/g)].map((match) => match[1]).filter((reason) => reason !== "OutputLimit");
  const rows = [...section("## How a task ends", "## What the record says").matchAll(/^\| `\w+` \| `(\w+)`/gm)].map((match) => match[1]);
  expect(known.length).toBeGreaterThan(10);
  // Used by the engine, before an executor gets the job.
  known.push("SecretMissing", "UnresolvedReference");
  expect(rows.sort()).toEqual(known.sort());
});

test("the page has every sample task", () => {
  const list = section("### Real tasks", "## Steps");
  for (const { name } of catalogueDocuments()) expect(list).toContain(`\`${name}\``);
});
