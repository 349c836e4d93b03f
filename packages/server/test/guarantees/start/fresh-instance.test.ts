import { describe, expect, test } from "vitest";
import { moveTime } from "../../kit/database.ts";
import { params, runKit, taskOf } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { makeTask } from "../../kit/workflow-factories.ts";

/** A team with the default quotas, on an instance with the default settings. */
const { app, kit } = await runKit();
const admin = app.as();
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

async function freshTeam() {
  const { id, name } = await app.make.team();
  const path = `/api/v2/team/${name}`;
  const submit = async (flow: string, query = "?start=true") => (await admin.post(`${path}/workflow/${flow}/submit${query}`, {})).body;
  return { id, path, submit, run: async (run: string) => (await admin.get(`${path}/workflowrun/${run}`)).body };
}

async function later(ms: number, then: () => Promise<unknown>): Promise<void> {
  await moveTime(app.sql, ms);
  await kit.settle();
  await then();
  await moveTime(app.sql, -ms);
}

describe("without a change of a setting", () => {
  test("open approvals do not block a team, however they were started", async () => {
    const { id, submit, run } = await freshTeam();
    await kit.workflow(id, "deploy", workflow(node("ask", "approval", ["start"], params({ numberOfApprovers: 1 }))));
    await kit.workflow(id, "work", workflow(node("a", "script", ["start"], params({ script: "true" }))));
    for (let count = 0; count < 6; count++) expect((await submit("deploy", count % 2 === 0 ? "?start=true" : "")).status).not.toBe(429);
    await kit.settle();
    const started = await submit("work");
    expect(taskOf(await run(started.id), "a").status).toBe("ready");
  });

  test("an approval with a deadline of three days is open until then", async () => {
    const { id, path, submit, run } = await freshTeam();
    await kit.workflow(id, "deploy", workflow(node("ask", "approval", ["start"], params({ numberOfApprovers: 1, deadline: 3 * 24 * 60 }))));
    const { id: runId } = await submit("deploy");
    await later(3 * dayMs - minuteMs, async () => {
      expect(taskOf(await run(runId), "ask").status).toBe("waiting");
      expect((await admin.get(`${path}/action/query?statuses=submitted`)).body.totalElements).toBe(1);
    });
    await later(3 * dayMs + minuteMs, async () => expect(taskOf(await run(runId), "ask").status).toBe("timedout"));
  });

  test("a run sleeps for five days and succeeds", async () => {
    const { id, submit, run } = await freshTeam();
    await kit.workflow(id, "nap", workflow(node("sleep", "sleep", ["start"], params({ duration: String(5 * dayMs) }))));
    const { id: runId } = await submit("nap");
    await later(5 * dayMs - minuteMs, async () => expect((await run(runId)).phase).toBe("running"));
    await later(5 * dayMs + minuteMs, async () => expect((await run(runId)).status).toBe("succeeded"));
  });

  test("a timeout above the limit is a warning with the number, at the save and at the run", async () => {
    const { path, submit, run } = await freshTeam();
    await makeTask(app.sql, { name: "shell" });
    const tasks = [{ name: "a", taskRef: "shell", timeout: 10_000 }];
    const saved = await admin.post(`${path}/workflow`, { name: "long", timeout: 10_000, tasks });
    const expected = [
      { reason: "CUT_BY_LIMIT", path: "/timeout", message: expect.stringMatching(/10000 minutes.*1440 active minutes/) },
      { reason: "CUT_BY_LIMIT", path: "/tasks/0/timeout", node: "a", message: expect.stringContaining("asks for 10000 minutes") },
    ];
    expect(saved).toMatchObject({ status: 200, body: { warnings: expected } });
    expect((await admin.post(`${path}/workflow/validate`, { name: "long", timeout: 10_000, tasks })).body).toMatchObject(expected);
    expect((await run((await submit("long")).id)).warningCount).toBe(2);
  });

  test("a schedule for every minute does not use up the month", async () => {
    const { path } = await freshTeam();
    const { quotas } = (await admin.get(path)).body;
    expect(quotas.maxWorkflowRunMonthly).toBeGreaterThan(31 * 24 * 60);
    expect((await admin.get("/api/v2/team/quotas/default")).body.maxWorkflowRunMonthly).toBe(1_000_000_000);
  });
});
