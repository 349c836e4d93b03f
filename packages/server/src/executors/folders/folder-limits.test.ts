import { appendFile, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSmallDisk } from "../../../test/fakes/small-disk.ts";
import { FolderLimits } from "./folder-limits.ts";
import { measureTree, type TreeSize } from "./measure-tree.ts";

const mebibyte = 1 << 20;

async function workspace(bytes: number): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "millrace-limits-"));
  onTestFinished(() => rm(path, { recursive: true }));
  await writeFile(join(path, "file"), Buffer.alloc(bytes, 1));
  return path;
}

async function limitsOf(path: string, known: TreeSize | undefined): Promise<FolderLimits> {
  const limits = new FolderLimits([{ label: "the workspace", path, limitBytes: mebibyte, known }], undefined);
  await limits.begin();
  return limits;
}

test("an attempt is not blamed for growth caused by the file system in a folder that was too large before", async () => {
  const path = await workspace(3 * mebibyte);
  const size = await measureTree(path);
  // The disk space of a file may grow when its blocks are finally written.
  const limits = await limitsOf(path, { ...size, bytes: size.bytes - 8_192 });
  expect(await limits.look(() => false)).toBeUndefined();
  expect(await limits.measureAtEnd()).toBeUndefined();
});

test("small growth above the limit does not add up from attempt to attempt", async () => {
  const path = await workspace(3 * mebibyte);
  let known: TreeSize | undefined;
  const overflows: (string | undefined)[] = [];
  for (let attempt = 0; attempt < 4; attempt++) {
    const limits = await limitsOf(path, known);
    await appendFile(join(path, "file"), Buffer.alloc(32_768, 1));
    overflows.push(await limits.measureAtEnd());
    known = limits.sizeOf(path);
  }
  expect(overflows.slice(0, 2)).toEqual([undefined, undefined]);
  expect(overflows[3]).toContain("the workspace contains 3.1");
});

test("growth above the limit counts from the smallest size that was seen", async () => {
  const path = await workspace(3 * mebibyte);
  const limits = await limitsOf(path, undefined);
  await writeFile(join(path, "file"), Buffer.alloc(2 * mebibyte, 1));
  expect(await limits.look(() => false)).toBeUndefined();
  await writeFile(join(path, "file"), Buffer.alloc(2.5 * mebibyte, 1));
  expect(await limits.measureAtEnd()).toContain("the workspace contains 2.5 MiB, more than the 1 MiB allowed");
});

test("files that an attempt wrote above the limit stay while the disk has space, and are removed when it is full", async ({ skip }) => {
  const disk = await openSmallDisk(24 * mebibyte);
  if ("why" in disk) return skip(disk.why);
  await writeFile(join(disk.folder, "old"), "");
  const path = disk.folder;
  const limits = await limitsOf(path, undefined);
  await writeFile(join(path, "large"), Buffer.alloc(4 * mebibyte, 1));
  expect(await limits.reclaim()).toEqual([]);
  await rm(join(path, "large"));
  // Into a file of this folder.
  await disk.fill();
  expect(await limits.reclaim()).toEqual([
    "the workspace was beyond its limit on a disk without room, so 1 file that this task wrote there was removed",
  ]);
  expect(await readdir(path)).toEqual(["old"]);
});
