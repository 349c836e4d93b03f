// Bundles a program of packages/server into dist/, in a file named by a hash of its content: a file that exists is current.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Remedy, root } from "./install.mjs";

const dist = join(root, "dist");
const day = 86_400_000;

/**
 * @param {string} entry TypeScript file, from the repository's root
 * @returns {Promise<string>} the URL to import
 */
export async function bundle(entry) {
  const name = basename(entry, ".ts");
  const outfile = join(dist, `${name}-${hashSources()}.mjs`);
  if (!existsSync(outfile)) await build(entry, outfile);
  removeOlder(name, outfile);
  return pathToFileURL(outfile).href;
}

/** A hash of everything that can end up in a bundle, and of how it is built. */
function hashSources() {
  const hash = createHash("sha256");
  for (const file of [
    ...listSources(),
    ...["package-lock.json", "scripts/bundle.mjs", "scripts/slim-bundle.mjs"].map((path) => join(root, path)),
  ]) {
    hash
      .update(`${file.slice(root.length)}\n`)
      .update(readFileSync(file))
      .update("\n");
  }
  return hash.digest("hex").slice(0, 16);
}

function listSources() {
  const packages = readdirSync(join(root, "packages"))
    .filter((name) => name !== "web")
    .map((name) => join(root, "packages", name));
  return packages.flatMap((folder) => [join(folder, "package.json"), ...listFiles(join(folder, "src"))]).sort();
}

function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(test|generated)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

async function build(entry, outfile) {
  const esbuild = await import("esbuild");
  const { slim } = await import("./slim-bundle.mjs");
  const draft = `${outfile}.${process.pid}`;
  try {
    mkdirSync(dist, { recursive: true });
    const { outputFiles } = await esbuild.build({
      ...programOptions,
      entryPoints: [join(root, entry)],
      outfile,
      // They are loaded only when tasks use them, and they contain native parts.
      external: ["dockerode", "@kubernetes/client-node"],
    });
    // The program last: if it exists, everything else does.
    for (const { path, text } of outputFiles.sort((a) => (a.path.endsWith(".map") ? -1 : 1))) {
      writeFileSync(draft, slim(path, text));
      renameSync(draft, path);
    }
  } catch (error) {
    rmSync(draft, { force: true });
    throw explain(error);
  }
}

/** A source map of a single place: code of packages is not distinguished. Otherwise the packages would be three quarters of the map. */
const unmappedPackages = {
  name: "unmapped-packages",
  setup({ onLoad }) {
    const emptyMap = Buffer.from('{"version":3,"sources":[""],"names":[],"mappings":"AAAA"}').toString("base64");
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, "utf8")}\n//# sourceMappingURL=data:application/json;base64,${emptyMap}`,
      loader: "js",
    }));
  },
};

/** Globals that packages in the older module format expect. */
const commonJsNames = `import { createRequire as createRequireHere } from "node:module";
import { fileURLToPath as toPathHere } from "node:url";
const require = createRequireHere(import.meta.url), __filename = toPathHere(import.meta.url), __dirname = toPathHere(new URL(".", import.meta.url));`;

/**
 * Common to every bundle of our programs: packages are included, since one file loads in a quarter of the time and uses less memory. No
 * minification. A stack in the log names our sources through the map (slim-bundle.mjs).
 */
export const programOptions = {
  write: false,
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: "linked",
  sourcesContent: false,
  alias: Object.fromEntries(["client", "contract", "postgres"].map((name) => [`@millrace/${name}`, join(root, "packages", name, "src")])),
  logLevel: "silent",
  plugins: [unmappedPackages],
  banner: { js: commonJsNames },
};

function explain(error) {
  const denied = /Failed to write to output file: .*: (permission denied|read-only file system|no space left on device)/.exec(
    error.errors?.[0]?.text,
  )?.[1];
  if (denied !== undefined) return explain({ code: denied.startsWith("no space") ? "ENOSPC" : "EACCES" });
  if (error.errors?.length > 0) {
    const [{ text, location }] = error.errors;
    return new Remedy(`The sources cannot be built: ${text}${location ? ` (${location.file}:${location.line})` : ""}`);
  }
  if (["EACCES", "EROFS", "EPERM"].includes(error.code))
    return new Remedy(`${dist} cannot be written to: give it to the user who starts Millrace`);
  if (error.code === "ENOSPC" || error.code === "EDQUOT")
    return new Remedy(`${dist} cannot be written to, its disk is full: free some space there`);
  return error;
}

/** Not immediately: another process may be about to load it. */
function removeOlder(name, current) {
  for (const file of readdirSync(dist)) {
    const path = join(dist, file);
    if (!file.startsWith(`${name}-`) || path.startsWith(current)) continue;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() || Date.now() - stats.mtimeMs < day) continue;
    try {
      rmSync(path);
    } catch {
      // It belongs to another user, or is gone already.
    }
  }
}
