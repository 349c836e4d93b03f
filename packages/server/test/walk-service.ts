import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect } from "vitest";
import { repositoryRoot } from "../src/base/repository-root.ts";

/** The service as `npm start` starts it, on an empty folder, for the commands of the documents. */
export interface WalkService {
  address: string;
  /** Lines up to the one that says it is ready. */
  said: string[];
  /** Runs the marked blocks of a document and checks what they print. @param tier those that need that engine, instead of the others */
  walk(document: string, tier?: "container" | "kubernetes"): Promise<void>;
  stop(): Promise<void>;
}

export const canWalk = spawnSync("curl", ["--version"]).status === 0 && spawnSync("bash", ["--version"]).status === 0;

/** @param environment settings beside those of a test */
export async function startWalkService(environment: Record<string, string> = {}): Promise<WalkService> {
  const folder = mkdtempSync(join(tmpdir(), "walk-"));
  // As open as the folder of a checkout usually is.
  chmodSync(folder, 0o755);
  const service = spawn(process.execPath, [join(repositoryRoot, "scripts/start.mjs")], {
    cwd: repositoryRoot,
    env: { PATH: process.env.PATH, HOME: folder, MILLRACE_PORT: "0", MILLRACE_DATA_DIR: join(folder, ".millrace"), ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said: string[] = [];
  let address = "";
  for await (const line of createInterface(service.stdout)) {
    said.push(line);
    address = /^millrace ready on (http:\S+)/.exec(line)?.[1] ?? "";
    if (address !== "") break;
  }
  service.stdout.resume();
  if (address === "") throw new Error(`the service did not start: ${said.join("\n")}`);
  const stop = async () => {
    const ended = new Promise((resolve) => service.once("exit", resolve));
    if (service.exitCode === null && service.kill("SIGTERM")) await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { address, said, stop, walk: (document, tier) => walk(folder, address, document, tier) };
}

/** By the same program that CI makes its script with. */
async function walk(folder: string, address: string, document: string, tier = ""): Promise<void> {
  const maker = join(repositoryRoot, ".ci/walk-script.mjs");
  const script = execFileSync(process.execPath, [maker, join(repositoryRoot, document), address, join(folder, "output"), tier]);
  writeFileSync(join(folder, "walk.sh"), script);
  const environment = { PATH: process.env.PATH, HOME: folder };
  const { stdout } = await promisify(execFile)("bash", ["walk.sh"], { cwd: folder, env: environment }).catch((failure) => failure);
  expect(stdout).not.toContain("FAILED");
  const [, done, all] = /ok (\d+)\/(\d+) \S+\n$/.exec(stdout) ?? [];
  expect(done, stdout).toBe(all);
  expect(Number(all)).toBeGreaterThan(0);
}
