import { describe, expect, test } from "vitest";
import { moveTime } from "../../../kit/database.ts";
import { params, runKit, type TestTeam, taskOf } from "../../../kit/run-kit.ts";
import { node, workflow } from "../../../kit/run-simulator.ts";

const { app, kit, team } = await runKit();
const admin = app.as();
const pure = workflow(node("a", "setwfproperty", ["start"], params({ output: "a", value: "1" })));

const submit = (made: TestTeam, name: string, query = "") => admin.post(`${made.path}/workflow/${name}/submit${query}`, {});
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

describe("the quota of runs a month", () => {
  test("holds for started and queued runs, and the refusal says when the next month begins", async () => {
    const made = await team({ maxWorkflowRunMonthly: 3 });
    await made.workflow("pure", pure);
    for (const query of ["", "?start=true", ""]) expect(await statusOf(submit(made, "pure", query))).toBe(200);
    for (const query of ["", "?start=true"]) {
      const { status, body, headers } = await submit(made, "pure", query);
      expect([status, body.reason, body.message]).toEqual([429, "QUOTA_EXCEEDED", expect.stringContaining("maxWorkflowRunMonthly")]);
      expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    }
    const month = 32 * 24 * 3600 * 1000;
    await moveTime(app.sql, month);
    expect(await statusOf(submit(made, "pure"))).toBe(200);
    await moveTime(app.sql, -month);
  });

  test("is exact when many are submitted at once", async () => {
    for (const [max, before] of [
      [5, 0],
      [60, 40],
    ] as const) {
      const made = await team({ maxWorkflowRunMonthly: max });
      await made.workflow("pure", pure);
      for (let count = 0; count < before; count++) await submit(made, "pure", "?start=true");
      const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => statusOf(submit(made, "pure", at % 2 ? "?start=true" : ""))));
      expect(answers.filter((status) => status === 200).length).toBe(max - before);
      expect(answers.filter((status) => status === 429).length).toBe(40 - max + before);
    }
  });

  test("counts retries and child runs, too", async () => {
    const made = await team({ maxWorkflowRunMonthly: 3 });
    await made.workflow("pure", pure);
    await made.workflow("parent", workflow(node("call", "runworkflow", ["start"], params({ workflowRef: "pure", wait: true }))));
    const { id } = await made.submit("parent");
    await kit.settle();
    expect(await statusOf(admin.put(`${made.path}/workflowrun/${id}/retry?start=true`, undefined))).toBe(200);
    const retried = (await admin.get(`${made.path}/workflowrun/query?order=DESC&limit=1`)).body.content[0];
    const { status, statusMessage } = taskOf(await made.run(retried.id), "call");
    expect([status, statusMessage]).toEqual(["failed", expect.stringContaining("maxWorkflowRunMonthly")]);
    expect(await statusOf(admin.put(`${made.path}/workflowrun/${id}/retry`, undefined))).toBe(429);
  });
});
