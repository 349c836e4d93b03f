import { basename, join } from "node:path";
import { build } from "esbuild";
import { repositoryRoot } from "../../src/base/file/repository-root.ts";

/**
 * Bundles a TypeScript file into one that plain node runs, for tests that need a process of their own to kill or to run as someone else.
 * It lies in dist/, so that packages are found. Answers its path.
 * @param external further packages that are loaded as they are
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
