import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../../server/src/base/file/repository-root.ts";
import { lineOf, table } from "./job-table.ts";

test("there are ten jobs, and docs/design.md shows the table as it is", () => {
  const lines = readFileSync(join(repositoryRoot, "docs/design.md"), "utf8").split("\n");
  const from = lines.indexOf("| Job | Who, and from where | Until | Millrace | Peer |");
  const shown = lines.slice(from + 2, from + 2 + table.length);
  expect(table).toHaveLength(10);
  expect(shown).toEqual(table.map(lineOf));
});

test("no job takes more than with the compared product", () => {
  expect(table.filter(({ ours, peer }) => ours > peer.count)).toEqual([]);
});
