import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runTool } from "../folders/run-tool.ts";
import { findTools } from "../process/isolation/tools.ts";
import { shellProgram } from "./shell-program.ts";

const { unshare, sh, mount, umount, pivot_root, mkdir: makeFolder, rmdir, touch, ln } = findTools();
const script = shellProgram("make-root");

function makeRoot(words: readonly string[]): ReturnType<typeof runTool> {
  const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const tools = [mount, umount, pivot_root, makeFolder, rmdir, touch, ln];
  return runTool(unshare, [...user, "--mount", "--", sh, "-c", script, "make-root", ...tools, ...words, "--", "/bin/echo", "went on"]);
}

const works = (await makeRoot([])).code === 0;

/** The executor never requests one workspace inside another; this tests what happens if that check is ever bypassed. */
describe.skipIf(!works)("a folder that steps can write", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "millrace-make-root-"));
    await Promise.all(["root", "one", "two", "outside"].map((name) => mkdir(join(folder, name))));
    await writeFile(join(folder, "two/file"), "");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const words = (how: string) => [
    "root",
    `${folder}/root`,
    "folders",
    "./w",
    "give",
    `${folder}/one`,
    "/w",
    how,
    `${folder}/two`,
    "/w/link",
  ];

  test.each(["give", "lend"])("is mounted at its path, and never through a link (%s)", async (how) => {
    await mkdir(join(folder, "one/link"));
    expect(await makeRoot(words(how))).toMatchObject({ code: 0, stdout: "went on\n" });
    await rm(join(folder, "one/link"), { recursive: true });
    await symlink(join(folder, "outside"), join(folder, "one/link"));
    expect(await makeRoot(words(how))).toMatchObject({ code: 125, stdout: "", stderr: "make-root: a link is in the way to /w/link\n" });
  });
});
