import { basename, join } from "node:path";
import { build } from "esbuild";
import { repositoryRoot } from "../../src/base/file/repository-root.ts";

/**
 * Bundles a TypeScript file into one that plain Node runs, for tests that need a separate process to kill or to run as another user. The
 * bundle is in dist/, so that packages are found. Returns its path.
 * @param external further packages that are not bundled
 */
export async function buildProgram(entry: string, external: readonly string[] = []): Promise<string> {
  const outfile = join(repositoryRoot, "dist/test", `${basename(entry, ".ts")}-${process.pid}.mjs`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
    external: [
      "esbuild",
      "fastify",
      "@fastify/*",
      "pino",
      "prom-client",
      "undici",
      "vitest",
      "yaml",
      "dockerode",
      "@kubernetes/client-node",
      ...external,
    ],
    alias: { "@millrace/postgres": join(repositoryRoot, "packages/postgres/src") },
  });
  return outfile;
}
