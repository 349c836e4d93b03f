import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("./programs/", import.meta.url));

/**
 * Bundles the programs of the global tasks, each into one file of its own that needs nothing but Node: a sandbox
 * sees the folder they go to, and no node_modules. What is there and current stays; several processes may do this at once.
 * As a command: `node build-programs.mjs FOLDER`.
 *
 * @param {string} outDir absolute folder; made when it is missing
 */
export async function buildPrograms(outDir) {
  const stamp = join(outDir, "sources.sha256");
  const hash = hashSources();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: source,
    entryPoints: readdirSync(source).filter((name) => name.endsWith(".mjs")),
    outdir: outDir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "silent",
    write: false,
  });
  mkdirSync(outDir, { recursive: true });
  for (const { path, contents } of outputFiles) put(join(outDir, basename(path)), contents);
  put(stamp, hash);
}

/** Whole or not at all, also for a step that is about to start. @param {string} path @param {string | Uint8Array} contents */
function put(path, contents) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}

/** Of everything that can end up in a program. */
function hashSources() {
  const lockfile = fileURLToPath(new URL("../../../package-lock.json", import.meta.url));
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".mjs"));
  const hash = createHash("sha256");
  for (const file of [fileURLToPath(import.meta.url), lockfile, ...files.sort().map((name) => join(source, name))]) {
    hash
      .update(`${basename(file)}\n`)
      .update(readFileSync(file))
      .update("\n");
  }
  return hash.digest("hex");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPrograms(resolve(process.argv[2] ?? "dist/programs"));
