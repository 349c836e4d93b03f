import { expect, test } from "vitest";
import { createMasker } from "../../base/secret/mask.ts";
import { type LineBlock, linesOfBlock } from "../../core/log/log-lines.ts";
import type { Job } from "../../engine/executor.ts";
import { makeJob } from "../exercise/scenario.ts";
import { AttemptOutput } from "../steps/step-output.ts";
import { AttemptProgress } from "./attempt-progress.ts";
import { JobState } from "./job-state.ts";
import type { SidecarFiles } from "./pod/step-files.ts";
import { SidecarProgress } from "./sidecar-progress.ts";

function progressOf(job: Job, sidecars: readonly SidecarFiles[]) {
  const state = new JobState();
  const lines: string[] = [];
  const masker = createMasker(job.secrets);
  const onLines = (block: LineBlock): undefined => void lines.push(...linesOfBlock(block).map(({ step, text }) => `${step}: ${text}`));
  const beside = new SidecarProgress({ job, masker, onLines, state }, sidecars, 3_000);
  const output = new AttemptOutput(masker, 1_000, onLines);
  const progress = new AttemptProgress(job, [], state, output, { graceMs: 0, scratchBytes: 0 }, beside);
  return { progress, beside, state, lines };
}

test("a step that breaks connections and renames its results each time does not use more and more memory", () => {
  const { progress } = progressOf(makeJob("true"), []);
  for (let connection = 1; connection <= 5; connection++) {
    progress.onRestart();
    progress.onResult(`a${connection}`, Buffer.from("1"));
    progress.onResult("b", Buffer.from("2"));
  }
  // The last progress that was read counts until there is something newer.
  progress.onRestart();
  expect([...progress.results.keys()]).toEqual(["a5", "b"]);
});

const { limits } = makeJob("true");
const action = { kind: "tcp", port: 5432 } as const;
const probe = { action, initialDelayMs: 0, periodMs: 1000, timeoutMs: 2000, successes: 1 };
const db: SidecarFiles = { name: "sidecar-db", sidecar: { name: "db", probe }, limits, notes: [] };

test("a sidecar that fails before the first step ends the attempt; a later failure is only reported, once", () => {
  const early = progressOf(makeJob("true"), [db]);
  early.progress.onSidecarOutput(0, Buffer.from("oops\n"));
  early.progress.onSidecarEnd(0, { code: 3, kills: 0, when: "early" });
  expect(early.progress.verdict).toEqual({
    status: "failed",
    reason: "SidecarFailed",
    message: 'sidecar "db" ended with exit code 3; no step was started',
  });
  expect(early.lines).toEqual(["sidecar-db: oops", 'sidecar-db: sidecar "db" ended with exit code 3']);
  const late = progressOf(makeJob("true"), [db]);
  for (let connection = 0; connection < 2; connection++) late.progress.onSidecarEnd(0, { code: 137, kills: 1, when: "late" });
  expect(late.progress.verdict).toBeUndefined();
  expect(late.beside.problems).toEqual(['sidecar "db" ended with exit code 137: it needed more than the 1024 MiB of memory allowed']);
  const asked = progressOf(makeJob("true"), [db]);
  asked.progress.onSidecarEnd(0, { code: 143, kills: 0, when: "asked" });
  expect([asked.progress.verdict, asked.beside.problems, asked.lines]).toEqual([undefined, [], []]);
  const done = progressOf(makeJob("true"), [db]);
  done.progress.onSidecarEnd(0, { code: 0, kills: 0, when: "early" });
  expect([done.progress.verdict, done.lines]).toEqual([undefined, ["sidecar-db: ended with exit code 0 before the last step had ended"]]);
});

test("the message about a sidecar that is not ready says why, even if the task is stopped", () => {
  const late = progressOf(makeJob("true"), [db]);
  late.progress.onUnready(0, "port", 1);
  expect(late.progress.verdict?.message).toBe(
    'sidecar "db" was not ready within 3 s: its readiness probe could not connect to port 5432; no step was started',
  );
  const stopped = progressOf(makeJob("true"), [db]);
  stopped.state.halt({ why: "cancelled" }, 0);
  stopped.progress.onUnready(0, "timeout", 0);
  expect(stopped.progress.verdict).toBeUndefined();
  expect(stopped.beside.problems).toEqual(['sidecar "db" was not ready: its readiness probe did not respond within 2 s']);
});
