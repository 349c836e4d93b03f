import { describe, expect, test } from "vitest";
import { setApproverGroup } from "../../../src/store/team/members.ts";
import { claimTaskRuns, extendLease } from "../../../src/store/worker/workers.ts";
import { releaseArchived } from "../../../src/store/worker/workspace-archives.ts";
import { params, runKit, taskOf } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

/** Everything that waits gives the reason in words with names: waiting runs, locks, groups, and steps that no worker supports. */
const { app, kit, team } = await runKit();
const admin = app.as();
const waits = workflow(node("wait", "eventwait", ["start"], params({ topic: "go" })));
const works = workflow(node("work", "script", ["start"]));

const imageSetting = (value: string) => [{ id: "task", config: [{ key: "default.image", value }] }];

/** Only the workers that a test creates exist, and nothing of other tests that they could claim. */
const forgetWorkers = async () => {
  await app.sql`update task_run set worker_id = null, claimable_at = null`;
  await app.sql`delete from worker`;
};

describe("a queued run waits", () => {
  test("for the quota of concurrent runs, by name and numbers", async () => {
    const made = await team({ maxConcurrentRuns: 2 });
    await made.workflow("holds", workflow(node("hold", "script", ["start"], params({ script: "true" }))));
    await made.submit("holds");
    await made.submit("holds");
    const { id } = await made.submit("holds", {}, "");
    const { body } = await admin.get(made.path);
    const reason = `Waiting for the quota maxConcurrentRuns of team "${body.name}": 2 of 2 runs are active`;
    expect((await made.run(id)).waitingFor).toBe(reason);
    expect((await admin.get(`${made.path}/workflowrun/query?phase=pending`)).body.content[0].waitingFor).toBe(reason);
  });

  test("for an engine, or for its team to be active again", async () => {
    const made = await team();
    await made.workflow("waits", waits);
    const { id } = await made.submit("waits", {}, "");
    expect((await made.run(id)).waitingFor).toBe("Waiting in the queue for an engine to start it");
    await app.sql`update team set status = 'inactive' where id = ${made.id}`;
    expect((await made.run(id)).waitingFor).toMatch(/^Waiting because team "team-\w+" is not active$/);
  });

  test("and a running or ended run gives no reason", async () => {
    const made = await team();
    await made.workflow("waits", waits);
    const { id } = await made.submit("waits");
    expect((await made.run(id)).waitingFor).toBeUndefined();
    await admin.delete(`${made.path}/workflowrun/${id}/cancel`);
    const over = await made.run(id);
    expect([over, ...over.tasks].map(({ waitingFor }) => waitingFor)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe("a task run waits", () => {
  test("for a lock, with the run and the workflow that hold it now", async () => {
    const made = await team();
    await made.workflow(
      "locks",
      workflow(
        node("lock", "acquirelock", ["start"], params({ key: "deploy" })),
        node("hold", "eventwait", ["lock"], params({ topic: "go" })),
      ),
    );
    const [first, second, third] = [await made.submit("locks"), await made.submit("locks"), await made.submit("locks")];
    const why = async (id: string) => taskOf(await made.run(id), "lock").waitingFor;
    const held = (id: string) => `Lock "deploy" is held by run ${id} of workflow "locks"`;
    expect([await why(second.id), await why(third.id)]).toEqual([held(first.id), held(first.id)]);
    await admin.delete(`${made.path}/workflowrun/${first.id}/cancel`);
    expect(await why(second.id)).toBe('Lock "deploy" is free now; the task takes it within seconds');
    await kit.settle();
    expect(await why(third.id)).toBe(held(second.id));
  });

  test("for an event, by its topic", async () => {
    const made = await team();
    await made.workflow("waits", waits);
    const { id } = await made.submit("waits");
    expect(taskOf(await made.run(id), "wait").waitingFor).toBe('Waiting for an event on topic "go"');
  });

  test("for approvals, by the group's name and the votes so far", async () => {
    const made = await team();
    const members = [await made.member("editor"), await made.member("editor"), await made.member("editor")];
    await setApproverGroup(
      app.sql,
      made.id,
      "Release Managers",
      members.map(({ userId }) => userId),
    );
    await made.workflow("one", workflow(node("ask", "approval", ["start"])));
    await made.workflow("two", workflow(node("ask", "approval", ["start"], params({ numberOfApprovers: 2 }))));
    await made.workflow(
      "group",
      workflow(node("ask", "approval", ["start"], params({ approverGroupId: "release managers", numberOfApprovers: 2 }))),
    );
    await made.workflow("chore", workflow(node("ask", "manual", ["start"], params({ instructions: "Sweep" }))));
    const why = async (id: string) => taskOf(await made.run(id), "ask").waitingFor;
    const start = async (name: string) => (await made.submit(name)).id;
    expect(await why(await start("one"))).toBe("Waiting for an approval by the team");
    expect(await why(await start("two"))).toBe("Waiting for 2 approvals by the team, 0 so far");
    expect(await why(await start("chore"))).toBe("Waiting for a person to do this task and confirm it");
    const id = await start("group");
    expect(await why(id)).toBe('Waiting for 2 approvals by approver group "Release Managers", 0 so far');
    const { content } = (await admin.get(`${made.path}/action/query?workflows=group`)).body;
    await members[0]!.put(`${made.path}/action`, [{ id: content[0].id, approved: true }]);
    expect(await why(id)).toBe('Waiting for 2 approvals by approver group "Release Managers", 1 so far');
    await setApproverGroup(app.sql, made.id, "Release Managers", [members[0]!.userId]);
    expect(await why(id)).toBe(
      'Waiting for 2 approvals by approver group "Release Managers", 1 so far; only 0 of its members can still vote',
    );
  });

  test("for a run of another workflow, with its status", async () => {
    const made = await team();
    await made.workflow("child", waits);
    await made.workflow("parent", workflow(node("call", "runworkflow", ["start"], params({ workflowRef: "child", wait: true }))));
    const { id } = await made.submit("parent");
    const child = (await admin.get(`${made.path}/workflowrun/query?workflows=child`)).body.content[0].id;
    expect(taskOf(await made.run(id), "call").waitingFor).toBe(`Waiting for run ${child} of workflow "child", which is running`);
  });

  test("for a time: the end of a sleep, the next try", async () => {
    const made = await team();
    await made.workflow("sleeps", workflow(node("nap", "sleep", ["start"], params({ duration: 3_600_000 }))));
    await made.workflow("fails", workflow(node("work", "script", ["start"], { retry: { count: 3, backoffMs: 60_000 } })));
    const asleep = await made.submit("sleeps");
    expect(taskOf(await made.run(asleep.id), "nap").waitingFor).toMatch(/^Sleeps until 20\d\d-\d\d-\d\dT[\d:.]+Z$/);
    const { id } = await made.submit("fails");
    await kit.end(await made.claim(await kit.worker()), { status: "failed", reason: "ExitCode", message: "Exit code 1" });
    expect(taskOf(await made.run(id), "work").waitingFor).toMatch(/^Attempt 1 ended as failed; retry 1 of 3 in \d+ s, at 20\d\d-\S+Z$/);
  });

  test("for tasks before it, and for the items of a list", async () => {
    const made = await team();
    const each = node("each", "script", ["start"], { forEach: { items: [1, 2, 3], parallel: 2 } });
    await made.workflow(
      "graph",
      workflow(each, node("wait", "eventwait", ["start"], params({ topic: "go" })), node("after", "script", ["each", "wait"])),
    );
    const { id } = await made.submit("graph");
    await kit.end(await made.claim(await kit.worker()));
    const run = await made.run(id);
    expect(taskOf(run, "each").waitingFor).toBe("Waiting for its items: 1 of 3 have ended");
    expect(taskOf(run, "after").waitingFor).toBe('Waiting for tasks "each", "wait"');
    expect(taskOf(run, "end").waitingFor).toBe('Waiting for task "after"');
    const again = await made.run((await made.submit("graph")).id);
    expect(taskOf(again, "each[2]").waitingFor).toBe("Waiting for earlier items: the maximum number of parallel items is running");
  });
});

describe("a ready task run waits", () => {
  const why = async (made: Awaited<ReturnType<typeof team>>, labels: string[] = []) => {
    await made.workflow("works", works);
    const { id } = await made.submit("works");
    await app.sql`update task_run set runs_on = ${labels} where run_id = ${id} and type = 'script'`;
    return async () => taskOf(await made.run(id), "work").waitingFor;
  };

  test("for a worker, when none is running or none has the executor", async () => {
    await forgetWorkers();
    const ask = await why(await team());
    expect(await ask()).toBe("No worker is running");
    await kit.worker({ executors: ["container"] });
    expect(await ask()).toBe('No running worker has the executor "process"');
    await kit.worker({ leaseSeconds: -5 });
    expect(await ask()).toBe('No running worker has the executor "process"');
    await kit.worker();
    expect(await ask()).toBe('Waiting to be claimed by the worker with the executor "process"');
  });

  test("for any executor that runs images, if it needs one", async () => {
    await forgetWorkers();
    const made = await team();
    await admin.put("/api/v2/settings", imageSetting("debian:13"));
    await made.workflow("works", works);
    const { id } = await made.submit("works");
    await admin.put("/api/v2/settings", imageSetting(""));
    const other = async () => taskOf(await made.run(id), "work").waitingFor;
    await kit.worker({ executors: ["process", "container"] });
    expect(await other()).toBe('Waiting to be claimed by the worker with the executor "container" or "kubernetes"');
    await kit.worker({ executors: ["kubernetes"] });
    expect(await other()).toBe('Waiting to be claimed by the 2 workers with the executor "container" or "kubernetes"');
    await forgetWorkers();
    await kit.worker();
    expect(await other()).toBe('No running worker has the executor "container" or "kubernetes"');
  });

  test("for an executor that does not work at the moment, without revealing why", async () => {
    await forgetWorkers();
    const ask = await why(await team());
    await kit.worker({ executors: ["container"], configured: ["container", "process"] });
    expect(await ask()).toBe(
      'Waiting because the executor "process" is not available on the worker that has it; GET /health of that worker says why',
    );
    await kit.worker({ executors: [], configured: ["process"] });
    expect(await ask()).toBe(
      'Waiting because the executor "process" is not available on any of the 2 workers that have it; GET /health of these workers says why',
    );
    await kit.worker();
    expect(await ask()).toBe('Waiting to be claimed by the worker with the executor "process"');
  });

  test("for a machine to be well again, and says what is wrong with it", async () => {
    await forgetWorkers();
    const ask = await why(await team());
    const faults = { process: "the disk of the worker is full" };
    const id = await kit.worker({ executors: [], configured: ["process"], faults });
    expect(await ask()).toBe(
      'Waiting because the executor "process" is not available on the worker that has it: the disk of the worker is full; GET /health of that worker says more',
    );
    expect(await extendLease(app.sql, id, 60, ["process"], {})).toEqual([]);
    expect(await ask()).toBe('Waiting to be claimed by the worker with the executor "process"');
  });

  test("for labels that its node asks for, and names those that are missing", async () => {
    await forgetWorkers();
    await kit.worker({ labels: ["linux"] });
    const one = await why(await team(), ["linux", "gpu"]);
    expect(await one()).toBe('No running worker with the executor "process" has the label "gpu"');
    await kit.worker({ labels: ["gpu"] });
    expect(await one()).toBe('No running worker with the executor "process" has all of the labels "linux", "gpu"');
    const none = await why(await team(), ["mac", "arm"]);
    expect(await none()).toBe('No running worker with the executor "process" has the labels "mac", "arm"');
    await kit.worker({ labels: ["linux", "gpu"] });
    expect(await one()).toBe('Waiting to be claimed by the worker with the executor "process" and the labels "linux", "gpu"');
  });

  test("for the worker that holds the workspaces of its run, by its host and when it was last seen", async () => {
    await forgetWorkers();
    const made = await team();
    const shared = { workspaces: [{ name: "workflowrun", type: "workflowrun" }] };
    await made.workflow("shares", workflow(node("one", "script", ["start"]), node("two", "script", ["one"])), shared);
    const { id } = await made.submit("shares");
    const place = { id: "kept", host: "mill-7", path: "/var/lib/mill/workspaces" };
    const worker = await kit.worker({ place });
    const [claim] = await claimTaskRuns(app.sql, worker, 1, ["process"], [], 0, [place.id]);
    await kit.end(claim!);
    const ask = async () => taskOf(await made.run(id), "two").waitingFor;
    expect(await ask()).toBe('Waiting to be claimed by the worker with the executor "process". The workspaces of its run are on mill-7');
    await kit.worker();
    await app.sql`update worker set lease_until = db_now() where id = ${worker}`;
    expect(await ask()).toMatch(
      /^Waiting for the worker on mill-7, which has the workspaces of its run and was last seen at 20[\d:.T-]+Z$/,
    );
    const { queue } = (await admin.get("/api/v2/system/workers")).body;
    expect(queue.needs.map(({ why: text }: { why: string }) => text)).toEqual([await ask()]);
  });

  test("for a worker with the store that has the workspaces of its run", async () => {
    await forgetWorkers();
    const made = await team();
    const shared = { workspaces: [{ name: "workflowrun", type: "workflowrun" }] };
    await made.workflow("stored", workflow(node("one", "script", ["start"])), shared);
    const { id } = await made.submit("stored");
    const worker = await kit.worker({ place: { id: "gone", host: "mill-7", path: "/var/lib/mill/workspaces" } });
    const [claim] = await claimTaskRuns(app.sql, worker, 1, ["process"], [], 0, ["gone", "store"]);
    await app.sql`update worker set lease_until = db_now() where id = ${worker}`;
    const loss = { kind: "lost", taskRunId: claim!.id, attempt: claim!.attempt } as const;
    await kit.driver.advance([{ teamId: claim!.teamId, id, events: [loss] }]);
    expect(await releaseArchived(app.sql)).toBe(true);
    await kit.worker({ place: { id: "fresh", host: "mill-8", path: "/var/lib/mill/workspaces" } });
    const reason =
      'Waiting to be claimed by the worker with the executor "process". The workspaces of its run are in the store, so the worker needs MILLRACE_WORKSPACE_STORE';
    expect(taskOf(await made.run(id), "one").waitingFor).toBe(reason);
    const { queue } = (await admin.get("/api/v2/system/workers")).body;
    expect(queue.needs.map(({ why: text }: { why: string }) => text)).toEqual([reason]);
  });

  test("for a free slot, with the numbers", async () => {
    await forgetWorkers();
    const busy = await team();
    await busy.workflow("works", works);
    await busy.submit("works");
    await busy.claim(await kit.worker({ slots: 1 }));
    const ask = await why(await team());
    expect(await ask()).toBe('Waiting for a free slot: the only slot of the worker with the executor "process" is busy');
    const { id } = await busy.submit("works");
    const second = await kit.worker({ slots: 1 });
    await app.sql`update task_run set status = 'running', phase = 'running', claimable_at = null, worker_id = ${second} where run_id = ${id} and type = 'script'`;
    expect(await ask()).toBe('Waiting for a free slot: all 2 slots of the 2 workers with the executor "process" are busy');
    await kit.worker({ slots: 2 });
    expect(await ask()).toBe('Waiting to be claimed by the 3 workers with the executor "process"');
  });
});
