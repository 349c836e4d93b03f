import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { buildProgram } from "../../../test/kit/build-program.ts";
import type { LevelName } from "./settings.ts";

/**
 * A service that runs out of files or processes loses attempts, fails none, reports no false success, and continues when there are more.
 */
const exec = promisify(execFile);
const levels: LevelName[] = ["bubblewrap-as-root", "own-uid", "none"];
let program: string;
beforeAll(async () => {
  program = await buildProgram(fileURLToPath(new URL("../../../test/processes/machine-fault-program.ts", import.meta.url)));
});
afterAll(() => rm(program));

interface Played {
  left?: number;
  status: string;
  message?: string;
  results?: unknown[];
  fault?: string;
}

async function play(command: readonly string[], level: LevelName, ...more: string[]): Promise<Played[]> {
  const scratchDir = await mkdtemp(join(tmpdir(), "millrace-short-"));
  onTestFinished(() => rm(scratchDir, { recursive: true, force: true }));
  await chmod(scratchDir, 0o711);
  const [file = "", ...args] = [...command, process.execPath, program, scratchDir, level, ...more];
  const { stdout } = await exec(file, args);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Played);
}

/** The output of a job that had everything it needed. */
const whole = [{ name: "said", value: "fine\n" }];

function expectHonest(played: Played[], words: string): void {
  const [, ...short] = played.slice(0, -1);
  expect(short.filter(({ status }) => status !== "lost" && status !== "succeeded")).toEqual([]);
  expect(short.filter(({ status, results }) => status === "succeeded" && JSON.stringify(results) !== JSON.stringify(whole))).toEqual([]);
  expect(short[0]).toMatchObject({ left: 0, status: "lost", fault: words });
  expect(played.at(-1)).toEqual({ status: "succeeded" });
}

test.for(levels)("with too many files open (%s)", async (level, { skip }) => {
  const played = await play(["prlimit", "--nofile=400"], level, "24");
  if (played[0]?.status !== "succeeded") return skip(played[0]?.message);
  expectHonest(played, "the worker has too many files open");
});

test.for(levels)("without room for another process (%s)", async (level, { skip }) => {
  const group = `/sys/fs/cgroup/pids/millrace-test-${process.pid}`;
  const isMade = await mkdir(group).then(
    () => existsSync(`${group}/pids.max`),
    () => false,
  );
  if (!isMade) return skip("no control group for processes can be made here");
  onTestFinished(() => rmdir(group));
  const played = await play(
    ["sh", "-c", `echo $$ > ${group}/cgroup.procs; exec "$@"`, "sh"],
    level,
    level === "own-uid" ? "0" : "3",
    group,
  );
  if (played[0]?.status !== "succeeded") return skip(played[0]?.message);
  expectHonest(played, "the machine of the worker can't start another process");
});
