// `npm run bench`: bundles packages/server/bench and runs it; the options are reported there.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./install.mjs";
import { runInstalled } from "./run.mjs";

await runInstalled(async () => import(pathToFileURL(await buildBench()).href));

// The modules in scripts/ locate their files relative to themselves, so they are loaded from there.
function leaveScripts({ onResolve }) {
  onResolve({ filter: /scripts\/[^/]+\/[^/]+\.mjs$/ }, ({ path, resolveDir }) => ({
    path: pathToFileURL(join(resolveDir, path)).href,
    external: true,
  }));
}

async function buildBench() {
  const { build } = await import("esbuild");
  const outfile = join(root, "dist/bench/main.mjs");
  await build({
    entryPoints: [join(root, "packages/server/bench/main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    plugins: [{ name: "scripts", setup: leaveScripts }],
    alias: { "@millrace/contract": join(root, "packages/contract/src"), "@millrace/postgres": join(root, "packages/postgres/src") },
    sourcemap: "inline",
    logLevel: "warning",
  });
  return outfile;
}
