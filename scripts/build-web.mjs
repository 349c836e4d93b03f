// Builds the user interface into dist/web if its sources have changed. The folder is replaced as a whole.
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { takeLock } from "./lock.mjs";

const web = join(root, "packages/web");
const out = join(root, "dist/web");
const stampFile = join(out, "sources.sha256");

/**
 * If several processes call it at once, one of them builds and the others wait for the result.
 * @param {(line: string) => void} [say] called before it takes a while
 */
export async function buildWeb(say) {
  if (isBuiltFrom(hashSources())) return;
  say?.("millrace: building the interface; this happens once for each version of its sources …");
  mkdirSync(join(root, "dist"), { recursive: true });
  const lock = await takeLock(join(root, "dist/web-lock"));
  try {
    const hash = hashSources();
    if (!isBuiltFrom(hash)) await build(hash);
  } finally {
    lock.free();
  }
}

/** @param {string} hash */
const isBuiltFrom = (hash) => existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash;

/** @param {string} hash */
async function build(hash) {
  const draft = join(root, `dist/web-${process.pid}`);
  await runBundler(draft);
  writeFileSync(join(draft, "sources.sha256"), hash);
  rmSync(out, { recursive: true, force: true });
  renameSync(draft, out);
}

/**
 * In its own process: the bundler uses hundreds of megabytes, which a service that builds at its start would keep.
 * @param {string} draft
 */
function runBundler(draft) {
  const child = fork(join(root, "scripts/bundle-web.mjs"), [draft, out], { execArgv: [] });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("exit", (code, signal) =>
      code === 0 ? done(undefined) : fail(new Error(`the interface could not be built (${signal ?? code})`)),
    );
  });
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
  const folders = [join(web, "src"), join(web, "public"), join(root, "packages/client/src"), join(root, "packages/contract/src")];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      // Generated files contain only types, of which nothing is left in the bundle.
      .filter((entry) => entry.isFile() && !/\.(test|generated)\./.test(entry.name))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  );
  const others = [
    "packages/web/index.html",
    "packages/web/vite.config.mts",
    "packages/web/compile-texts.mjs",
    "packages/web/package.json",
    "package-lock.json",
    "scripts/build-web.mjs",
    "scripts/compress-assets.mjs",
  ];
  return [...files, ...others.map((name) => join(root, name))].sort();
}
