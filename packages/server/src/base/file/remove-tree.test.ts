import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { countTurns } from "../../../test/kit/count-turns.ts";
import { removeTree } from "./remove-tree.ts";

const root = await mkdtemp(join(tmpdir(), "millrace-remove-"));
afterAll(() => removeTree(root));

async function folder(name: string): Promise<string> {
  const path = join(root, name);
  await mkdir(path);
  return path;
}

/** A chain of folders, longer than any path may be; each has a file and another folder next to the next one. */
function makeChain(folder: string, depth: number, name = "d".repeat(100)): void {
  const script = `const fs = require("fs"); const [, name, depth] = process.argv;
    for (let i = 0; i < Number(depth); i++) { fs.writeFileSync("file", ""); fs.mkdirSync("beside"); fs.writeFileSync("beside/x", ""); fs.mkdirSync(name); process.chdir(name); }`;
  execFileSync(process.execPath, ["-e", script, name, String(depth)], { cwd: folder });
}

test("a tree that is deeper than any path can say is removed", async () => {
  const path = await folder("deep");
  makeChain(path, 150);
  await removeTree(path);
  expect(existsSync(path)).toBe(false);
});

test("folders without permissions are removed, and what links point to is not touched", async () => {
  const outside = await folder("outside");
  await writeFile(join(outside, "kept"), "");
  const path = await folder("closed");
  await mkdir(join(path, "a/b/c"), { recursive: true });
  await writeFile(join(path, "a/b/c/file"), "");
  await symlink(outside, join(path, "a/b/link"));
  for (const inner of ["a/b/c", "a/b", "a"]) await chmod(join(path, inner), 0);
  await removeTree(path);
  expect(existsSync(path)).toBe(false);
  expect(await readdir(outside)).toEqual(["kept"]);
});

test("a file, a link and nothing at all are removed too", async () => {
  const outside = await folder("target");
  await writeFile(join(root, "file"), "");
  await symlink(outside, join(root, "link"));
  for (const name of ["file", "link", "nothing"]) await removeTree(join(root, name));
  expect(existsSync(join(root, "file"))).toBe(false);
  expect(await readdir(root)).not.toContain("link");
  expect(existsSync(outside)).toBe(true);
});

test("a folder with very many files is removed without holding up the event loop", { timeout: 120_000 }, async () => {
  const path = await folder("wide");
  execFileSync(
    "/bin/sh",
    ["-c", "i=0; while [ $i -lt 5 ]; do mkdir f$i; (cd f$i && seq 1000 | xargs touch); i=$((i+1)); done; seq 10000 | xargs touch"],
    {
      cwd: path,
    },
  );
  const before = process.memoryUsage().rss;
  const { turns } = await countTurns(() => removeTree(path));
  expect(existsSync(path)).toBe(false);
  // 15,000 entries, in batches.
  expect(turns).toBeGreaterThan(150);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20);
});

test("what can't be removed is named with its reason, and everything else is removed", async (context) => {
  if (process.geteuid?.() !== 0) return context.skip("only root can mount something that is in the way");
  const path = await folder("mounted");
  await mkdir(join(path, "a/mount"), { recursive: true });
  await writeFile(join(path, "a/file"), "");
  await mkdir(join(path, "b/c"), { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "none", join(path, "a/mount")], { stdio: "ignore" });
  } catch {
    return context.skip("nothing can be mounted here");
  }
  try {
    await writeFile(join(path, "a/mount/theirs"), "");
    await expect(removeTree(path)).rejects.toThrow(/1 entry could not be removed: a\/mount: .*(busy|EBUSY)/i);
    expect(await readdir(path)).toEqual(["a"]);
    expect(await readdir(join(path, "a/mount"))).toEqual(["theirs"]);
  } finally {
    execFileSync("umount", [join(path, "a/mount")]);
  }
});
