import { type ChildProcess, fork, type StdioOptions, spawn } from "node:child_process";
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
  /** Runs a command to its end. Without input it runs in a process that has run others before, which takes a fifth of the time. */
  run(args: readonly string[], options?: CliOptions): Promise<Ended>;
  /** Starts a process of its own, as users do. */
  start(args: readonly string[], options?: CliOptions): { child: ChildProcess; ended: Promise<Ended>; until(part: string): Promise<void> };
}

/** The real program, built as for the packed file but without the service. */
export async function cliProcess(): Promise<Cli> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-cli-"));
  chmodSync(folder, 0o755);
  const program = mkdtempSync(join(tmpdir(), "millrace-cli-program-"));
  await build({
    ...{ bundle: true, platform: "node", format: "esm", target: "node20", splitting: true },
    banner: { js: 'import { createRequire as of } from "node:module"; const require = of(import.meta.url);' },
    alias: Object.fromEntries(["client", "contract"].map((name) => [`@millrace/${name}`, join(repositoryRoot, "packages", name, "src")])),
    entryPoints: Object.fromEntries(
      ["millrace", "command-line"].map((name) => [name, join(repositoryRoot, `packages/cli/src/${name}.ts`)]),
    ),
    outdir: program,
    outExtension: { ".js": ".mjs" },
    external: ["@millrace/server/*"],
  });
  afterAll(() => [folder, program].forEach((path) => void rmSync(path, { recursive: true, force: true })));
  writeFileSync(join(program, "millrace"), `#!/bin/sh\nexec '${process.execPath}' '${join(program, "millrace.mjs")}' "$@"\n`, {
    mode: 0o755,
  });
  const environmentOf = (env: Record<string, string> = {}) => ({ PATH: process.env.PATH, HOME: folder, ...env });
  const start: Cli["start"] = (args, { env, input = "" } = {}) => {
    const path = join(program, "millrace.mjs");
    const child = spawn(process.execPath, [path, ...args], { cwd: folder, env: environmentOf(env), stdio: "pipe" });
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
  const hosts = new CommandHosts(join(program, "command-line.mjs"), folder);
  afterAll(() => hosts.stop());
  const run: Cli["run"] = (args, options = {}) => {
    // Input is read from the descriptor of the process, and completions end it.
    const needsProcess = options.input !== undefined || args[0] === "__complete";
    return needsProcess ? start(args, options).ended : hosts.run(args, environmentOf(options.env));
  };
  return { folder, bin: program, start, run };
}

/** Processes that have loaded the program and run one command at a time; as many as run commands at once. */
class CommandHosts {
  readonly #program: string;
  readonly #folder: string;
  readonly #all = new Set<ChildProcess>();
  readonly #idle: ChildProcess[] = [];

  constructor(program: string, folder: string) {
    this.#program = program;
    this.#folder = folder;
  }

  async run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
    const host = this.#idle.pop() ?? (await this.#start());
    host.send({ args, env });
    const ended = (await nextMessage(host)) as Ended;
    this.#idle.push(host);
    return ended;
  }

  async #start(): Promise<ChildProcess> {
    const stdio: StdioOptions = ["ignore", "ignore", "inherit", "ipc"];
    const host = fork(join(import.meta.dirname, "command-host.mjs"), [this.#program], { cwd: this.#folder, execArgv: [], env: {}, stdio });
    this.#all.add(host);
    await nextMessage(host);
    return host;
  }

  stop(): void {
    for (const host of this.#all) if (host.connected) host.disconnect();
  }
}

/** @throws if it ends instead */
async function nextMessage(host: ChildProcess): Promise<unknown> {
  const abort = new AbortController();
  const ended = once(host, "exit", { signal: abort.signal }).then(([code, signal]) => {
    throw new Error(`the process of the commands ended: ${code ?? signal}`);
  });
  try {
    const [message] = (await Promise.race([once(host, "message", { signal: abort.signal }), ended])) as [unknown];
    return message;
  } finally {
    ended.catch(() => {});
    abort.abort();
  }
}
