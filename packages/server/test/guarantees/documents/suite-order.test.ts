import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { listUnknownLong } from "../../kit/longest-first.ts";

test("the files of tests that begin first, since they take long, are there under those names", () => {
  const files = ["cli/test", "server/src", "server/test"].flatMap((folder) =>
    readdirSync(join(repositoryRoot, "packages", folder), { recursive: true, encoding: "utf8" }).map(
      (file) => `packages/${folder}/${file}`,
    ),
  );
  expect(listUnknownLong(files)).toEqual([]);
});
