import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll } from "vitest";
import { repositoryRoot } from "../../server/src/base/file/repository-root.ts";

export interface Ended {
  code: number | null;
  out: string;
  error: string;
}

export interface CliOptions {
  env?: Record<string, string>;
  input?: string;
}

export interface Cli {
  /** Folder for files of the test; empty at first. It is the home and the current folder of the program. */
  folder: string;
  /** A folder with the program `millrace`, for the PATH of a shell. */
  bin: string;
  /** Runs the program to its end. */
  run(args: readonly string[], options?: CliOptions): Promise<Ended>;
  start(args: readonly string[], options?: CliOptions): { child: ChildProcess; ended: Promise<Ended>; until(part: string): Promise<void> };
}

/** The real program in its own processes, built as for the packed file but without the service. */
export async function cliProcess(): Promise<Cli> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-cli-"));
  chmodSync(folder, 0o755);
  const program = mkdtempSync(join(tmpdir(), "millrace-cli-program-"));
  await build({
    ...{ bundle: true, platform: "node", format: "esm", target: "node20", splitting: true },
    banner: { js: 'import { createRequire as of } from "node:module"; const require = of(import.meta.url);' },
    alias: Object.fromEntries(["client", "contract"].map((name) => [`@millrace/${name}`, join(repositoryRoot, "packages", name, "src")])),
    entryPoints: { millrace: join(repositoryRoot, "packages/cli/src/millrace.ts") },
    outdir: program,
    outExtension: { ".js": ".mjs" },
    external: ["@millrace/server/*"],
  });
  afterAll(() => [folder, program].forEach((path) => void rmSync(path, { recursive: true, force: true })));
  writeFileSync(join(program, "millrace"), `#!/bin/sh\nexec '${process.execPath}' '${join(program, "millrace.mjs")}' "$@"\n`, {
    mode: 0o755,
  });
  const start: Cli["start"] = (args, { env = {}, input = "" } = {}) => {
    const child = spawn(process.execPath, [join(program, "millrace.mjs"), ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ...env },
      stdio: "pipe",
    });
    child.stdin.on("error", () => {}).end(input);
    const [out, error] = [text(child.stdout), text(child.stderr)];
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
    });
    const until = async (part: string) => {
      while (!said.includes(part)) await once(child.stdout, "data", { signal: AbortSignal.timeout(30_000) });
    };
    const ended = once(child, "close").then(async ([code]) => ({ code, out: await out, error: await error }));
    return { child, ended, until };
  };
  return { folder, bin: program, start, run: (args, options) => start(args, options).ended };
}
