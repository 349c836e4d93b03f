import { readdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type Docker from "dockerode";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ContainerBench, openContainerBench } from "../../../test/kit/container/container-bench.ts";
import { openContainerTier } from "../../../test/kit/container/container-tier.ts";
import { taskImageName } from "../../../test/kit/container/task-image.ts";
import { until } from "../../../test/kit/until.ts";
import { makeJob, run, startUntil } from "../exercise/scenario.ts";
import { openAttemptRoot } from "./attempt-root.ts";
import { openEngineClient } from "./engine/engine-client.ts";
import { readEngineFacts } from "./engine/engine-facts.ts";
import { baseLabels } from "./labels.ts";

/** An engine that is stopped and comes back, at every moment of a task. */
const sign = "/dev/shm/the-engine-is-back";
/**
 * While it runs, the test's container waits for the engine: Docker loses what a container writes just before it ends while Docker is
 * stopped.
 */
const counting = `i=0; while [ $i -lt 60 ]; do echo "line $i"; echo "error $i" >&2; i=$((i+1)); [ $i -ne 30 ] || until [ -e ${sign} ]; do sleep 0.1; done; sleep 0.05; done`;
const written = Array.from({ length: 60 }, (_, index) => [`line ${index}`, `error ${index}`]).flat();
const slow = { lookEveryMs: { engine: 100, leftovers: 60_000 } };

const variants = [
  { name: "docker", kind: "docker", isKept: false },
  { name: "docker with live-restore", kind: "docker", isKept: true },
  { name: "podman", kind: "podman", isKept: true },
] as const;

for (const { name, kind, isKept } of variants) {
  const tier = await openContainerTier(kind, { isLiveRestore: isKept });
  const { engine } = tier;
  let bench: ContainerBench;

  tier.describe(`an engine that is away, ${name}`, () => {
    beforeAll(async () => {
      bench = await openContainerBench(engine, slow);
    });
    afterAll(() => bench?.close());

    test.each(["SIGTERM", "SIGKILL"] as const)(
      "when it was ended by %s in the middle of a step: what it kept goes on without a gap, else that is the reason",
      async (signal) => {
        const { finished } = await startUntil(bench, makeJob([{ name: "count", script: counting }]), "line 10");
        await engine.stopDaemon(signal);
        await engine.startDaemon();
        if (isKept) await giveSign(engine.docker);
        const { outcome, texts } = await finished;
        if (isKept) {
          expect(outcome).toMatchObject({ status: "succeeded", message: "" });
          expect(texts()).toEqual(written);
        } else {
          expect(outcome).toMatchObject({ status: "lost", reason: "ExecutorUnavailable", hasBegun: true });
          expect(outcome.message).toContain('step "count" ended with exit code');
          expect(texts().slice(0, 20)).toEqual(written.slice(0, 20));
        }
        expect(await bench.leftovers()).toEqual([]);
      },
    );

    test("is recognised when it is back, so nothing is probed again; leftovers of an aborted probe are removed later", async () => {
      const client = await openEngineClient(`unix://${engine.socketPath}`);
      const { id } = await readEngineFacts(client);
      await engine.restart();
      expect((await readEngineFacts(client)).id).toBe(id);
      const root = await openAttemptRoot(bench.scratchDir);
      const [owner = ""] = await readdir(join(root.folder, "owners")).then((names) => names.filter((one) => one !== root.owner.name));
      const labels = baseLabels({ instance: root.instance, owner: { name: owner } });
      await engine.docker.createContainer({ name: "cut-off", Image: taskImageName, Cmd: ["true"], Labels: labels });
      expect(await bench.leftovers()).toEqual(["container /cut-off created"]);
      await bench.executor.look();
      expect(await bench.leftovers()).toEqual([]);
      await root.owner.close();
    });

    test("a task that arrives during a short outage starts when the engine is back", async () => {
      await engine.stopDaemon();
      await bench.executor.look();
      expect(bench.executor.describe()).toMatchObject({ available: false });
      const finished = run(bench, makeJob("echo late"));
      await engine.startDaemon();
      const { outcome, texts } = await finished;
      expect([outcome.message, texts()]).toEqual(["", ["late"]]);
      await until(() => bench.executor.describe().available, "it is found again");
    });

    test("a task that waited for too long is lost and says so, and one that is cancelled does not wait", async () => {
      const impatient = await openContainerBench(engine, { ...slow, outageMs: 300 });
      await engine.stopDaemon();
      const { outcome } = await run(impatient, makeJob("true"));
      expect(outcome).toMatchObject({ status: "lost", reason: "ExecutorUnavailable", hasBegun: false });
      expect(outcome.message).toContain(`unix://${engine.socketPath}`);
      const handle = bench.executor.start(bench.adapt(makeJob("true")), () => undefined);
      handle.stop("cancelled", 60_000);
      expect((await handle.done).status).toBe("cancelled");
      await engine.startDaemon();
      await impatient.close();
      await bench.executor.look();
      expect(await bench.leftovers()).toEqual([]);
    });
  });
}

const small = await openContainerTier("docker", { diskBytes: 400 << 20 });
small.describe("an engine whose disk is full", () => {
  test("loses the attempt, is reported with a remedy, gets no more tasks until it has space, and leaves nothing behind", async () => {
    const { engine } = small;
    const bench = await openContainerBench(engine, slow);
    const filler = join(engine.folder, "data", "filler");
    await writeFile(filler, Buffer.alloc(await freeBytes(engine.folder))).catch(() => undefined);
    const { outcome } = await run(bench, makeJob("echo fine"));
    expect(outcome).toMatchObject({ status: "lost", reason: "MachineFault" });
    expect(outcome.message).toContain("the disk of the container engine is full");
    expect(bench.executor.describe()).toMatchObject({ available: false, detail: expect.stringContaining("no space left on device") });
    await bench.executor.look();
    expect(bench.executor.describe().available, "an engine that answers is not one that has room").toBe(false);
    await rm(filler);
    await until(() => bench.executor.describe().available, "it has room again");
    expect(await bench.leftovers()).toEqual([]);
    expect((await run(bench, makeJob("true"))).outcome.status).toBe("succeeded");
    await bench.close();
  });

  test("is not filled by output without end", async () => {
    const bench = await openContainerBench(small.engine);
    const job = makeJob([{ script: "yes | tr -d '\\n'" }]);
    job.limits = { ...job.limits, outputBytes: 1_000_000 };
    const { handle, finished } = await startUntil(bench, job, "OutputLimit");
    const before = await engineLogBytes(small.engine.folder);
    await until(async () => (await engineLogBytes(small.engine.folder)) !== before, "the engine's log goes on");
    // Twice the limit of a file of the log: the full one is removed once the next one exists.
    expect(await engineLogBytes(small.engine.folder)).toBeLessThan(2 * (2 * 1_000_000 + 1_048_576) + 200_000);
    handle.stop("cancelled", 0);
    expect((await finished).outcome.status).toBe("cancelled");
    await bench.leftovers();
    await bench.close();
  });
});

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(join(folder, "data"));
  return bavail * bsize;
}

async function engineLogBytes(folder: string): Promise<number> {
  const root = join(folder, "data", "containers");
  const names = await readdir(root, { recursive: true });
  const sizes = await Promise.all(
    names
      .filter((name) => name.includes("local-logs/"))
      .map((name) =>
        stat(join(root, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const phases = await openContainerTier("docker");
phases.describe("a task in containers", () => {
  test("is cancelled in every phase of a container, and leaves nothing", async () => {
    const { engine } = phases;
    const bench = await openContainerBench(engine);
    const seen = new Set<string>();
    const isThere = async (state: string): Promise<boolean> =>
      (await engine.docker.listContainers({ all: true, filters: { status: [state] } })).length > 0;
    for (const state of ["none", "created", "running", "second"]) {
      const handle = bench.executor.start(bench.adapt(makeJob([{ script: "true" }, { script: "sleep 1000" }])), () => undefined);
      if (state === "second")
        await until(
          async () => (await engine.docker.listContainers({ filters: { label: ["dev.millrace.step=1"] } })).length > 0,
          "the second step",
        );
      else if (state !== "none") await until(() => isThere(state), `a container is ${state}`);
      handle.stop("cancelled", 0);
      const { status, message } = await handle.done;
      expect(status).toBe("cancelled");
      seen.add(message);
      expect(await bench.leftovers()).toEqual([]);
    }
    expect([...seen]).toContain("cancelled before its first step began");
    expect([...seen]).toContain('cancelled while step "step-2" ran');
    await bench.close();
  });

  test("is lost when someone removes its container", async () => {
    const { engine } = phases;
    const bench = await openContainerBench(engine);
    const { finished } = await startUntil(bench, makeJob("echo begun; sleep 1000"), "begun");
    const [found] = await engine.docker.listContainers();
    await engine.docker.getContainer(found?.Id ?? "").remove({ force: true });
    expect((await finished).outcome).toMatchObject({ status: "lost", reason: "ExecutorUnavailable", hasBegun: true });
    await bench.close();
  });

  test("is invalid when neither it nor its image says what runs", async () => {
    const bench = await openContainerBench(phases.engine);
    const { outcome } = await run(bench, makeJob([{ name: "lazy", image: taskImageName }]));
    expect(outcome).toMatchObject({ status: "invalid", reason: "InvalidTask" });
    expect(outcome.message).toContain('step "lazy" has neither a script nor a command');
    await bench.close();
  });
});

async function giveSign(docker: Docker): Promise<void> {
  for (const { Id } of await docker.listContainers()) {
    const touching = await docker.getContainer(Id).exec({ Cmd: ["touch", sign], User: "0" });
    await touching.start({ Detach: true });
  }
}
