import { afterAll, describe, expect, test } from "vitest";
import { loadRun } from "../../../src/api/run/load-run.ts";
import { createProcessExecutor } from "../../../src/executors/process/process-executor.ts";
import { writeSettings } from "../../../src/store/settings/settings.ts";
import { openContainerBench } from "../../kit/container/container-bench.ts";
import { type ContainerEngine, startContainerEngine } from "../../kit/container/container-engine.ts";
import { taskImageName, taskImageOrWhy } from "../../kit/container/task-image.ts";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { type EngineNode, engineNode } from "../../kit/run/engine-node.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { isRequiredTier } from "../../kit/suite/test-tier.ts";
import { until } from "../../kit/until.ts";

/** One worker with a real sandbox and a real container engine: tasks of one workflow run in both. */
const name = "a worker with processes and containers";
const image = await taskImageOrWhy();
const engine = "why" in image ? image : await startContainerEngine("docker");
if (!("why" in engine)) describe(name, () => runBoth(engine));
else if (isRequiredTier("container")) test(name, () => Promise.reject(new Error(engine.why)));
else describe.skip(name, () => test(engine.why, () => undefined));

async function runBoth(docker: ContainerEngine) {
  const { sql, address } = await testDatabase();
  await writeSettings(sql, [{ group: "task", key: "default.image", value: taskImageName }]);
  const kit = engineKit(sql);
  const worker = await startWorker();

  async function startWorker(): Promise<EngineNode> {
    const bench = await openContainerBench(docker, { lookEveryMs: { engine: 100, leftovers: 30_000 } });
    const log = { info: () => undefined, warn: () => undefined };
    const inProcess = await createProcessExecutor({
      scratchDir: `${bench.scratchDir}-processes`,
      allowUnsandboxed: true,
      allowSharedNetwork: true,
      graceMs: 200,
      log,
    });
    const one = engineNode(address, { executor: [inProcess, bench.executor], workspacesDir: bench.workspacesDir });
    await one.start();
    afterAll(async () => {
      await one.stop();
      await inProcess.close();
      await bench.close();
      await docker.close();
    });
    return one;
  }

  const script = (text: string, more = {}) => ({ params: [{ name: "script", value: text }], ...more });
  const here = { "millrace.dev/executor": "process" };
  const taskOf = async (teamId: string, id: string, task: string) =>
    (await loadRun(sql, kit.context, teamId, await kit.run(teamId, id))).tasks?.find((one) => one.name === task);
  const isOver = async (teamId: string, id: string) => (await kit.run(teamId, id)).phase === "completed";

  async function start(nodes: Parameters<typeof kit.workflow>[2], more = {}) {
    const teamId = await kit.team();
    await kit.workflow(teamId, "flow", nodes, more);
    const { id } = await kit.submit(teamId, "flow", more);
    worker.bus.wake("engine");
    return { teamId, id };
  }

  test("runs the tasks of one workflow in both, with results and a workspace between them, and says where each ran", async () => {
    const first = node("first", "script", ["start"], {
      annotations: here,
      ...script('printf Oslo > "$(results.city.path)"; echo from-a-process > "$(workspaces.workflowrun.path)/file"'),
      results: [{ name: "city" }],
    });
    const boxed = node("boxed", "script", [{ from: "first", on: "success" }], {
      ...script(
        'cat "$(workspaces.workflowrun.path)/file" > "$(results.both.path)"; printf "%s" "$(tasks.first.results.city)" >> "$(results.both.path)"',
      ),
      results: [{ name: "both" }],
    });
    const { teamId, id } = await start(workflow(first, boxed), { workspaces: [{ name: "workflowrun", type: "workflowrun" }] });
    await until(() => isOver(teamId, id), "the run");
    expect((await taskOf(teamId, id, "first"))?.attempts).toMatchObject([{ status: "succeeded", executor: "process" }]);
    const task = await taskOf(teamId, id, "boxed");
    expect([task?.statusMessage, task?.results]).toEqual([undefined, [{ name: "both", value: "from-a-process\nOslo" }]]);
    expect(task?.attempts).toMatchObject([
      { executor: "container", unit: expect.any(String), images: [{ image: taskImageName }], waits: { queue: expect.any(Number) } },
    ]);
  });

  test("does not claim tasks that need an unreachable engine, says so, and runs them when the engine is back", async () => {
    await docker.stopDaemon();
    const nodes = workflow(
      node("boxed", "script", ["start"], script("true")),
      node("plain", "script", ["start"], { annotations: here, ...script("true") }),
    );
    await until(
      async () => (await sql`select 1 from worker where not 'container' = any(executors)`).length > 0,
      "the worker's row",
      90_000,
    );
    const { teamId, id } = await start(nodes);
    await until(async () => (await taskOf(teamId, id, "plain"))?.status === "succeeded", "the process");
    const boxed = await taskOf(teamId, id, "boxed");
    expect(boxed).toMatchObject({
      status: "ready",
      attempt: 0,
      waitingFor: expect.stringContaining("is not available on the worker that has it"),
    });
    await docker.startDaemon();
    await until(() => isOver(teamId, id), "the run");
    expect((await taskOf(teamId, id, "boxed"))?.attempts).toMatchObject([{ attempt: 1, status: "succeeded", executor: "container" }]);
  });
}
