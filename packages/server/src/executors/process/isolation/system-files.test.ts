import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { workspacesProblem } from "../../steps/view.ts";
import { findSystemFiles, shownPaths } from "./system-files.ts";

test("a link in the root is visible only if it leads to a visible folder, and no workspace is mounted through it", async () => {
  const root = await mkdtemp(join(tmpdir(), "millrace-root-"));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const folder of ["usr/bin", "usr/lib", "var/opt/tool", "gnu"]) await mkdir(join(root, folder), { recursive: true });
  const links = { bin: "usr/bin", lib: "usr/lib", lib64: "lib", opt: "var/opt", nix: "missing", sbin: "../../../../usr/sbin" };
  for (const [path, target] of Object.entries(links)) await symlink(target, join(root, path));
  const files = await findSystemFiles(root);
  expect(files.folders).toEqual(["/usr", "/gnu"]);
  expect(files.links).toEqual([
    { path: "/bin", target: "usr/bin" },
    { path: "/lib", target: "usr/lib" },
    { path: "/lib64", target: "lib" },
  ]);
  const shown = shownPaths({ ...files, links: [...files.links, { path: "/gnu/store", target: "usr" }] });
  const at = (mountPath: string) => workspacesProblem([{ name: "w", mountPath }], shown);
  for (const path of ["/gnu", "/gnu/store/x", "/lib64/x", "/bin"]) expect(at(path), path).toContain("belongs to the sandbox");
  expect(at("/opt/x")).toBeUndefined();
});
