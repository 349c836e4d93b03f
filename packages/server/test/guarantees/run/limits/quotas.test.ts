import { describe, expect, onTestFinished, test } from "vitest";
import { purgeDeletedWorkflows } from "../../../../src/domain/workflow/delete-workflow.ts";
import { jobWorkspaces } from "../../../../src/engine/job-workspaces.ts";
import { listJobRuns } from "../../../../src/store/run/job-inputs.ts";
import { leaveEndOfMonth, moveTime } from "../../../kit/database.ts";
import { params, runKit, taskOf } from "../../../kit/run-kit.ts";
import { node, workflow } from "../../../kit/run-simulator.ts";

/** The quotas of a team, from outside: they hold when many requests arrive at once, and nothing returns what was used. */
const { app, kit, team } = await runKit();
const admin = app.as();
const pure = workflow(node("a", "setwfproperty", ["start"], params({ output: "a", value: "1" })));
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();
const times = (count: number, what: (at: number) => Promise<{ status: number }>) =>
  Promise.all(Array.from({ length: count }, (_, at) => what(at)));

describe("the quota of workflows", () => {
  test("holds under twenty concurrent creations, applies, canvases and duplicates", async () => {
    const made = await team();
    await admin.patch(made.path, { quotas: { maxWorkflowCount: 6 } });
    expect((await admin.post(`${made.path}/workflow`, { name: "first" })).status).toBe(200);
    const canvas = (await admin.get(`${made.path}/workflow/first/compose`)).body;
    const ways = [
      (at: number) => admin.post(`${made.path}/workflow`, { name: `w${at}` }),
      (at: number) => admin.put(`${made.path}/workflow`, { name: `w${at}` }),
      () => admin.post(`${made.path}/workflow/first/duplicate`),
      (at: number) => admin.put(`${made.path}/workflow/c${at}/compose`, { ...canvas, id: undefined, name: `c${at}` }),
    ];
    const answers = await times(20, (at) => ways[at % ways.length]!(at));
    expect(statuses(answers).filter((status) => status === 200)).toHaveLength(5);
    expect(statuses(answers).filter((status) => status === 429)).toHaveLength(15);
    expect((await admin.get(made.path)).body.quotas).toMatchObject({ maxWorkflowCount: 6, currentWorkflowCount: 6 });
    const refused = await admin.post(`${made.path}/workflow`, { name: "one-more" });
    expect(refused.body).toMatchObject({
      code: 1020,
      reason: "QUOTA_EXCEEDED",
      message: expect.stringMatching(/maxWorkflowCount.*6 of 6 workflows/),
    });
    expect((await admin.put(`${made.path}/workflow`, { name: "first", description: "a version more" })).status).toBe(200);
    await admin.delete(`${made.path}/workflow/first`);
    expect((await admin.post(`${made.path}/workflow`, { name: "one-more" })).status).toBe(200);
  });
});

describe("the quota of concurrent runs", () => {
  const holds = workflow(node("hold", "script", ["start"], params({ script: "true" })));

  test("holds under twenty concurrent starts, starts of queued runs, and the engine", async () => {
    const made = await team({ maxConcurrentRuns: 3 });
    await made.workflow("holds", holds);
    const queued = await Promise.all(Array.from({ length: 6 }, () => made.submit("holds", {}, "")));
    const answers = await times(20, (at) =>
      at < 6
        ? admin.put(`${made.path}/workflowrun/${queued[at]!.id}/start`, {})
        : admin.post(`${made.path}/workflow/holds/submit?start=true`, {}),
    );
    expect(statuses(answers).filter((status) => status === 200)).toHaveLength(3);
    expect(statuses(answers).filter((status) => status === 429)).toHaveLength(17);
    await kit.settle();
    expect((await admin.get(made.path)).body.quotas).toMatchObject({ maxConcurrentRuns: 3, currentConcurrentRuns: 3 });
    expect(answers.find(({ status }) => status === 429)).toMatchObject({
      body: { message: expect.stringContaining("of 3 runs at a time") },
    });
  });

  test("is taken by the child run, not by the run that waits for it", async () => {
    const made = await team({ maxConcurrentRuns: 1 });
    await made.workflow("holds", holds);
    await made.workflow("parent", workflow(node("call", "runworkflow", ["start"], params({ workflowRef: "holds", wait: true }))));
    await made.submit("parent");
    await kit.settle();
    expect((await admin.get(made.path)).body.quotas).toMatchObject({ currentConcurrentRuns: 1, currentWaitingRuns: 1, currentRuns: 2 });
    expect((await admin.post(`${made.path}/workflow/holds/submit?start=true`, {})).status).toBe(429);
  });
});

describe("the quota of runs a month", () => {
  test("is not freed by deleting and purging the workflow", async () => {
    const hours = 2 * 3600 * 1000;
    const start = await leaveEndOfMonth(app.sql, 2 * hours);
    onTestFinished(() => moveTime(app.sql, -start - hours));
    const made = await team({ maxWorkflowRunMonthly: 3 });
    await admin.patch(made.path, { quotas: { maxWorkflowRunMonthly: 3 } });
    await made.workflow("pure", pure);
    await made.workflow("other", pure);
    for (const _ of [1, 2]) await made.submit("pure");
    await admin.delete(`${made.path}/workflow/pure`);
    await moveTime(app.sql, hours);
    await purgeDeletedWorkflows(app.sql, 100);
    expect((await admin.get(made.path)).body.quotas).toMatchObject({ currentRuns: 2, currentRunTotalDuration: expect.any(Number) });
    expect((await admin.post(`${made.path}/workflow/other/submit`, {})).status).toBe(200);
    expect((await admin.post(`${made.path}/workflow/other/submit`, {})).status).toBe(429);
  });
});

describe("the quotas of storage", () => {
  const sized = (type: string, size?: string) => [{ name: type, type, spec: { ...(size && { size }) } }];

  test("refuse a larger workspace when the workflow is saved, and when a run is submitted", async () => {
    const made = await team();
    await admin.patch(made.path, { quotas: { maxWorkflowStorage: 3, maxWorkflowRunStorage: 4 } });
    const save = (name: string, workspaces: object[]) => admin.put(`${made.path}/workflow`, { name, workspaces });
    expect((await save("fits", sized("workflow", "3Gi"))).status).toBe(200);
    for (const [type, size, message] of [
      ["workflow", "3073Mi", /maxWorkflowStorage.*3073Mi of 3 Gi/],
      ["workflowrun", "5", /maxWorkflowRunStorage.*5 of 4 Gi/],
    ] as const) {
      const refusal = { status: 429, body: { code: 1020, reason: "QUOTA_EXCEEDED", message: expect.stringMatching(message) } };
      expect(await save("large", sized(type, size))).toMatchObject(refusal);
      expect(await admin.post(`${made.path}/workflow/fits/submit`, { workspaces: sized(type, size) })).toMatchObject(refusal);
    }
    expect(await admin.post(`${made.path}/workflow/fits/submit`, { workspaces: sized("workflow", "huge") })).toMatchObject({
      status: 400,
      body: { reason: "WORKFLOWRUN_INVALID_REQUIREMENT" },
    });
    const { id } = await made.submit("fits", {}, "");
    expect(await admin.put(`${made.path}/workflowrun/${id}/start`, { workspaces: sized("workflow", "4Gi") })).toMatchObject({
      status: 429,
    });
    await admin.patch(made.path, { quotas: { maxWorkflowStorage: 1 } });
    expect(await admin.post(`${made.path}/workflow/fits/submit`, {})).toMatchObject({ status: 429, body: { reason: "QUOTA_EXCEEDED" } });
    expect((await admin.put(`${made.path}/workflowrun/${id}/start`, {})).status).toBe(200);
  });

  test("limit the growth of a workspace, as they were when the run was submitted", async () => {
    const made = await team();
    await admin.patch(made.path, { quotas: { maxWorkflowStorage: 1, maxWorkflowRunStorage: 5 } });
    await admin.put(`${made.path}/workflow`, { name: "w", workspaces: [...sized("workflow"), ...sized("workflowrun", "5Gi")] });
    const settings = await app.context.settings.load(app.sql);
    const limits = async (runId: string) => {
      const [run] = await listJobRuns(app.sql, [{ teamId: made.id, runId }]);
      return jobWorkspaces("/data", run!, { workspaces: [] } as never, settings).map(({ sizeLimitBytes }) => sizeLimitBytes / 2 ** 30);
    };
    const { id } = await made.submit("w");
    await admin.patch(made.path, { quotas: { maxWorkflowRunStorage: 4 } });
    expect(await limits(id)).toEqual([1, 5]);
    const again = await admin.put(`${made.path}/workflowrun/${id}/retry`);
    expect(await limits(again.body.id)).toEqual([1, 4]);
  });
});

test("a task that a quota stops says which one", async () => {
  const made = await team({ maxWorkflowRunMonthly: 1 });
  await made.workflow("pure", pure);
  await made.workflow("parent", workflow(node("call", "runworkflow", ["start"], params({ workflowRef: "pure", wait: true }))));
  const { id } = await made.submit("parent");
  expect(taskOf(await made.run(id), "call").statusMessage).toContain("maxWorkflowRunMonthly");
});
