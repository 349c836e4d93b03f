import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";

// Node keeps the text of the program and its source map, which it reads at the first stack, for as long as the service runs.

test("the program takes one byte for each character, and its source map has one place for each line", async () => {
  const { bundle } = (await import(pathToFileURL(join(repositoryRoot, "scripts/bundle.mjs")).href)) as {
    bundle(entry: string): Promise<string>;
  };
  const file = fileURLToPath(await bundle("packages/server/src/main.ts"));
  const program = readFileSync(file, "utf8");
  expect(program.split("\n").filter((line) => /[\u0100-\uffff]/.test(line))).toEqual([]);
  const { mappings, names } = JSON.parse(readFileSync(`${file}.map`, "utf8")) as { mappings: string; names: string[] };
  expect(names).toEqual([]);
  expect(mappings.split(/[;,]+/).length).toBeLessThan(program.split("\n").length);
});
