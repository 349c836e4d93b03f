import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ContainerInfo } from "dockerode";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildProgram } from "../../../test/kit/build-program.ts";
import { type ContainerBench, openContainerBench } from "../../../test/kit/container/container-bench.ts";
import { openContainerTier } from "../../../test/kit/container/container-tier.ts";
import { until } from "../../../test/kit/until.ts";
import type { Job } from "../../engine/executor.ts";
import { makeJob, run } from "../exercise/scenario.ts";

/**
 * What a killed worker leaves behind, and which worker takes it over. One worker of each engine begins all tasks and is killed in the middle
 * of them, as in production; each test is about one of its tasks.
 */
const adoptionMs = 1;
/** The step waits for a file that only the step itself could create: a worker that takes it over finds it still running. */
const untilReleased = "while ! test -e go; do sleep 0.05; done";
let program: string;
beforeAll(async () => {
  program = await buildProgram(fileURLToPath(new URL("../../../test/processes/container-program.ts", import.meta.url)), [
    "dockerode",
    "tar-stream",
  ]);
});
afterAll(() => rm(program));

interface Begun {
  /** A text of its output: the worker is killed once each task has said it. */
  says: string;
  job: Job;
}

const interfaces = "cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d ' ' | sort | tr '\\n' ' '";
const web = {
  name: "web",
  script: `exec "$NODE" -e 'require("http").createServer((q, r) => { console.log("asked"); r.end("hello") }).listen(7075, "127.0.0.1", () => console.log("listens"))'`,
  probe: { action: { kind: "tcp", port: 7075 } as const, initialDelayMs: 0, periodMs: 100, timeoutMs: 1000, successes: 1 },
};
const late = { name: "late", script: "echo waited-for; sleep 1000", probe: { ...web.probe, action: { kind: "tcp", port: 7076 } as const } };
const ask = `"$NODE" -e 'fetch("http://localhost:7075/").then((r) => r.text()).then(console.log)'`;
const volumes = [
  { name: "cache", scratch: { inMemory: false } },
  { name: "keys", files: [{ path: "token", text: "the token", mode: 0o400 }] },
];
const mounts = [
  { volume: "cache", path: "/cache", readOnly: false },
  { volume: "keys", path: "/keys", readOnly: true },
];

/** Many containers at once take a while to start on a busy machine. */
const startMs = 360_000;
const timeoutMs = 2 * startMs;

/** The tasks that the killed worker had. */
const leftTasks = () =>
  ({
    continued: {
      says: "10000",
      job: makeJob(
        [
          { script: "echo first; echo kept > kept" },
          { script: `seq 1 10000; ${untilReleased}; echo "then $(cat kept)"; printf r > "$RESULTS_PATH/r"` },
          { script: 'echo "last $(cat "$RESULTS_PATH/r")"' },
        ],
        { results: [{ name: "r" }], timeoutMs },
      ),
    },
    volumes: {
      says: "before",
      job: makeJob(
        [
          { mounts, script: "head -c 3000000 /dev/zero | tr '\\0' x > /cache/data" },
          { mounts, outputFiles: { stdout: "said" }, script: `echo before; ${untilReleased}; echo after` },
          { mounts, script: 'echo "$(wc -c < /cache/data) $(cat /keys/token) $(cat said | tr "\\n" " ")"' },
        ],
        { volumes, timeoutMs },
      ),
    },
    network: {
      says: "ready",
      job: makeJob([{ script: `echo ready; ${untilReleased}` }, { script: `echo "$(${interfaces})"` }], {
        network: "outbound",
        timeoutMs,
      }),
    },
    sidecars: {
      says: "ready",
      job: makeJob([{ script: `${ask}; echo ready; ${untilReleased}; ${ask}` }, { script: ask }], {
        sidecars: [web, { name: "short", script: "while ! test -e /tmp/end; do sleep 0.05; done; exit 3" }],
        timeoutMs,
      }),
    },
    waiting: { says: "waited-for", job: makeJob("echo again", { sidecars: [late], timeoutMs }) },
    lacking: {
      says: "ready",
      job: makeJob([{ script: `echo ready; ${untilReleased}; exit 5` }], { sidecars: [{ name: "gone", script: "sleep 1000" }], timeoutMs }),
    },
    ended: { says: "ready", job: makeJob([{ script: `echo ready; ${untilReleased}; echo done; exit 7` }], { timeoutMs }) },
    unwanted: { says: "ready", job: makeJob("echo ready; sleep 1000", { timeoutMs }) },
  }) satisfies Record<string, Begun>;

for (const kind of ["docker", "podman"] as const) {
  const tier = await openContainerTier(kind);
  const { engine } = tier;
  let bench: ContainerBench;
  const workers: ChildProcess[] = [];
  const left = leftTasks();

  /** Starts a separate worker with the jobs, and waits until the output of each contains its text. */
  const startWorker = async (begun: readonly Begun[]): Promise<ChildProcess> => {
    const input = JSON.stringify(begun.map(({ job }) => bench.adapt(job)));
    const child = spawn(process.execPath, [program, `unix://${engine.socketPath}`, bench.scratchDir, input], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    workers.push(child);
    let output = "\n";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
    const waiting = () => begun.filter(({ says, job }) => !output.includes(`\n${job.taskRunId} ${says}\n`));
    await until(
      () => {
        if (child.exitCode !== null) throw new Error(`it ended: ${output}`);
        return waiting().length === 0;
      },
      `each job of the worker says ${begun.map(({ says }) => says).join(", ")}`,
      startMs,
    );
    return child;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  const containers = async (): Promise<string[]> =>
    (await engine.docker.listContainers({ all: true })).map(({ Names }) => Names.join()).sort();
  /** The container of a step or sidecar of that task, by its number in labels. */
  const containerOf = async ({ taskRunId }: Job, place: number, all = false) => {
    const label = [`dev.millrace.task-run=${taskRunId}`, `dev.millrace.step=${place}`];
    const [found] = await engine.docker.listContainers({ all, filters: { label } });
    return found;
  };
  const leftoversOf = async ({ taskRunId }: Job) => (await bench.leftovers()).filter((line) => line.includes(taskRunId));
  const create = async (path: string, container: ContainerInfo | undefined) => {
    const touch = await engine.docker.getContainer(container?.Id ?? "").exec({ Cmd: ["touch", path] });
    await touch.start({ Detach: true });
  };
  /** Starts the next attempt, and lets the step go on that it finds. */
  const takeUp = async (job: Job, place = 0) => {
    const container = await containerOf(job, place);
    const finished = run(bench, { ...job, attempt: 2, lostAttempts: 1 });
    await create("/task/work/go", container);
    return finished;
  };

  tier.describe(`a worker with ${kind} that was killed`, () => {
    beforeAll(async () => {
      bench = await openContainerBench(engine);
      await kill(await startWorker(Object.values(left)));
    }, startMs + 60_000);
    afterAll(async () => {
      for (const child of workers) if (child.exitCode === null && child.signalCode === null) await kill(child);
      await bench?.close();
    });

    test("leaves its task to the next attempt, which continues at the same step and has all of the output", async () => {
      const { job } = left.continued;
      const before = await containers();
      expect(await containerOf(job, 1)).toBeDefined();
      await bench.executor.look();
      expect(await containers()).toEqual(before);
      // As an older version leaves it.
      const attempts = join(bench.scratchDir, "containers/attempts");
      const own = (await readdir(attempts)).filter((name) => name.includes(job.taskRunId));
      expect(own).toHaveLength(1);
      await rm(join(attempts, own[0]!, "writable/termination"));

      const { outcome, texts } = await takeUp(job, 1);
      expect(outcome).toMatchObject({ status: "succeeded", message: "", results: [{ name: "r", value: "r" }] });
      expect(texts()).toEqual([...Array.from({ length: 10000 }, (_, index) => String(index + 1)), "then kept", "last r"]);
      expect(texts("system")[0]).toContain("attempt 1 was lost with its worker");
      expect(await leftoversOf(job)).toEqual([]);
    });

    test("leaves its volumes and output files to the next attempt, complete, and they are removed at the end", async () => {
      const { job } = left.volumes;
      const { outcome, texts } = await takeUp(job, 1);
      expect(outcome).toMatchObject({ status: "succeeded", message: "" });
      expect(texts()).toEqual(["before", "after", "3000000 the token before after "]);
      expect(await leftoversOf(job)).toEqual([]);
    });

    test("leaves its network `outbound` to the next attempt: the same filter applies to the later steps", async () => {
      const { job } = left.network;
      const holder = await containerOf(job, -1);
      const { outcome, texts } = await takeUp(job);
      expect(outcome).toMatchObject({ status: "succeeded", message: "" });
      expect(texts().at(-1)).toMatch(/eth0 lo/);
      expect(holder?.State).toBe("running");
      expect(await leftoversOf(job)).toEqual([]);
    });

    test("leaves its sidecars to the next attempt, which uses the same ones and stops them after the last step", async () => {
      const { job } = left.sidecars;
      const sidecar = await containerOf(job, -2, true);
      await create("/tmp/end", await containerOf(job, -3));
      const { outcome, lines, texts } = await takeUp(job);
      expect(outcome).toMatchObject({ status: "succeeded", message: "" });
      const said = (name: string) => lines.filter(({ step, stream }) => step === name && stream !== "system").map(({ text }) => text);
      expect([said("step-1"), said("step-2")]).toEqual([["hello", "ready", "hello"], ["hello"]]);
      expect(said("sidecar-web")).toEqual(["listens", "asked", "asked", "asked"]);
      expect(texts("system").join("\n")).toContain('sidecar "short" ended with exit code 3');
      expect(sidecar).toBeDefined();
      expect(await leftoversOf(job)).toEqual([]);
    });

    test("has its sidecars removed if no step had started, and the task starts again", async () => {
      const { job } = left.waiting;
      const { outcome, texts } = await run(bench, { ...job, sidecars: [web], attempt: 2, lostAttempts: 1 });
      expect([outcome.message, outcome.status]).toEqual(["", "succeeded"]);
      expect(texts()).toContain("again");
      expect(await leftoversOf(job)).toEqual([]);
    });

    test("names a missing sidecar in its log, and continues without it", async () => {
      const { job } = left.lacking;
      const sidecar = await containerOf(job, -2);
      await engine.docker.getContainer(sidecar?.Id ?? "").remove({ force: true });
      const { outcome, texts } = await takeUp(job);
      expect(outcome.message).toBe('step "step-1" ended with exit code 5; sidecar "gone" was gone when this attempt took over');
      expect(texts("system").join("\n")).toContain("it was gone when this attempt took over the steps");
      expect(await leftoversOf(job)).toEqual([]);
    });

    test("has a step that ended meanwhile judged by its exit code and its whole output", async () => {
      const { job } = left.ended;
      await create("/task/work/go", await containerOf(job, 0));
      await until(async () => (await containerOf(job, 0)) === undefined, "the step ends by itself");
      const { outcome, texts } = await run(bench, { ...job, attempt: 2, lostAttempts: 1 });
      expect(outcome).toMatchObject({ status: "failed", reason: "ExitCode", exitCode: 7 });
      expect(texts()).toEqual(["ready", "done"]);
      expect(await leftoversOf(job)).toEqual([]);
    });

    test("has its work removed if the next attempt does not continue it", async () => {
      const { job } = left.unwanted;
      expect(await leftoversOf(job)).toHaveLength(2);
      const { outcome, texts } = await run(bench, { ...makeJob("echo again"), taskRunId: job.taskRunId, attempt: 2, lostAttempts: 0 });
      expect([outcome.status, texts()]).toEqual(["succeeded", ["again"]]);
      expect(await leftoversOf(job)).toEqual([]);
    });

    // The last one: whatever a test before it has left would be removed here, too.
    test("has its containers removed when no attempt takes them over for a long time; those of a live worker stay", async () => {
      expect(await bench.leftovers()).toEqual([]);
      const dead = await startWorker([{ says: "ready", job: makeJob("echo ready; sleep 1000", { network: "outbound", timeoutMs }) }]);
      const alive = await startWorker([{ says: "ready", job: makeJob("echo ready; sleep 1000", { timeoutMs }) }]);
      await kill(dead);
      const impatient = await openContainerBench(engine, { adoptionMs });
      await until(async () => {
        await impatient.executor.look();
        return (await containers()).length === 1;
      }, "the container of the dead worker is removed");
      expect(await impatient.leftovers()).toHaveLength(2);
      expect(alive.exitCode).toBe(null);
      await kill(alive);
      await until(async () => {
        await impatient.executor.look();
        return (await impatient.leftovers()).length === 0;
      }, "the other one is removed as well");
      await impatient.close();
    });
  });
}
