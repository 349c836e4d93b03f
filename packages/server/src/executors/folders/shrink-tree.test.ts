import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, mkdtemp, readdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeTree } from "../../base/file/remove-tree.ts";
import { measureTree } from "./measure-tree.ts";
import { shrinkTree } from "./shrink-tree.ts";

const mebibyte = 1 << 20;
const most = { bytes: 3 * mebibyte, files: 200 };
const wanted = { bytes: mebibyte, files: 100 };

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "millrace-shrink-"));
  onTestFinished(() => removeTree(path));
  return path;
}

const fill = (path: string, bytes: number) => writeFile(path, Buffer.alloc(bytes, 1));
/** A moment after everything that exists and before everything that follows, on the clock of the file system. */
async function now(): Promise<number> {
  const clock = join(await folder(), "clock");
  const until = Date.now() + 120;
  do await fill(clock, 0);
  while ((await lstat(clock)).ctimeMs < until);
  return Date.now();
}

test("a folder that holds no more than it may for now is left as it is", async () => {
  const path = await folder();
  await fill(join(path, "file"), 2 * mebibyte);
  expect(await shrinkTree(path, { most, wanted, since: 0 })).toBeUndefined();
  expect(await readdir(path)).toEqual(["file"]);
});

test("new files are removed, the largest first, at any depth, and older files stay", async () => {
  const path = await folder();
  const outside = await folder();
  await fill(join(outside, "kept"), 4 * mebibyte);
  await fill(join(path, "old"), mebibyte / 2);
  const since = await now();
  await mkdir(join(path, "closed/inner"), { recursive: true });
  await fill(join(path, "closed/inner/large"), 3 * mebibyte);
  await fill(join(path, "small"), 4_096);
  await symlink(outside, join(path, "link"));
  await chmod(join(path, "closed"), 0);
  expect(await shrinkTree(path, { most, wanted, since })).toBe(1);
  expect((await readdir(path)).sort()).toEqual(["closed", "link", "old", "small"]);
  expect(await readdir(outside)).toEqual(["kept"]);
  expect((await measureTree(path)).bytes).toBeLessThan(wanted.bytes);
});

test("if there are too many new files, files are removed until their number is within the limit", async () => {
  const path = await folder();
  const since = await now();
  for (let index = 0; index < 300; index++) await writeFile(join(path, `${index}`), "");
  expect(await shrinkTree(path, { most, wanted, since })).toBe(200);
  expect(await readdir(path)).toHaveLength(100);
});

test("older files stay, however many new ones are beside and below them", async () => {
  const path = await folder();
  await mkdir(join(path, "old"));
  await fill(join(path, "old/file"), 2 * mebibyte);
  const since = await now();
  await fill(join(path, "new"), 2 * mebibyte);
  expect(await shrinkTree(path, { most, wanted, since })).toBe(1);
  expect(await readdir(path)).toEqual(["old"]);
  execFileSync("/bin/sh", ["-c", "seq 150 | xargs mkdir; cd old; seq 150 | xargs mkdir; mkdir -p 1/a/b; ln -s .. 2/link"], { cwd: path });
  expect(await shrinkTree(path, { most, wanted, since })).toBeGreaterThanOrEqual(300);
  expect(await readdir(path)).toEqual(["old"]);
  expect(await readdir(join(path, "old"))).toEqual(["file"]);
});

test("a folder that was over its limit before is left unchanged, and that is reported", async () => {
  const path = await folder();
  await mkdir(join(path, "old"));
  await fill(join(path, "old/file"), 4 * mebibyte);
  const since = await now();
  await expect(shrinkTree(path, { most, wanted, since })).rejects.toThrow("existing files already exceed it");
  expect(await readdir(join(path, "old"))).toEqual(["file"]);
});
