// Builds the user interface into dist/web when its sources have changed since. The folder is swapped in whole.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

const web = join(root, "packages/web");
const out = join(root, "dist/web");
const stampFile = join(out, "sources.sha256");

/** Several processes may do this at once; the last one to finish wins with the same files. */
export async function buildWeb() {
  const hash = hashSources();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash) return;
  const { build } = await import("vite");
  const draft = join(root, `dist/web-${process.pid}`);
  const inherited = process.env.NODE_ENV;
  process.env.NODE_ENV = "production";
  await build({ configFile: join(web, "vite.config.mts"), root: web, mode: "production", logLevel: "warn", build: { outDir: draft } });
  if (inherited === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = inherited;
  writeFileSync(join(draft, "sources.sha256"), hash);
  rmSync(out, { recursive: true, force: true });
  renameSync(draft, out);
}

function hashSources() {
  const hash = createHash("sha256");
  for (const file of listSources()) {
    hash
      .update(`${file.slice(root.length)}\n`)
      .update(readFileSync(file))
      .update("\n");
  }
  return hash.digest("hex");
}

function listSources() {
  const folders = [join(web, "src"), join(web, "public"), join(root, "packages/contract/src")];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.includes(".test."))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  );
  const others = [
    "packages/web/index.html",
    "packages/web/vite.config.mts",
    "packages/web/package.json",
    "package-lock.json",
    "scripts/build-web.mjs",
  ];
  return [...files, ...others.map((name) => join(root, name))].sort();
}
