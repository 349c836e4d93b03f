import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { countTurns } from "../../../test/kit/count-turns.ts";
import { removeTree } from "../../base/file/remove-tree.ts";
import { createMasker } from "../../base/secret/mask.ts";
import { makeJob } from "../exercise/scenario.ts";
import { readResults } from "./read-results.ts";

const root = await mkdtemp(join(tmpdir(), "millrace-results-"));
afterAll(() => removeTree(root));

async function folder(name: string): Promise<string> {
  const path = join(root, name);
  await mkdir(path);
  return path;
}

const job = makeJob("true", { results: [{ name: "wanted" }, { name: "missing" }] });

test("in a folder full of files only the declared results are read", async () => {
  const path = await folder("full");
  execFileSync("/bin/sh", ["-c", "seq -f a%.0f 12000 | xargs touch"], { cwd: path });
  await writeFile(join(path, "wanted"), "here");
  expect(await readResults(job, path, undefined, createMasker([]))).toEqual({ results: [{ name: "wanted", value: "here" }] });
});

test("a hundred results that are not declared are kept, in the order of their names", async () => {
  const path = await folder("many");
  execFileSync("/bin/sh", ["-c", "seq -w 500 | xargs touch"], { cwd: path });
  await writeFile(join(path, "wanted"), "here");
  const { results } = await readResults(job, path, undefined, createMasker([]));
  expect(results.map(({ name }) => name)).toEqual([
    "wanted",
    ...Array.from({ length: 100 }, (_, index) => String(index + 1).padStart(3, "0")),
  ]);
});

/** A folder whose access time shows whether it was listed. */
async function watchedFolder(name: string): Promise<{ path: string; forget(): Promise<void>; wasListed(): Promise<boolean> }> {
  const path = await folder(name);
  await writeFile(join(path, "wanted"), "not for this task");
  const forget = () => utimes(path, 0, Date.now() / 1000);
  await forget();
  return { path, forget, wasListed: async () => (await stat(path)).atimeMs > 0 };
}

test("a link in place of the folder is not followed, not even to check whether its target exists", async (context) => {
  const outside = await watchedFolder("outside");
  await readdir(outside.path);
  if (!(await outside.wasListed())) return context.skip("this file system keeps no times of access");
  await outside.forget();
  await symlink(outside.path, join(root, "link"));
  expect(await readResults(job, join(root, "link"), undefined, createMasker([]))).toEqual({ results: [] });
  expect(await outside.wasListed()).toBe(false);
});

test("a result with very many values does not block others, and is complete and masked", async () => {
  const path = await folder("values");
  const values = Array.from({ length: 40_000 }, (_, index) => [index, { __proto__x: null, secret: "hidden-secret" }]);
  await writeFile(join(path, "list"), JSON.stringify([...values, JSON.parse('{"__proto__": [1], "\\u0000": "\\ud800"}')]));
  const list = makeJob("true", { results: [{ name: "list", type: "array" }], limits: { ...job.limits, resultBytes: 4_000_000 } });
  const { turns, result } = await countTurns(() => readResults(list, path, undefined, createMasker(["hidden-secret"])));
  expect(turns).toBeGreaterThan(40);
  const [{ value } = { value: [] }] = result.results;
  const found = value as unknown[];
  expect(found).toHaveLength(40_001);
  expect(found[39_999]).toEqual([39_999, { __proto__x: null, secret: "***" }]);
  expect(JSON.stringify(found.at(-1))).toBe('{"__proto__":[1],"\ufffd":"\ufffd"}');
});
