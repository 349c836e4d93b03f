import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { listUnknownLong } from "../../kit/suite/longest-first.ts";

test("the files of tests that start first exist under those names", () => {
  const files = ["cli/test", "server/src", "server/test"].flatMap((folder) =>
    readdirSync(join(repositoryRoot, "packages", folder), { recursive: true, encoding: "utf8" }).map(
      (file) => `packages/${folder}/${file}`,
    ),
  );
  expect(listUnknownLong(files)).toEqual([]);
});

test("everything that .ci/edges names exists, with a reason", () => {
  const lines = readFileSync(join(repositoryRoot, ".ci/edges"), "utf8").split("\n");
  const table = lines.filter((line) => line !== "" && !line.startsWith("#")).map((line) => /^(\S+) (yes|no) \S/.exec(line)?.[1] ?? line);
  const isThere = (start: string) => {
    const path = join(repositoryRoot, start);
    return existsSync(path) || readdirSync(dirname(path)).some((name) => name.startsWith(`${basename(path)}.`));
  };
  expect(table.length).toBeGreaterThan(10);
  expect(table.filter((start) => !isThere(start))).toEqual([]);
});
