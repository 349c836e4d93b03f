// Builds the programs of the packed file: the command line, and what it starts. Each has its own build, which includes all packages.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { programOptions } from "../bundle.mjs";
import { root } from "../install.mjs";
import { slim } from "../slim-bundle.mjs";

const serverSources = join(root, "packages/server/src");

/** Loaded only when tasks use them, by the service and by `doctor`: each is one file for both. */
const heavyPackages = { dockerode: "container-engine.mjs", "@kubernetes/client-node": "cluster.mjs" };

/**
 * @param {string} folder absolute
 * @param {string} version a part of the names: the service finds its heartbeat program by it
 * @returns {Promise<Set<string>>} the folders of the packages that are inside, from the repository's root
 */
export async function buildPackedPrograms(folder, version) {
  mkdirSync(folder, { recursive: true });
  const main = `main-${version}`;
  const heavy = Object.entries(heavyPackages).map(([name, file]) => [basename(file, ".mjs"), name]);
  const apart = [
    // Each separately, or their common code would become a file of its own.
    ...heavy.map((entry) => build(folder, Object.fromEntries([entry]))),
    build(folder, { [main]: join(serverSources, "main.ts") }, heavyPackages),
    build(folder, { [`heartbeat-thread-${version}`]: join(serverSources, "heartbeat-thread.ts") }),
    // The service is not built into the command line a second time, which loads it from the file beside it.
    build(
      folder,
      { millrace: join(root, "packages/cli/src/millrace.ts") },
      { ...heavyPackages, "@millrace/server/main.ts": `${main}.mjs` },
    ),
  ];
  const inputs = (await Promise.all(apart)).flat();
  chmodSync(join(folder, "millrace.mjs"), 0o755);
  return packageFoldersOf(inputs);
}

/** @param {string[]} inputs files that are in a bundle, from the repository's root */
export function packageFoldersOf(inputs) {
  return new Set(inputs.map((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]).filter((path) => path !== undefined));
}

/**
 * Modules that are imported on demand become files of their own, such as each command.
 * @param {Record<string, string>} besides modules that are imported from a file beside it, and from which
 */
async function build(folder, entryPoints, besides = {}) {
  const esbuild = await import("esbuild");
  const { outputFiles, metafile } = await esbuild.build({
    ...programOptions,
    entryPoints,
    // Nothing is written there: the names of files depend on it, and must be the same wherever the file is built.
    outdir: join(root, "dist"),
    outExtension: { ".js": ".mjs" },
    chunkNames: "[name]-[hash]",
    splitting: true,
    metafile: true,
    alias: { ...programOptions.alias, "@millrace/server": serverSources },
    plugins: [fromBeside(besides), ...programOptions.plugins],
    // Native parts, and colours of messages that nobody reads: their packages work without them.
    external: ["cpu-features", "supports-color", "*.node"],
  });
  for (const { path, text } of outputFiles) {
    const slimmed = slim(path, text);
    writeFileSync(join(folder, basename(path)), path.endsWith(".map") ? belowPackage(slimmed) : slimmed);
  }
  return Object.keys(metafile.inputs);
}

/** Sources are named from the root of the package, wherever it was built: `../packages/server/src/main.ts`. */
function belowPackage(map) {
  const { sources, ...rest } = JSON.parse(map);
  return JSON.stringify({ ...rest, sources: sources.map((source) => source.replace(/^(\.\.\/)+/, "../")) });
}

function fromBeside(files) {
  return {
    name: "from-beside",
    setup({ onResolve }) {
      onResolve({ filter: /^[@\w]/ }, ({ path }) =>
        Object.hasOwn(files, path) ? { path: `./${files[path]}`, external: true } : undefined,
      );
    },
  };
}
