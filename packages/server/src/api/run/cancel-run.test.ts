import { describe, expect, test } from "vitest";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, kit, team, outsider } = await runKit();
const admin = app.as();
const waits = workflow(node("wait", "eventwait", ["start"], params({ topic: "go" })), node("after", "script", ["wait"]));

describe("DELETE workflowrun/{id}/cancel", () => {
  test("ends the run, its open task runs and its actions, and answers it so", async () => {
    const { id: teamId, path, workflow: make, submit, claim: take } = await team();
    await make(
      "mixed",
      workflow(node("approve", "approval", ["start"]), node("work", "script", ["start"]), node("later", "script", ["approve"])),
    );
    const { id } = await submit("mixed");
    const claim = await take(await kit.worker());
    const ended: string[] = [];
    const stop = app.bus.onWake("attempts", (ids) => ended.push(...(ids ?? [])));
    const { status, body } = await admin.delete(`${path}/workflowrun/${id}/cancel`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "cancelled",
      phase: "completed",
      reason: "Cancelled",
      statusMessage: "Cancelled by admin token",
      awaitingApproval: false,
    });
    expect(taskOf(body, "approve")).toMatchObject({ status: "cancelled", statusMessage: "Cancelled by admin token" });
    expect(taskOf(body, "work")).toMatchObject({ status: "cancelled", attempts: [{ attempt: 1, status: "cancelled" }] });
    expect(taskOf(body, "later").status).toBe("skipped");
    const [action] = await app.sql`select status from action where team_id = ${teamId}`;
    expect(action?.["status"]).toBe("cancelled");
    await new Promise(setImmediate);
    expect(ended).toEqual([claim.id]);
    stop();
    await kit.end(claim);
    expect((await admin.get(`${path}/workflowrun/${id}`)).body.status).toBe("cancelled");
  });

  test("reaches a run that still waits in the queue", async () => {
    const { path, workflow: make, submit } = await team();
    await make("waits", waits);
    const { id } = await submit("waits", {}, "");
    expect((await admin.delete(`${path}/workflowrun/${id}/cancel`)).body).toMatchObject({ status: "cancelled", duration: 0 });
    await kit.settle();
    expect((await admin.get(`${path}/workflowrun/${id}`)).body.status).toBe("cancelled");
  });

  test("reaches the runs that it waits for", async () => {
    const { path, workflow: make, submit, run } = await team();
    await make("child", waits);
    await make("parent", workflow(node("call", "runworkflow", ["start"], params({ workflowRef: "child", wait: true }))));
    const { id } = await submit("parent");
    const { body: children } = await admin.get(`${path}/workflowrun/query?workflows=child`);
    expect(children.content).toMatchObject([{ status: "running", parentRunRef: id }]);
    await admin.delete(`${path}/workflowrun/${id}/cancel`);
    await kit.settle();
    expect((await run(children.content[0].id)).status).toBe("cancelled");
  });

  test("releases its locks", async () => {
    const { path, workflow: make, submit, run } = await team();
    await make(
      "locks",
      workflow(
        node("lock", "acquirelock", ["start"], params({ key: "deploy" })),
        node("hold", "eventwait", ["lock"], params({ topic: "go" })),
      ),
    );
    const [first, second] = [await submit("locks"), await submit("locks")];
    expect(taskOf(await run(second.id), "lock").status).toBe("waiting");
    await admin.delete(`${path}/workflowrun/${first.id}/cancel`);
    await kit.settle();
    expect(taskOf(await run(second.id), "lock").status).toBe("succeeded");
  });

  test("answers 409 when the run is over, and changes nothing", async () => {
    const { path, workflow: make, submit } = await team();
    await make("sets", workflow(node("set", "setwfproperty", ["start"], params({ output: "a", value: "b" }))));
    const { id } = await submit("sets");
    expect(await admin.delete(`${path}/workflowrun/${id}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 1304, reason: "WORKFLOWRUN_INVALID_PHASE", message: expect.stringContaining("succeeded") },
    });
    expect((await admin.get(`${path}/workflowrun/${id}`)).body.status).toBe("succeeded");
  });

  test("needs the permission to act on runs of the team", async () => {
    const { id: teamId, path, workflow: make, submit, member } = await team();
    await make("waits", waits);
    const { id } = await submit("waits");
    const at = `${path}/workflowrun/${id}/cancel`;
    expect((await app.as(null).delete(at)).status).toBe(401);
    expect((await (await outsider()).delete(at)).status).toBe(404);
    expect((await (await member("reader")).delete(at)).status).toBe(403);
    expect((await admin.delete(`${(await team()).path}/workflowrun/${id}/cancel`)).status).toBe(404);
    expect((await admin.delete(`${path}/workflowrun/nonsense/cancel`)).status).toBe(404);
    const editor = await member("editor");
    expect((await editor.delete(at)).body.statusMessage).toBe(`Cancelled by ${editor.email.split("@")[0]}`);
    const [record] =
      await app.sql`select object_kind, object_id, action from audit where team_id = ${teamId} and object_id = ${id} order by id desc limit 1`;
    expect(record).toMatchObject({ object_kind: "workflowrun", action: "workflowrun/action" });
  });
});
