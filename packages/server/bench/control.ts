import type { BenchContext } from "./bench-context.ts";
import { BenchClient } from "./client.ts";
import { cpuSeconds } from "./processes.ts";
import type { Measurement } from "./report.ts";
import { median, repeat, timeMs } from "./statistics.ts";
import { chain } from "./workflows.ts";

/**
 * Requests that an author waits for: a test of a workflow, the plan of a rerun, a preview, and a bulk action that is accepted. One after
 * the other, over HTTP: the time until the response, and the processor time of the service with its database, which is the same on a busy
 * machine.
 */
export async function measureControl(context: BenchContext): Promise<Measurement[]> {
  const client = new BenchClient(context.service.url, [context.service.token], "control");
  await client.prepareTeam();
  const times = context.isQuick ? 20 : 100;
  return [
    ...(await measureTest(context, client, times)),
    ...(await measurePlan(context, client, times)),
    ...(await measurePreview(context, client, times)),
    ...(await measureBulk(context, client)),
  ];
}

async function measureTest(context: BenchContext, client: BenchClient, times: number): Promise<Measurement[]> {
  const workflow = chain("script", 50);
  await client.createWorkflow(workflow);
  const mocks = Object.fromEntries(workflow.tasks.map(({ name }) => [name, { results: { out: name } }]));
  const path = `/api/v2/team/${client.team}/workflow/${workflow.name}/test`;
  await client.send("PUT", `${path}/all`, { name: "all", mocks, expect: { status: "succeeded" } });
  return cost(context, "a test of 50 mocked tasks", 50, times, () => client.send("POST", `${path}/run`, {}));
}

/** For a run of 500 tasks, from the middle. */
async function measurePlan(context: BenchContext, client: BenchClient, times: number): Promise<Measurement[]> {
  const workflow = chain("pure", 500);
  await client.createWorkflow(workflow);
  const { id } = await client.waitForEnd(await client.submit(workflow.name, { start: true }));
  const plan = () => client.send("POST", `/api/v2/team/${client.team}/workflowrun/${id}/rerun/plan`, { from: ["step-250"] });
  return cost(context, "a plan for a run of 500 tasks", 100, times, plan);
}

/** For a draft of 500 tasks, with the values of a run. */
async function measurePreview(context: BenchContext, client: BenchClient, times: number): Promise<Measurement[]> {
  const { name, tasks } = chain("pure", 500);
  const run = await client.waitForEnd(await client.submit(name, { start: true }));
  const body = {
    draft: { params: [{ name: "city", type: "text", default: "Oslo" }], tasks },
    ...{ node: "step-500", fromRun: run.id, references: true },
    expressions: Array.from({ length: 50 }, (_, index) => `$(params.city) ${index}`),
  };
  const preview = () => client.send("POST", `/api/v2/team/${client.team}/workflow/${name}/preview`, body);
  return cost(context, "a preview of 50 expressions in a draft of 500 tasks", 100, times, preview);
}

/** Accepted, and then cancelled, so that the reruns do not affect the next measurement. */
async function measureBulk(context: BenchContext, client: BenchClient): Promise<Measurement[]> {
  const runs = context.isQuick ? 1_000 : 10_000;
  const params = [{ name: "status", value: "failed" }];
  const workflow = { name: "fails", tasks: [{ name: "fail", type: "setwfstatus", taskRef: "set-workflow-result-status", params }] };
  await client.createWorkflow(workflow);
  await repeat(runs, 64, () => client.submit(workflow.name, { start: true }));
  const bulk = `/api/v2/team/${client.team}/workflowrun/bulk`;
  const request = { action: "rerun", filter: { workflows: [workflow.name], statuses: ["failed"] }, expected: runs };
  return cost(context, `a bulk rerun of ${runs.toLocaleString("en")} runs, accepted`, 1_000, 1, async () => {
    const { id } = await client.send<{ id: string }>("POST", bulk, request);
    await client.send("DELETE", `${bulk}/${id}/cancel`);
  });
}

/** @param aimMs target for the time until the response, on an idle machine */
async function cost(
  { service }: BenchContext,
  name: string,
  aimMs: number,
  times: number,
  ask: () => Promise<unknown>,
): Promise<Measurement[]> {
  if (times > 1) await repeat(Math.ceil(times / 5), 1, ask);
  const elapsed: number[] = [];
  const before = cpuSeconds(service.pid);
  for (let index = 0; index < times; index++) elapsed.push(await timeMs(ask));
  const after = cpuSeconds(service.pid);
  const spent = ((after.service - before.service + after.others - before.others) * 1000) / times;
  return [
    { name: times > 1 ? `${name}, p50` : name, value: median(elapsed), unit: "ms", aim: { atMost: aimMs } },
    { name: `${name}: processor time of service and database`, value: spent, unit: "ms" },
  ];
}
