import { execFile, execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { type StartedService, startService } from "../start/start-service.ts";

/** The service, started by `npm start` on an empty folder, for the commands of the documents. */
export interface WalkService {
  address: string;
  /** Lines of its output up to the ready line. */
  said: string[];
  /**
   * Runs the marked blocks of a document and checks their output. @param tier runs the blocks that need that engine, instead of the others
   */
  walk(document: string, tier?: "container" | "kubernetes"): Promise<void>;
  /** A call with the first administrator's token. */
  api: StartedService["api"];
  stop(): Promise<void>;
}

export const canWalk = spawnSync("curl", ["--version"]).status === 0 && spawnSync("bash", ["--version"]).status === 0;

/** @param environment settings in addition to those of a test */
export async function startWalkService(environment: Record<string, string> = {}): Promise<WalkService> {
  const folder = mkdtempSync(join(tmpdir(), "walk-"));
  // With the permissions that the folder of a checkout usually has.
  chmodSync(folder, 0o755);
  const service = await startService(folder, environment);
  const { address, said, api } = service;
  const stop = async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { address, said, api, stop, walk: (document, tier) => walk(folder, address, document, tier) };
}

/** Uses the same program that creates CI's script. */
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
