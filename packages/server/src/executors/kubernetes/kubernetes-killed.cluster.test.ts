import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { buildProgram } from "../../../test/kit/build-program.ts";
import { until } from "../../../test/kit/until.ts";
import { type HeldCall, openApiGate } from "../../../test/kubernetes/api-gate.ts";
import { type ExecutorSpace, executorSpace, helperImage } from "../../../test/kubernetes/executor-bench.ts";
import type { Job } from "../../engine/executor.ts";
import { type Bench, type Finished, makeJob, run, startUntil } from "../exercise/scenario.ts";
import { jobName } from "./object-names.ts";
import type { KubernetesExecutorSettings } from "./settings.ts";

/** Workers that are killed at every relevant moment, each in a separate process: what happens to their objects in the cluster. */
let space: ExecutorSpace;
let program: string;
let folder: string;
beforeAll(async () => {
  space = await executorSpace();
  const entry = fileURLToPath(new URL("../../../test/processes/kubernetes-worker-program.ts", import.meta.url));
  program = await buildProgram(entry, ["@kubernetes/client-node", "yaml"]);
  folder = await mkdtemp(join(tmpdir(), "millrace-killed-"));
});
afterEach(async () => {
  expect(await space.leftovers()).toEqual([]);
});
afterAll(async () => {
  await rm(program, { force: true });
  await rm(folder, { recursive: true });
  await space.remove();
});

/** Steps run in the helper's image, which has everything that these steps need. */
function adapt(job: Job): Job {
  return { ...job, steps: job.steps.map((step) => ({ image: helperImage, pullPolicy: "Never" as const, ...step })) };
}

/** A worker that is alive, and is closed before the leftovers are checked. */
async function withAnother<T>(more: Partial<KubernetesExecutorSettings>, act: (bench: Bench) => Promise<T>): Promise<T> {
  const executor = await space.open(more);
  try {
    return await act({ executor, adapt } as unknown as Bench);
  } finally {
    await executor.close();
  }
}

function runOnce(job: Job): Promise<Finished> {
  return withAnother({}, (bench) => run(bench, job));
}

async function startWorker(job: Job, more: Partial<KubernetesExecutorSettings> = {}): Promise<ChildProcess> {
  const file = join(folder, "job.json");
  await writeFile(file, JSON.stringify({ job: adapt(job), settings: space.settings({ owner: "killed", ...more }) }));
  return spawn(process.execPath, [program, file], { stdio: ["ignore", "pipe", "inherit"] });
}

async function kill(child: ChildProcess): Promise<void> {
  const hasExited = once(child, "exit");
  child.kill("SIGKILL");
  await hasExited;
}

/** Starts a worker with the job, and kills it when it has printed the text. @returns its output so far */
async function killWhen(job: Job, text: string): Promise<string[]> {
  const child = await startWorker(job);
  const said = await outputUntil(child, text);
  await kill(child);
  return said;
}

/** Starts a worker with the job, and kills it while it waits for the response to that call. */
async function killDuring(job: Job, call: HeldCall): Promise<void> {
  const { configPath = "" } = space.settings();
  const gate = await openApiGate(configPath, join(folder, "gate.json"), call);
  const child = await startWorker(job, { configPath: gate.configPath });
  await Promise.race([gate.held, once(child, "exit").then(([code]) => Promise.reject(new Error(`it ended with ${code}`)))]);
  await kill(child);
  gate.close();
}

function outputUntil(child: ChildProcess, wanted: string): Promise<string[]> {
  let text = "";
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes(`${wanted}\n`)) resolve(text.split("\n"));
    });
    child.on("exit", (code) => reject(new Error(`it ended with ${code}: ${text}`)));
  });
}

async function left(): Promise<{ jobs: string[]; secrets: string[] }> {
  const { core, batch, namespace } = space;
  const labelSelector = "app.kubernetes.io/managed-by=millrace";
  const lists = await Promise.all([
    batch.listNamespacedJob({ namespace, labelSelector }),
    core.listNamespacedSecret({ namespace, labelSelector }),
  ]);
  const [jobs = [], secrets = []] = lists.map(({ items }) => items.map(({ metadata }) => metadata?.name ?? ""));
  return { jobs, secrets };
}

const counting = "cat /proc/sys/kernel/random/uuid; i=0; while [ $i -lt 40 ]; do i=$((i+1)); echo count $i; sleep 0.2; done";

describe("a worker that is killed while a step runs", () => {
  test("loses nothing: the next one continues with the same pod and reads every line once", async () => {
    const job = makeJob(`${counting}; printf over > "$RESULTS_PATH/r"`, { results: [{ name: "r" }], timeoutMs: 60_000 });
    const [mark] = await killWhen(job, "count 10");
    const { outcome, texts } = await runOnce({ ...job, attempt: 2, lostAttempts: 1 });
    expect(outcome).toMatchObject({ status: "succeeded", results: [{ name: "r", value: "over" }] });
    expect(texts()).toEqual([mark, ...Array.from({ length: 40 }, (_, index) => `count ${index + 1}`)]);
  });

  test("leaves nothing that the next attempt does not want", async () => {
    const job = makeJob(counting, { timeoutMs: 60_000 });
    const [mark] = await killWhen(job, "count 3");
    const { outcome, texts } = await runOnce({ ...job, attempt: 2, lostAttempts: 0, steps: [{ name: "step-1", script: "echo new" }] });
    expect(outcome.status).toBe("succeeded");
    expect(texts()).toEqual(["new"]);
    expect(mark).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("a worker that is killed between the Secrets and the Job of an attempt", () => {
  const beforeJob: HeldCall = { method: "POST", path: "/jobs", when: "before" };
  const job = (): Job =>
    makeJob("echo once", {
      params: [
        { name: "key", value: "x".repeat(500_000) },
        { name: "more", value: "y".repeat(500_000) },
      ],
    });

  test("has begun nothing: the next attempt runs the task once, and the Secrets of both are gone with it", async () => {
    const first = job();
    await killDuring(first, beforeJob);
    expect(await left()).toEqual({ jobs: [], secrets: [jobName(first), `${jobName(first)}-1`] });
    const { outcome, texts } = await runOnce({ ...first, attempt: 2, lostAttempts: 1 });
    expect(outcome, outcome.message).toMatchObject({ status: "succeeded" });
    expect(texts()).toEqual(["once"]);
    expect(outcome.place?.unit).toContain(jobName({ ...first, attempt: 2 }));
  });

  test("leaves nothing when there is no next attempt either: any worker removes the Secrets after a while", async () => {
    await killDuring(job(), beforeJob);
    const isGone = async (): Promise<boolean> => (await left()).secrets.length === 0;
    await withAnother({ orphanMs: 500, pendingMs: 500, outageMs: 500 }, () => until(isGone, "the Secrets are gone"));
  });
});

describe("a worker that is killed between the Job of an attempt and tying its Secrets to it", () => {
  const afterJob: HeldCall = { method: "POST", path: "/jobs", when: "after" };

  test("loses nothing: the next one takes the Job over, and its Secrets are removed with it", async () => {
    const job = makeJob("cat /proc/sys/kernel/random/uuid; sleep 2");
    await killDuring(job, afterJob);
    expect(await left()).toEqual({ jobs: [jobName(job)], secrets: [jobName(job)] });
    const { outcome, texts } = await runOnce({ ...job, attempt: 2, lostAttempts: 1 });
    expect(outcome, outcome.message).toMatchObject({ status: "succeeded" });
    expect(texts().length).toBe(1);
    expect(outcome.place?.unit).toContain(jobName(job));
  });

  test("leaves nothing when the attempt was given up: Job and Secrets are removed, and the task starts over", async () => {
    const job = makeJob("echo old; sleep 1000");
    await killDuring(job, afterJob);
    const { texts } = await runOnce({ ...makeJob("echo new"), taskRunId: job.taskRunId, attempt: 2, lostAttempts: 0 });
    expect(texts()).toEqual(["new"]);
  });
});

test("a task that is cancelled before its Job could be made leaves no Secret", async () => {
  await space.cluster.setQuota(space.namespace, { "count/jobs.batch": "0" });
  const { outcome } = await withAnother({}, async (bench) => {
    const { handle, finished } = await startUntil(bench, makeJob("true"), "waits for the cluster");
    handle.stop("cancelled", 0);
    return finished;
  });
  await space.cluster.removeQuota(space.namespace);
  expect(outcome).toMatchObject({ status: "cancelled" });
});
