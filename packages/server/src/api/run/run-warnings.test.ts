import { describe, expect, test } from "vitest";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, kit, team } = await runKit();
const admin = app.as();
const shell = params({ script: "echo" });

/** The warnings of a run as reads show them. A read without task runs and the list have the same number. */
async function told(path: string, id: string) {
  const run = (await admin.get(`${path}/workflowrun/${id}`)).body;
  const bare = (await admin.get(`${path}/workflowrun/${id}?withTasks=false`)).body;
  const [listed] = (await admin.get(`${path}/workflowrun/query?workflowruns=${id}`)).body.content;
  expect([bare.warningCount, listed.warningCount]).toEqual([run.warningCount, run.warningCount]);
  expect(bare).not.toHaveProperty("warnings");
  expect(run.warnings?.length ?? 0).toBe(run.warningCount);
  return run;
}

describe("a run has warnings, counted in lists:", () => {
  test("nothing when there is nothing to tell", async () => {
    const { path, submit, workflow: make } = await team();
    await make("flow", workflow(node("work", "script", ["start"], shell)));
    expect((await told(path, (await submit("flow")).id)).warningCount).toBe(0);
  });

  test("references that stay as written, and empty results of what did not succeed", async () => {
    const { path, claim, submit, workflow: make } = await team();
    const work = node("work", "script", ["start"], { ...shell, results: [{ name: "x" }], unresolvedReferences: "keep" });
    const last = node("last", "sleep", ["work"], {
      ...params({ duration: "0", one: "$(params.nope)", two: "$(tasks.work.results.x)" }),
      unresolvedReferences: "keep",
    });
    await make("flow", workflow(work, last));
    const { id } = await submit("flow");
    expect((await told(path, id)).warningCount).toBe(0);
    await kit.end(await claim(await kit.worker()), { status: "failed", reason: "ExitCode", message: "Exit code 1" });
    const run = await told(path, id);
    expect(run.warnings).toMatchObject([
      { code: "UNRESOLVED_REFERENCE", task: "last", reference: "$(params.nope)" },
      { code: "UNRESOLVED_REFERENCE", task: "last", why: expect.stringContaining("is empty") },
    ]);
    expect(taskOf(run, "last").warnings).toHaveLength(2);
    // Warnings about reused tasks are repeated.
    const rerun = await admin.put(`${path}/workflowrun/${id}/rerun?start=true`, {});
    expect(rerun.status).toBe(200);
    await told(path, rerun.body.id);
  });

  test("patterns of a switch that were not tried, also after a rerun that keeps the switch", async () => {
    const { path, claim, submit, workflow: make } = await team();
    const choose = node("choose", "decision", ["start"], params({ value: "a".repeat(20_000) }));
    await make(
      "flow",
      workflow(choose, node("work", "script", [{ from: "choose", when: "a+" }], shell), node("else", "script", ["choose"], shell)),
    );
    const { id } = await submit("flow");
    const expected = [{ code: "PATTERN_NOT_TRIED", task: "choose", reference: "value", why: expect.stringContaining("at most 16384") }];
    expect((await told(path, id)).warnings).toMatchObject(expected);
    await kit.end(await claim(await kit.worker()), { status: "failed", reason: "ExitCode", message: "Exit code 1" });
    const rerun = await admin.put(`${path}/workflowrun/${id}/rerun?start=true`, {});
    expect((await told(path, rerun.body.id)).warnings).toMatchObject(expected);
  });

  test("times that a limit cuts, each once however often a task is tried", async () => {
    const { id: teamId, path, claim, submit, workflow: make } = await team();
    await app.sql`update team set max_workflow_run_duration = 60 where id = ${teamId}`;
    const work = node("work", "script", ["start"], { ...shell, timeout: 90, retry: { count: 1, backoffMs: 0 } });
    await make("flow", workflow(work, node("pause", "sleep", ["start"], params({ duration: String(200 * 60_000) }))));
    const { id } = await submit("flow", { timeout: 100 });
    const expected = [
      { code: "CUT_BY_LIMIT", reference: "timeout", why: expect.stringContaining("60 active minutes") },
      { code: "CUT_BY_LIMIT", task: "work", reference: "timeout" },
      { code: "CUT_BY_LIMIT", task: "pause", reference: "duration", why: expect.stringContaining("after 100 minutes") },
    ];
    expect((await told(path, id)).warnings).toMatchObject(expected);
    await kit.end(await claim(await kit.worker()), { status: "failed", reason: "ExitCode", message: "Exit code 1" });
    await kit.settle();
    expect((await told(path, id)).warnings).toMatchObject(expected);
  });

  test("tasks that no worker can run now, as long as that is so", async () => {
    const { path, submit, workflow: make } = await team();
    await app.sql`update worker set lease_until = db_now() - interval '1 minute'`;
    await make("flow", workflow(node("work", "script", ["start"], shell)));
    const { id } = await submit("flow");
    expect((await told(path, id)).warningCount).toBe(0);
    await kit.worker({ executors: ["container"] });
    expect((await told(path, id)).warnings).toMatchObject([
      { code: "NO_EXECUTOR", task: "work", reference: "process", why: 'No running worker has the executor "process"' },
    ]);
    await kit.worker();
    expect((await told(path, id)).warningCount).toBe(0);
  });
});

describe("a default that refers to a deleted parameter", () => {
  /** Saved while the parameter `channel` existed. */
  async function orphaned(value: string, more = {}) {
    const made = await team();
    const declared = [
      { name: "city", type: "text", default: "$(params.channel)" },
      { name: "street", type: "text", default: "1, $(params.city)" },
    ];
    const work = node("work", "sleep", ["start"], params({ duration: "0", text: value }));
    await made.workflow("flow", workflow(work), { params: declared, ...more });
    return made;
  }

  test.each(["$(params.city)", "$(workflow.params.city)", "$(params.street)"])("fails the task that refers to it: %s", async (value) => {
    const { submit, run } = await orphaned(value);
    const work = taskOf(await run((await submit("flow")).id), "work");
    expect(work).toMatchObject({ status: "failed", reason: "UnresolvedReference" });
    expect(work.statusMessage).toContain("$(params.c");
  });

  test("fails no task that does not, nor a run that has a value of its own", async () => {
    const { submit, run } = await orphaned("x");
    expect(await run((await submit("flow")).id)).toMatchObject({ status: "succeeded", warningCount: 0 });
    const other = await orphaned("$(params.street)");
    const given = await other.run((await other.submit("flow", { params: [{ name: "city", value: "Berne" }] })).id);
    expect(given.status).toBe("succeeded");
    expect(taskOf(given, "work").params).toContainEqual({ name: "text", value: "1, Berne" });
  });

  test("a value that comes with the start of a run that waits is taken", async () => {
    const { path, submit, run } = await orphaned("$(params.city)");
    const { id } = await submit("flow", {}, "");
    expect((await admin.put(`${path}/workflowrun/${id}/start`, { params: [{ name: "city", value: "Berne" }] })).status).toBe(200);
    expect(taskOf(await run(id), "work")).toMatchObject({ status: "succeeded" });
  });

  test("stays as written where references are kept", async () => {
    const { submit, run } = await orphaned("$(params.city)", { unresolvedReferences: "keep" });
    expect(taskOf(await run((await submit("flow")).id), "work").params).toContainEqual({ name: "text", value: "$(params.channel)" });
  });
});
