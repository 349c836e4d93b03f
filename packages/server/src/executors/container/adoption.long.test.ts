import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildProgram } from "../../../test/kit/build-program.ts";
import { type ContainerBench, openContainerBench } from "../../../test/kit/container/container-bench.ts";
import { openContainerTier } from "../../../test/kit/container/container-tier.ts";
import { until } from "../../../test/kit/until.ts";
import type { Job } from "../../engine/executor.ts";
import { makeJob, run } from "../exercise/scenario.ts";

/** What a killed worker leaves behind, and which worker takes it over. */
const adoptionMs = 1;
let program: string;
beforeAll(async () => {
  program = await buildProgram(fileURLToPath(new URL("../../../test/processes/container-program.ts", import.meta.url)), [
    "dockerode",
    "tar-stream",
  ]);
});
afterAll(() => rm(program));

for (const kind of ["docker", "podman"] as const) {
  const tier = await openContainerTier(kind);
  const { engine } = tier;
  let bench: ContainerBench;
  const workers: ChildProcess[] = [];

  /** Starts a separate worker with the job, and waits until its output contains the text. */
  const startWorker = async (job: Job, text: string): Promise<ChildProcess> => {
    const input = JSON.stringify(bench.adapt(job));
    const child = spawn(process.execPath, [program, `unix://${engine.socketPath}`, bench.scratchDir, input], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    workers.push(child);
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
    await until(() => {
      if (child.exitCode !== null) throw new Error(`it ended: ${output}`);
      return output.includes(text);
    }, `the worker's job says ${text}`);
    return child;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  const containers = async (): Promise<string[]> => (await engine.docker.listContainers({ all: true })).map(({ Names }) => Names.join());

  tier.describe(`a worker with ${kind} that was killed`, () => {
    beforeEach(async () => {
      bench = await openContainerBench(engine);
    });
    afterEach(async () => {
      for (const child of workers.splice(0)) if (child.exitCode === null && child.signalCode === null) await kill(child);
      await bench.close();
    });

    test("has its task taken up by the next attempt, at the step where it was, with all of its output", async () => {
      const steps = [
        { script: "echo first; echo kept > kept" },
        { script: 'seq 1 10000; while ! test -e go; do sleep 0.05; done; echo "then $(cat kept)"; printf r > "$RESULTS_PATH/r"' },
        { script: 'echo "last $(cat "$RESULTS_PATH/r")"' },
      ];
      const job = makeJob(steps, { results: [{ name: "r" }], workspaces: [] });
      await kill(await startWorker(job, "10000"));
      expect(await containers()).toHaveLength(1);
      await bench.executor.look();
      expect(await containers()).toHaveLength(1);
      // As an older version leaves it.
      const attempts = join(bench.scratchDir, "containers/attempts");
      for (const name of await readdir(attempts)) await rm(join(attempts, name, "writable/termination"));

      const next = { ...job, attempt: 2, lostAttempts: 1 };
      // The step waits for a file that only the step itself could create: a worker that takes it over finds it still running.
      const [id] = (await engine.docker.listContainers()).map(({ Id }) => Id);
      const release = await engine.docker.getContainer(id ?? "").exec({ Cmd: ["touch", "/task/work/go"] });
      const finished = run(bench, next);
      await release.start({ Detach: true });
      const { outcome, texts } = await finished;
      expect(outcome).toMatchObject({ status: "succeeded", message: "", results: [{ name: "r", value: "r" }] });
      expect(texts()).toEqual([...Array.from({ length: 10000 }, (_, index) => String(index + 1)), "then kept", "last r"]);
      expect(texts("system")[0]).toContain("attempt 1 was lost with its worker");
      expect(await bench.leftovers()).toEqual([]);
    });

    test("has its volumes and the files of its output taken up, whole, and nothing of them stays", async () => {
      const volumes = [
        { name: "cache", scratch: { inMemory: false } },
        { name: "keys", files: [{ path: "token", text: "the token", mode: 0o400 }] },
      ];
      const mounts = [
        { volume: "cache", path: "/cache", readOnly: false },
        { volume: "keys", path: "/keys", readOnly: true },
      ];
      const steps = [
        { mounts, script: "head -c 3000000 /dev/zero | tr '\\0' x > /cache/data" },
        { mounts, outputFiles: { stdout: "said" }, script: "echo before; while ! test -e go; do sleep 0.05; done; echo after" },
        { mounts, script: 'echo "$(wc -c < /cache/data) $(cat /keys/token) $(cat said | tr "\\n" " ")"' },
      ];
      const job = makeJob(steps, { volumes });
      await kill(await startWorker(job, "before"));
      const [id] = (await engine.docker.listContainers()).map(({ Id }) => Id);
      const release = await engine.docker.getContainer(id ?? "").exec({ Cmd: ["touch", "/task/work/go"] });
      const finished = run(bench, { ...job, attempt: 2, lostAttempts: 1 });
      await release.start({ Detach: true });
      const { outcome, texts } = await finished;
      expect(outcome).toMatchObject({ status: "succeeded", message: "" });
      expect(texts()).toEqual(["before", "after", "3000000 the token before after "]);
      expect(await bench.leftovers()).toEqual([]);
    });

    test("has its network outbound taken up with it: the same filter holds for the steps that follow", async () => {
      const interfaces = "cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d ' ' | sort | tr '\\n' ' '";
      const steps = [{ script: "echo ready; while ! test -e go; do sleep 0.05; done" }, { script: `echo "$(${interfaces})"` }];
      const job = makeJob(steps, { network: "outbound" });
      await kill(await startWorker(job, "ready"));
      const [holder] = await engine.docker.listContainers({ filters: { label: ["dev.millrace.step=-1"] } });
      const [step] = await engine.docker.listContainers({ filters: { label: ["dev.millrace.step=0"] } });
      const release = await engine.docker.getContainer(step?.Id ?? "").exec({ Cmd: ["touch", "/task/work/go"] });
      const finished = run(bench, { ...job, attempt: 2, lostAttempts: 1 });
      await release.start({ Detach: true });
      const { outcome, texts } = await finished;
      expect(outcome).toMatchObject({ status: "succeeded", message: "" });
      expect(texts().at(-1)).toMatch(/eth0 lo/);
      expect(holder?.State).toBe("running");
      expect(await bench.leftovers()).toEqual([]);
    });

    const web = {
      name: "web",
      script: `exec "$NODE" -e 'require("http").createServer((q, r) => { console.log("asked"); r.end("hello") }).listen(7075, "127.0.0.1", () => console.log("listens"))'`,
      probe: { action: { kind: "tcp", port: 7075 } as const, initialDelayMs: 0, periodMs: 100, timeoutMs: 1000, successes: 1 },
    };
    const ask = `"$NODE" -e 'fetch("http://localhost:7075/").then((r) => r.text()).then(console.log)'`;

    test("has its sidecars taken up with the step that runs: the same ones are reached, and ended after the last step", async () => {
      const steps = [{ script: `${ask}; echo ready; while ! test -e go; do sleep 0.05; done; ${ask}` }, { script: ask }];
      const job = makeJob(steps, { sidecars: [web, { name: "short", script: "while ! test -e /tmp/end; do sleep 0.05; done; exit 3" }] });
      await kill(await startWorker(job, "ready"));
      const sidecars = await engine.docker.listContainers({ all: true, filters: { label: ["dev.millrace.step=-2"] } });
      const [step] = await engine.docker.listContainers({ filters: { label: ["dev.millrace.step=0"] } });
      const release = await engine.docker.getContainer(step?.Id ?? "").exec({ Cmd: ["touch", "/task/work/go"] });
      const [short] = await engine.docker.listContainers({ filters: { label: ["dev.millrace.step=-3"] } });
      const end = await engine.docker.getContainer(short?.Id ?? "").exec({ Cmd: ["touch", "/tmp/end"] });
      const finished = run(bench, { ...job, attempt: 2, lostAttempts: 1 });
      await end.start({ Detach: true });
      await release.start({ Detach: true });
      const { outcome, lines, texts } = await finished;
      expect(outcome).toMatchObject({ status: "succeeded", message: "" });
      const said = (name: string) => lines.filter(({ step, stream }) => step === name && stream !== "system").map(({ text }) => text);
      expect([said("step-1"), said("step-2")]).toEqual([["hello", "ready", "hello"], ["hello"]]);
      expect(said("sidecar-web")).toEqual(["listens", "asked", "asked", "asked"]);
      expect(texts("system").join("\n")).toContain('sidecar "short" ended with exit code 3');
      expect(sidecars).toHaveLength(1);
      expect(await bench.leftovers()).toEqual([]);
    });

    test("has its sidecars removed when no step had begun, and begins again", async () => {
      const late = {
        name: "late",
        script: "echo waited-for; sleep 1000",
        probe: { ...web.probe, action: { kind: "tcp", port: 7076 } as const },
      };
      const job = makeJob("echo again", { sidecars: [late] });
      await kill(await startWorker(job, "waited-for"));
      const { outcome, texts } = await run(bench, { ...job, sidecars: [web], attempt: 2, lostAttempts: 1 });
      expect([outcome.message, outcome.status]).toEqual(["", "succeeded"]);
      expect(texts()).toContain("again");
      expect(await bench.leftovers()).toEqual([]);
    });

    test("names a missing sidecar in its log, and continues without it", async () => {
      const job = makeJob([{ script: "echo ready; sleep 1; exit 5" }], { sidecars: [{ name: "gone", script: "sleep 1000" }] });
      await kill(await startWorker(job, "ready"));
      const [sidecar] = await engine.docker.listContainers({ filters: { label: ["dev.millrace.step=-2"] } });
      await engine.docker.getContainer(sidecar?.Id ?? "").remove({ force: true });
      const { outcome, texts } = await run(bench, { ...job, attempt: 2, lostAttempts: 1 });
      expect(outcome.message).toBe('step "step-1" ended with exit code 5; sidecar "gone" was gone when this attempt took over');
      expect(texts("system").join("\n")).toContain("it was gone when this attempt took over the steps");
      expect(await bench.leftovers()).toEqual([]);
    });

    test("has a step that ended meanwhile judged by its exit code and its whole output", async () => {
      const job = makeJob([{ script: "echo ready; sleep 0.3; echo done; exit 7" }]);
      await kill(await startWorker(job, "ready"));
      await until(async () => (await engine.docker.listContainers()).length === 0, "the step ends by itself");
      const { outcome, texts } = await run(bench, { ...job, attempt: 2, lostAttempts: 1 });
      expect(outcome).toMatchObject({ status: "failed", reason: "ExitCode", exitCode: 7 });
      expect(texts()).toEqual(["ready", "done"]);
      expect(await bench.leftovers()).toEqual([]);
    });

    test("has its work removed if the next attempt does not continue it", async () => {
      const job = makeJob("echo ready; sleep 1000");
      await kill(await startWorker(job, "ready"));
      const { outcome, texts } = await run(bench, { ...makeJob("echo again"), taskRunId: job.taskRunId, attempt: 2, lostAttempts: 0 });
      expect([outcome.status, texts()]).toEqual(["succeeded", ["again"]]);
      expect(await bench.leftovers()).toEqual([]);
    });

    test("has its work removed when nobody has asked for it for long; that of a worker that lives stays", async () => {
      const dead = await startWorker(makeJob("echo ready; sleep 1000", { network: "outbound" }), "ready");
      const alive = await startWorker(makeJob("echo ready; sleep 1000"), "ready");
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
