import { describe, expect, test } from "vitest";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, kit, team, outsider } = await runKit();
const admin = app.as();
const waits = workflow(node("wait", "eventwait", ["start"], params({ topic: "go" })));

describe("GET workflowrun/{id}", () => {
  test("warns where parameters of a script share an environment variable", async () => {
    const { workflow: make, submit, run } = await team();
    await make("shared", workflow(node("work", "script", ["start"], params({ script: "true", "a-b": "1", a_b: "2" }))));
    const { id } = await submit("shared");
    expect(taskOf(await run(id), "work").warnings).toEqual([
      {
        code: "SHARED_VARIABLE",
        reference: "PARAM_A_B",
        why: expect.stringContaining('"a-b" and "a_b" share this variable; it has the value of "a_b"'),
      },
    ]);
  });

  test("shows the run with its task runs, their attempts and results", async () => {
    const { id, workflow: make, submit, run, claim } = await team();
    await make(
      "works",
      workflow(node("work", "script", ["start"], { ...params({ script: "exit 3" }), retry: { count: 1, backoffMs: 0 } })),
    );
    const { id: runId } = await submit("works");
    const worker = await kit.worker({ host: "mill" });
    const first = await claim(worker);
    expect(taskOf(await run(runId), "work")).toMatchObject({ status: "running", phase: "running", agentRef: worker, attempt: 1 });
    await kit.end(first, {
      status: "failed",
      reason: "ExitCode",
      message: "Exit code 3",
      exitCode: 3,
      results: [{ name: "partial", value: 1 }],
    });
    await app.sql`update task_run set due_at = db_now() where team_id = ${id} and wait_kind = 'retry'`;
    await kit.settle();
    await kit.end(await claim(worker), { results: [{ name: "answer", value: { deep: [42] } }] });
    const over = await run(runId);
    expect(over).toMatchObject({
      id: runId,
      status: "succeeded",
      phase: "completed",
      workflowName: "works",
      ...{ initiatedByRef: "admin", initiatedByType: "token", initiatedByName: "admin token" },
    });
    expect(taskOf(over, "work")).toMatchObject({
      status: "succeeded",
      attempt: 2,
      results: [{ name: "answer", value: { deep: [42] } }],
      taskName: "kit-script",
      workflowRunRef: runId,
      attempts: [
        { attempt: 1, status: "failed", reason: "ExitCode", exitCode: 3, statusMessage: "Exit code 3" },
        { attempt: 2, status: "succeeded" },
      ],
    });
    expect(over.tasks.map(({ name }: { name: string }) => name)).toEqual(["start", "work", "end"]);
  });

  test("leaves the task runs out when they are not wanted", async () => {
    const { path, workflow: make, submit } = await team();
    await make("waits", waits);
    const { id } = await submit("waits");
    const { body } = await admin.get(`${path}/workflowrun/${id}?withTasks=false`);
    expect(body).toMatchObject({ id, status: "running" });
    expect(body.tasks).toBeUndefined();
    expect((await admin.get(`${path}/workflowrun/${id}?withTasks=maybe`)).status).toBe(400);
  });

  test("does not find runs of other teams or deleted workflows, and refuses a text that is not an id", async () => {
    const { id: teamId, path, workflow: make, submit } = await team();
    const other = await team();
    await make("sets", workflow(node("set", "setwfproperty", ["start"], params({ output: "a", value: "b" }))));
    const { id } = await submit("sets");
    const unknown = { status: 404, body: { code: 1301, reason: "WORKFLOWRUN_INVALID_REFERENCE" } };
    expect(await admin.get(`${other.path}/workflowrun/${id}`)).toMatchObject(unknown);
    expect(await admin.get(`${path}/workflowrun/${teamId}`)).toMatchObject(unknown);
    expect(await admin.get(`${path}/workflowrun/nonsense`)).toMatchObject(unknown);
    expect((await admin.get(`${path}/workflowrun/${id.toUpperCase()}`)).status).toBe(200);
    await app.sql`update workflow set deleted_at = db_now() where team_id = ${teamId}`;
    expect(await admin.get(`${path}/workflowrun/${id}`)).toMatchObject(unknown);
  });

  test("needs the permission to read runs; a workflow token sees only runs of its workflow", async () => {
    const { id: teamId, path, workflow: make, submit, member } = await team();
    await make("waits", waits);
    const own = await make("own", waits);
    const [run, ownRun] = [await submit("waits"), await submit("own")];
    const at = `${path}/workflowrun/${run.id}`;
    expect((await app.as(null).get(at)).status).toBe(401);
    expect((await (await outsider()).get(at)).status).toBe(404);
    expect((await (await member("reader")).get(at)).status).toBe(200);
    const blind = app.as(await app.make.teamToken(teamId, ["workflow/read"]));
    expect(await blind.get(at)).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED" } });
    const token = app.as(await app.make.workflowToken(teamId, own));
    expect((await token.get(`${path}/workflowrun/${ownRun.id}`)).status).toBe(200);
    expect((await token.get(at)).status).toBe(404);
  });
});
