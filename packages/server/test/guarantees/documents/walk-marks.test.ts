import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";

/** Which commands of the documents are executed: walk.long.test.ts runs the marked ones. */
const pages = ["docs", "docs/guides", "docs/tasks"].flatMap((folder) =>
  readdirSync(join(repositoryRoot, folder), { encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => ({ page: `${folder}/${name}`, text: readFileSync(join(repositoryRoot, folder, name), "utf8") })),
);

test("every block of commands in the docs is run, or marked as text", () => {
  const block = /^(.*)\n```(?:sh|bash|shell|console)\n(.*)/gm;
  const mark = /^<!-- walk( container| kubernetes)?(: .*)? -->$/;
  const unmarked = pages.flatMap(({ page, text }) =>
    [...text.matchAll(block)].filter(([, line = ""]) => !mark.test(line)).map(([, , command]) => `${page}: ${command}`),
  );
  expect(unmarked).toEqual([]);
});
