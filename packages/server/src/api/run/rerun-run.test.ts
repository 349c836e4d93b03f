import { describe, expect, test } from "vitest";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { claimTaskRuns } from "../../store/worker/workers.ts";

const { app, kit, team, outsider } = await runKit();
const admin = app.as();

/** `first` succeeds, then `second`, then `third`. */
const chain = workflow(
  node("first", "script", ["start"]),
  node("second", "script", [{ from: "first", on: "success" }], params({ input: "$(tasks.first.results.out)" })),
  node("third", "setwfproperty", [{ from: "second", on: "success" }], params({ output: "end", value: "$(tasks.second.results.out)" })),
);

/** A run whose second task has failed. */
async function failed(quotas?: { maxConcurrentRuns?: number }) {
  const made = await team(quotas);
  await made.workflow("chain", chain, { params: [{ name: "city", type: "text", default: "Oslo" }] });
  const { id } = await made.submit("chain", { params: [{ name: "city", value: "Bergen" }], labels: { a: "1" } });
  const worker = await kit.worker();
  await kit.end(await made.claim(worker), { results: [{ name: "out", value: "made once" }] });
  await kit.end(await made.claim(worker), { status: "failed", reason: "ExitCode", message: "Exit code 1" });
  expect((await made.run(id)).status).toBe("failed");
  const again = (mode: "retry" | "rerun", query = "", runId = id) => admin.put(`${made.path}/workflowrun/${runId}/${mode}${query}`);
  return { ...made, id, worker, again };
}

describe("PUT workflowrun/{id}/retry", () => {
  test("makes a new run with the same content that begins at the start, linked to the first original", async () => {
    const { id, path, again, run } = await failed();
    const { status, body } = await again("retry");
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "ready", phase: "pending", retryOf: id, labels: { a: "1", "millrace.dev/retry-of": id } });
    expect(body.annotations).toMatchObject({ "millrace.dev/retry-of": id, "millrace.dev/retry-count": 1 });
    expect(body.params).toEqual([{ name: "city", value: "Bergen" }]);
    expect(body.id).not.toBe(id);
    await kit.settle();
    expect(taskOf(await run(body.id), "first")).toMatchObject({ status: "ready", attempt: 0, results: [] });
    expect((await run(id)).status).toBe("failed");
    await admin.delete(`${path}/workflowrun/${body.id}/cancel`);
    expect((await again("retry", "", body.id)).body).toMatchObject({ retryOf: id });
  });

  test("starts the new run at once when asked to, within the quota", async () => {
    const { again, workflow: make, submit } = await failed({ maxConcurrentRuns: 1 });
    expect((await again("retry", "?start=true")).body).toMatchObject({ status: "running" });
    await make("waits", workflow(node("wait", "eventwait", ["start"], params({ topic: "go" }))));
    expect((await submit("waits", {}, "")).status).toBe("ready");
    expect(await again("retry", "?start=true")).toMatchObject({ status: 429, body: { reason: "QUOTA_EXCEEDED" } });
  });

  test("is refused for an archived workflow", async () => {
    const { again, path } = await failed();
    await admin.put(`${path}/workflow/chain/archive`);
    const refused = { status: 409, body: { reason: "WORKFLOW_ARCHIVED" } };
    expect(await again("retry")).toMatchObject(refused);
    expect(await again("rerun")).toMatchObject(refused);
  });

  test("responds with what a read of the new run returns", async () => {
    const { again, path } = await failed();
    const { waitingFor: _, ...answered } = (await again("retry")).body;
    const { waitingFor: __, ...read } = (await admin.get(`${path}/workflowrun/${answered.id}?withTasks=false`)).body;
    expect(answered).toEqual(read);
  });
});

describe("PUT workflowrun/{id}/rerun", () => {
  test("reuses what succeeded, with its results, and runs the rest", async () => {
    const { again, run, worker, claim } = await failed();
    const { body } = await again("rerun", "?start=true");
    const begun = await run(body.id);
    expect(taskOf(begun, "first")).toMatchObject({ status: "succeeded", results: [{ name: "out", value: "made once" }] });
    expect(taskOf(begun, "second")).toMatchObject({
      status: "ready",
      params: expect.arrayContaining([{ name: "input", value: "made once" }]),
    });
    await kit.end(await claim(worker), { results: [{ name: "out", value: "done" }] });
    expect(await run(body.id)).toMatchObject({ status: "succeeded", results: [{ name: "end", value: "done" }] });
  });

  test("runs a task again whose files are gone with the workspace of its run, unless nothing is left that could need them", async () => {
    const made = await team();
    const shares = (type: string) => ({ workspaces: [{ name: type, type }] });
    const worker = await kit.worker({ place: { id: "here", host: "mill-1", path: "/w" } });
    const claim = async () => (await claimTaskRuns(app.sql, worker, 1, ["process"], [], 0, ["here"]))[0]!;
    const rerunOf = async (name: string) => {
      const { id } = await made.submit(name);
      await kit.end(await claim(), { results: [{ name: "out", value: "made once" }] });
      await kit.end(await claim(), { status: "failed", reason: "ExitCode", message: "Exit code 1" });
      const { body } = await admin.put(`${made.path}/workflowrun/${id}/rerun?start=true`);
      const rerun = await made.run(body.id);
      await admin.delete(`${made.path}/workflowrun/${body.id}/cancel`);
      return taskOf(rerun, "first").status;
    };
    await made.workflow("of-run", chain, shares("workflowrun"));
    await made.workflow("of-workflow", chain, shares("workflow"));
    expect(await rerunOf("of-run")).toBe("ready");
    expect(await rerunOf("of-workflow")).toBe("succeeded");
    const asks = workflow(node("first", "script", ["start"]), node("ask", "approval", ["first"]));
    await made.workflow("asks", asks, shares("workflowrun"));
    const { id } = await made.submit("asks");
    await kit.end(await claim());
    await admin.delete(`${made.path}/workflowrun/${id}/cancel`);
    const { body } = await admin.put(`${made.path}/workflowrun/${id}/rerun?start=true`);
    expect(taskOf(await made.run(body.id), "first").status).toBe("succeeded");
  });

  test("answers 409 for a run that succeeded: there is nothing to do again", async () => {
    const { again, worker, claim } = await failed();
    const { body } = await again("rerun", "?start=true");
    await kit.end(await claim(worker), { results: [{ name: "out", value: "done" }] });
    expect(await again("rerun", "", body.id)).toMatchObject({ status: 409, body: { code: 1304 } });
    expect((await again("retry", "", body.id)).status).toBe(200);
  });
});

describe("PUT workflowrun/{id}/rerun of a run that was stopped", () => {
  const everything = ["first", "second", "third"];

  test("runs every task of a run that was cancelled while it was queued", async () => {
    const made = await team();
    await made.workflow("chain", chain);
    const { id } = await made.submit("chain", {}, "");
    await admin.delete(`${made.path}/workflowrun/${id}/cancel`);
    const stopped = await made.run(id);
    expect(everything.map((name) => taskOf(stopped, name).status)).toEqual(["skipped", "skipped", "skipped"]);
    const { body } = await admin.put(`${made.path}/workflowrun/${id}/rerun?start=true`);
    const worker = await kit.worker();
    for (const _ of ["first", "second"]) await kit.end(await made.claim(worker), { results: [{ name: "out", value: "new" }] });
    const rerun = await made.run(body.id);
    expect(rerun).toMatchObject({ status: "succeeded", results: [{ name: "end", value: "new" }] });
    expect(everything.map((name) => taskOf(rerun, name).status)).toEqual(["succeeded", "succeeded", "succeeded"]);
  });

  test("keeps what succeeded and what a condition skipped, and runs what was cancelled or skipped with the run", async () => {
    const made = await team();
    const branches = workflow(
      node("first", "script", ["start"]),
      node("repair", "script", [{ from: "first", on: "failure" }]),
      node("second", "script", [{ from: "first", on: "success" }]),
      node("third", "script", [{ from: "second", on: "success" }]),
    );
    await made.workflow("branches", branches);
    const { id } = await made.submit("branches");
    const worker = await kit.worker();
    await kit.end(await made.claim(worker));
    await made.claim(worker);
    await admin.delete(`${made.path}/workflowrun/${id}/cancel`);
    const statuses = async (runId: string) => {
      const run = await made.run(runId);
      return Object.fromEntries(["first", "repair", "second", "third"].map((name) => [name, taskOf(run, name).status]));
    };
    expect(await statuses(id)).toEqual({ first: "succeeded", repair: "skipped", second: "cancelled", third: "skipped" });
    const { body } = await admin.put(`${made.path}/workflowrun/${id}/rerun?start=true`);
    expect(await statuses(body.id)).toEqual({ first: "succeeded", repair: "skipped", second: "ready", third: "notstarted" });
  });

  test("answers 409 when nothing would run", async () => {
    const made = await team();
    await made.workflow("verdict", workflow(node("a", "setwfstatus", ["start"], params({ status: "failed" }))));
    const { id } = await made.submit("verdict");
    expect((await made.run(id)).status).toBe("failed");
    const path = `${made.path}/workflowrun/${id}`;
    expect(await admin.put(`${path}/rerun`)).toMatchObject({ status: 409, body: { reason: "WORKFLOWRUN_NOTHING_TO_RERUN" } });
    expect((await admin.put(`${path}/retry`)).status).toBe(200);
  });
});

describe("retry and rerun", () => {
  test.each(["retry", "rerun"] as const)("%s answers 409 while the run is not over", async (mode) => {
    const { again, workflow: make, submit } = await failed();
    await make("waits", workflow(node("wait", "eventwait", ["start"], params({ topic: "go" }))));
    const { id } = await submit("waits");
    expect(await again(mode, "", id)).toMatchObject({ status: 409, body: { reason: "WORKFLOWRUN_INVALID_PHASE" } });
    const { id: queued } = await submit("waits", {}, "");
    expect((await again(mode, "", queued)).status).toBe(409);
  });

  test.each(["retry", "rerun"] as const)("%s needs the permission to act on runs of the team", async (mode) => {
    const { id, path, member, id: runId, again } = await failed();
    const at = `${path}/workflowrun/${runId}/${mode}`;
    expect((await app.as(null).put(at)).status).toBe(401);
    expect((await (await outsider()).put(at)).status).toBe(404);
    expect((await (await member("reader")).put(at)).status).toBe(403);
    expect((await admin.put(`${(await team()).path}/workflowrun/${id}/${mode}`)).status).toBe(404);
    expect((await again(mode, "?start=x")).status).toBe(400);
    expect((await again(mode, "", "nonsense")).status).toBe(404);
    expect((await (await member("editor")).put(at, { ignored: true })).status).toBe(200);
    await app.sql`update team set status = 'inactive' where id = (select team_id from run where id = ${id})`;
    expect((await again(mode)).status).toBe(423);
  });
});

test("a retried or rerun run has its own ids in its context", async () => {
  const made = await team();
  const names = ["workflowrun-id", "wfe-url", "workflowrun-initiator"];
  const values = params(Object.fromEntries(names.map((name) => [name, `$(context.params.${name})`])));
  await made.workflow(
    "names",
    workflow(node("a", "setwfstatus", ["start"], { params: [...values.params, { name: "status", value: "failed" }] })),
  );
  const first = await made.submit("names");
  const { body } = await admin.put(`${made.path}/workflowrun/${first.id}/retry?start=true`);
  const given = taskOf(await made.run(body.id), "a").params as { name: string; value: string }[];
  const shown = (name: string) => given.find((param) => param.name === name)?.value;
  expect(shown("workflowrun-id")).toBe(body.id);
  expect(shown("wfe-url")).toContain(body.id);
  expect(shown("workflowrun-initiator")).toBe(body.initiatedByRef);
});
