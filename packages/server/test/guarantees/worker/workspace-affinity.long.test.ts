import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFinal } from "@millrace/contract/status.ts";
import { expect, onTestFinished, test } from "vitest";
import type { Executor } from "../../../src/engine/executor.ts";
import { openFolderPlace, placeFileName } from "../../../src/engine/folder-workspaces.ts";
import { prunePlaces, releaseLostPlaces } from "../../../src/store/run/queue/engine-upkeep.ts";
import { releaseUnusedWorkspaces } from "../../../src/store/worker/unused-workspaces.ts";
import { type Claim, claimTaskRuns } from "../../../src/store/worker/workers.ts";
import { moveTime, testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { type EngineNode, type EngineNodeOptions, engineNode } from "../../kit/run/engine-node.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { until } from "../../kit/until.ts";
import { testExecutor } from "../../kit/worker/test-executor.ts";

/** Several workers on one database, each with its own folders: tasks that share a workspace find the files that earlier ones left in it. */
const { sql, address } = await testDatabase();
const kit = engineKit(sql);

const tempFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "affinity-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** `add WORD` writes into each workspace of the task, `expect WORDS` fails unless they are in each of them. */
const folderExecutor = (): Executor =>
  testExecutor(async (job, script) => {
    const [verb, ...words] = script.split(" ");
    for (const { source } of job.workspaces) {
      await mkdir(source, { recursive: true });
      if (verb === "add") await appendFile(join(source, words.join("-")), "");
      const missing = verb === "expect" ? words.filter((word) => !existsSync(join(source, word))) : [];
      if (missing.length > 0) return { status: "failed", reason: "ExitCode", message: `${missing} missing in ${source}` };
    }
    return {};
  });

interface Member extends EngineNode {
  folder: string;
  /** Ends the node and starts a replacement with the same folder. */
  again(): Promise<Member>;
}

async function startNode(folder = tempFolder(), more: Partial<EngineNodeOptions> = {}): Promise<Member> {
  const place = await openFolderPlace(folder);
  const made = engineNode(address, { executor: folderExecutor(), workspacesDir: folder, place, slots: 4, ...more });
  await made.start();
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await made.stop();
    isStopped = true;
  };
  onTestFinished(stop);
  return {
    ...made,
    folder,
    stop,
    again: async () => {
      await stop();
      return startNode(folder, more);
    },
  };
}

const script = (name: string, text: string, after: string[]) => node(name, "script", after, { params: [{ name: "script", value: text }] });
const shared = (...types: ("workflow" | "workflowrun")[]) => ({ workspaces: types.map((type) => ({ name: type, type })) });

/** Three tasks that write at the same time, one that needs all their files, and then a second stage. */
const fan = workflow(
  script("a", "add a", ["start"]),
  script("b", "add b", ["start"]),
  script("c", "add c", ["start"]),
  script("all", "expect a b c", ["a", "b", "c"]),
  script("d", "add d", ["all"]),
  script("e", "expect a b c d", ["d"]),
);

/** One task before an event, and one after it that needs the files of the first. */
const halves = workflow(
  script("a", "add a", ["start"]),
  node("wait", "eventwait", ["a"], { params: [{ name: "topic", value: "go" }] }),
  script("b", "expect a", ["wait"]),
);

const over = async (team: string, ids: readonly string[]) => {
  const statuses = () => Promise.all(ids.map(async (id) => (await kit.run(team, id)).status));
  await until(async () => (await statuses()).every((status) => isFinal(status)), "the runs are over", 60_000);
  return statuses();
};
const submit = async (team: string, name: string) => (await kit.submit(team, name, { start: true })).id;

const task = async (team: string, run: string, name: string) => {
  const found = (await kit.tasks(team, run)).find((one) => one.name === name);
  if (!found) throw new Error(`no task ${name}`);
  return found;
};
/** A run of `halves` that waits for its event. */
const firstHalf = async (team: string) => {
  const run = await submit(team, "halves");
  await until(async () => (await task(team, run, "wait")).status === "waiting", "the first half is over", 30_000);
  return run;
};
/** Sends the event that the run waits for, and gives the run a slot again, as an engine does. */
const callBack = async (team: string, run: string) => {
  await kit.driver.advance([{ teamId: team, id: run, events: [{ kind: "callback", topic: "go", status: "succeeded", payload: null }] }]);
  await kit.driver.givePlaces();
};
const placesOf = async (owner: string) =>
  (await sql<{ place: string }[]>`select distinct place from workspace_place where owner_id = ${owner} order by place`).map(
    ({ place }) => place,
  );

/** The nodes whose folder has the workspace of the run. */
const foldersWith = (team: string, runId: string, members: readonly Member[]) =>
  members.filter(({ folder }) => existsSync(join(folder, team, "workflowrun", runId)));

test("tasks of a run that share a workspace run where it is, with several workers at work", { timeout: 120_000 }, async () => {
  const members = [await startNode(), await startNode(), await startNode()];
  const team = await kit.team();
  await kit.workflow(team, "fan", fan, shared("workflowrun"));
  const runs = await Promise.all(Array.from({ length: 36 }, () => submit(team, "fan")));
  expect((await over(team, runs)).filter((status) => status !== "succeeded")).toEqual([]);
  const holders = runs.map((run) => foldersWith(team, run, members).length);
  expect(holders.filter((count) => count !== 1)).toEqual([]);
  const used = new Set(runs.flatMap((run) => foldersWith(team, run, members).map(({ folder }) => folder)));
  expect(used.size).toBeGreaterThan(1);
});

test("the workspace of a workflow is kept across runs: each of them goes where it is", { timeout: 120_000 }, async () => {
  await Promise.all([startNode(), startNode()]);
  const team = await kit.team();
  await kit.workflow(team, "first", workflow(script("a", "add kept", ["start"])), shared("workflow", "workflowrun"));
  const [first] = [await submit(team, "first")];
  expect(await over(team, [first])).toEqual(["succeeded"]);
  const { workflowId } = await kit.run(team, first);
  const [place] = await placesOf(workflowId);
  const again = await Promise.all(Array.from({ length: 12 }, () => submit(team, "first")));
  expect(new Set(await over(team, again))).toEqual(new Set(["succeeded"]));
  const rows = await sql<{ place: string }[]>`select distinct place from task_run where run_id = any(${again}) and type = 'script'`;
  expect(rows).toEqual([{ place }]);
});

test("a run continues when the worker with its workspace comes back, and no other worker takes it until then", {
  timeout: 120_000,
}, async () => {
  const first = await startNode();
  const team = await kit.team();
  await kit.workflow(team, "halves", halves, shared("workflowrun"));
  const run = await firstHalf(team);
  await first.stop();
  const other = await startNode();
  await callBack(team, run);
  await kit.workflow(team, "alone", workflow(script("x", "true", ["start"])));
  expect(await over(team, [await submit(team, "alone")])).toEqual(["succeeded"]);
  await other.worker.tick();
  expect(await task(team, run, "b")).toMatchObject({ status: "ready", attempt: 0 });
  await first.again();
  expect(await over(team, [run])).toEqual(["succeeded"]);
  expect(await task(team, run, "b")).toMatchObject({ status: "succeeded", attempt: 1 });
});

test("a run continues in another process that shares the folder of workspaces", { timeout: 120_000 }, async () => {
  const first = await startNode();
  const team = await kit.team();
  await kit.workflow(team, "halves", halves, shared("workflowrun"));
  const run = await firstHalf(team);
  await startNode(first.folder);
  await first.stop();
  await callBack(team, run);
  expect(await over(team, [run])).toEqual(["succeeded"]);
});

test("a task whose workspace is lost with its worker fails with the reason, and is never given an empty one", {
  timeout: 120_000,
}, async () => {
  const first = await startNode();
  const team = await kit.team();
  await kit.workflow(team, "halves", halves, shared("workflowrun"));
  const run = await firstHalf(team);
  await first.stop();
  await callBack(team, run);
  await until(async () => (await task(team, run, "b")).status === "ready", "the second half is ready", 30_000);
  expect(await releaseLostPlaces(sql, 5)).toEqual([]);
  await moveTime(sql, 6 * 60_000);
  expect(await releaseLostPlaces(sql, 5)).toMatchObject([{ path: first.folder }]);
  const other = await startNode();
  expect(await over(team, [run])).toEqual(["failed"]);
  const { status, reason, statusMessage } = await task(team, run, "b");
  expect({ status, reason }).toEqual({ status: "failed", reason: "WorkspaceLost" });
  expect(statusMessage).toMatch(
    /^Workspace "workflowrun" cannot be reached: the worker on \S+ has it \(folder \S+\) and was last seen at 20\S+Z\. Start /,
  );
  expect(statusMessage, "where its folder is on the machine is for the operator only").not.toContain(first.folder);
  expect(foldersWith(team, run, [other])).toEqual([]);
  expect((await placesOf(run)).length).toBe(1);
  await moveTime(sql, 2 * 60_000);
  await prunePlaces(sql);
  expect(await placesOf(run)).toEqual([]);
});

test("a run whose first task was lost with its machine starts on another one", { timeout: 120_000 }, async () => {
  const team = await kit.team();
  await kit.workflow(team, "fan", fan, shared("workflowrun"));
  const run = await submit(team, "fan");
  const gone = await kit.worker({ place: { id: "gone", host: "gone", path: "/gone" } });
  const [claim] = await claimTaskRuns(sql, gone, 1, ["process"], [], 0, ["gone"]);
  expect(await releaseUnusedWorkspaces(sql)).toBe(0);
  await sql`update worker set lease_until = db_now() where id = ${gone}`;
  expect(await releaseUnusedWorkspaces(sql)).toBe(0);
  await kit.driver.advance([
    { teamId: team, id: run, events: [{ kind: "lost", taskRunId: claim?.id as string, attempt: claim?.attempt as number }] },
  ]);
  expect(await releaseUnusedWorkspaces(sql)).toBe(1);
  expect(await placesOf(run)).toEqual([]);
  await startNode();
  expect(await over(team, [run])).toEqual(["succeeded"]);
});

test("a run waits for a machine in which one of its tasks has finished, and one that shares the workspace of its workflow as well", {
  timeout: 120_000,
}, async () => {
  const team = await kit.team();
  await kit.workflow(team, "fan", fan, shared("workflowrun"));
  await kit.workflow(team, "kept", fan, shared("workflow", "workflowrun"));
  const [used, kept] = [await submit(team, "fan"), await submit(team, "kept")];
  const gone = await kit.worker({ place: { id: "gone-2", host: "gone", path: "/gone" }, slots: 20 });
  const claims = await claimTaskRuns(sql, gone, 20, ["process"], [], 0, ["gone-2"]);
  const first = claims.find(({ runId }) => runId === used) as Claim;
  await kit.end(first, { status: "failed", reason: "ExitCode", message: "1" });
  await sql`update worker set lease_until = db_now() where id = ${gone}`;
  for (const { id, runId, attempt } of claims.filter((claim) => claim !== first))
    await kit.driver.advance([{ teamId: team, id: runId, events: [{ kind: "lost", taskRunId: id, attempt }] }]);
  expect(await releaseUnusedWorkspaces(sql)).toBe(0);
  expect([await placesOf(used), await placesOf(kept)]).toEqual([["gone-2"], ["gone-2"]]);
});

test("a task whose workspace was removed from its folder fails with the reason", { timeout: 120_000 }, async () => {
  const first = await startNode();
  const team = await kit.team();
  await kit.workflow(team, "halves", halves, shared("workflowrun"));
  const run = await firstHalf(team);
  rmSync(join(first.folder, team, "workflowrun", run), { recursive: true });
  await callBack(team, run);
  expect(await over(team, [run])).toEqual(["failed"]);
  const { reason, statusMessage } = await task(team, run, "b");
  expect(reason).toBe("WorkspaceLost");
  expect(statusMessage).toMatch(/was used by earlier tasks of this run and no longer exists$/);
});

test("claims of many workers at once never split a run", { timeout: 120_000 }, async () => {
  const team = await kit.team();
  await kit.workflow(
    team,
    "wide",
    workflow(...Array.from({ length: 6 }, (_, index) => script(`t${index}`, "true", ["start"]))),
    shared("workflowrun", "workflow"),
  );
  await kit.workflow(
    team,
    "own",
    workflow(...Array.from({ length: 6 }, (_, index) => script(`t${index}`, "true", ["start"]))),
    shared("workflowrun"),
  );
  const runs = [];
  for (let index = 0; index < 12; index++) runs.push(await submit(team, "wide"), await submit(team, "own"));
  const workers = await Promise.all(["p1", "p2", "p3", "p4"].map((id) => kit.worker({ place: { id, host: id, path: `/${id}` } })));
  const claims: { runId: string; by: number }[] = [];
  while (claims.length < 24 * 6) {
    const taken = await Promise.all(
      workers.map(async (id, by) =>
        (await claimTaskRuns(sql, id, 5, ["process"], [], 0, [`p${by + 1}`])).map(({ runId }) => ({ runId, by })),
      ),
    );
    claims.push(...taken.flat());
  }
  const holders = new Map<string, Set<number>>();
  for (const { runId, by } of claims) holders.set(runId, (holders.get(runId) ?? new Set()).add(by));
  expect(runs.filter((run) => holders.get(run)?.size !== 1)).toEqual([]);
  const own = runs.filter((_, index) => index % 2 === 1).flatMap((run) => [...(holders.get(run) ?? [])]);
  expect(new Set(own).size).toBeGreaterThan(1);
});

test("tasks with images stay where the first one ran: in a folder or in the cluster", { timeout: 120_000 }, async () => {
  const container = await kit.worker({ executors: ["container"], place: { id: "boxes", host: "h", path: "/w" } });
  const cluster = await kit.worker({ executors: ["kubernetes"], place: { id: "pods", host: "h2", path: "/w" } });
  const byContainer = () => claimTaskRuns(sql, container, 9, ["container", "image"], [], 0, ["boxes", "boxes"]);
  const byCluster = () => claimTaskRuns(sql, cluster, 9, ["kubernetes", "image"], [], 0, ["cluster", "cluster"]);
  const team = await kit.team();
  await kit.workflow(team, "pair", workflow(script("a", "x", ["start"]), script("b", "x", ["start"])), shared("workflowrun"));
  const ofImages = async () => {
    const run = await submit(team, "pair");
    await sql`update task_run set executor = 'image' where team_id = ${team} and run_id = ${run} and type = 'script'`;
    return run;
  };
  const one = await ofImages();
  expect((await claimTaskRuns(sql, cluster, 1, ["kubernetes", "image"], [], 0, ["cluster", "cluster"])).map(({ runId }) => runId)).toEqual([
    one,
  ]);
  expect(await byContainer()).toEqual([]);
  expect((await byCluster()).map(({ runId }) => runId)).toEqual([one]);
  const two = await ofImages();
  expect((await claimTaskRuns(sql, container, 1, ["container", "image"], [], 0, ["boxes", "boxes"])).map(({ runId }) => runId)).toEqual([
    two,
  ]);
  expect(await byCluster()).toEqual([]);
  expect((await byContainer()).map(({ runId }) => runId)).toEqual([two]);
});

test("a worker without a folder of workspaces takes no task that shares one, and every other task", { timeout: 60_000 }, async () => {
  const team = await kit.team();
  await kit.workflow(team, "shares", workflow(script("a", "true", ["start"])), shared("workflowrun"));
  await kit.workflow(team, "alone", workflow(script("a", "true", ["start"])));
  const [shares, alone] = [await submit(team, "shares"), await submit(team, "alone")];
  const claims = await claimTaskRuns(sql, await kit.worker(), 10, ["process"], [], 0, [""]);
  expect(claims.map(({ runId }) => runId)).toEqual([alone]);
  const more = await claimTaskRuns(sql, await kit.worker({ place: { id: "late", host: "h", path: "/w" } }), 10, ["process"], [], 0, [
    "late",
  ]);
  expect(more.map(({ runId }) => runId)).toEqual([shares]);
});

test("the id of a folder is created once, also concurrently, and an invalid file is refused", async () => {
  const folder = join(tempFolder(), "new", "workspaces");
  const ids = await Promise.all(Array.from({ length: 20 }, async () => (await openFolderPlace(folder)).id));
  expect(new Set(ids).size).toBe(1);
  expect(readdirSync(folder)).toEqual([placeFileName]);
  await writeFile(join(folder, placeFileName), "nonsense");
  await expect(openFolderPlace(folder)).rejects.toThrow(`${join(folder, placeFileName)} does not contain the ID of a workspace folder`);
});

test("tasks that wait for an absent worker cost the claims of others nothing", { timeout: 60_000 }, async () => {
  const team = await kit.team();
  await kit.workflow(team, "alone", workflow(script("a", "true", ["start"])));
  for (let index = 0; index < 20; index++) await submit(team, "alone");
  const worker = await kit.worker({ place: { id: "near", host: "h", path: "/w" }, slots: 1000 });
  const session = await sql.reserve();
  onTestFinished(() => session.release());
  const claimOne = async () => {
    const [row] = await session.unsafe(
      `explain (analyze, buffers, format json) select * from claim_task_runs('${worker}', 1, array['process'], array[]::text[], 0, array['near'])`,
    );
    const plan = row?.["QUERY PLAN"][0].Plan;
    expect(plan["Actual Rows"]).toBe(1);
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
  };
  const pages = async () => {
    // Plans that were made while the table was empty prove nothing, and planning again also reads, so the first claims do not count.
    await sql`analyze task_run`;
    await session.unsafe("discard plans");
    return Math.min(await claimOne(), await claimOne(), await claimOne(), await claimOne());
  };
  const before = await pages();
  await sql`
    insert into task_run (team_id, run_id, node, name, type, status, phase, executor, claimable_at, place)
    select t.team_id, t.run_id, t.node, t.name, t.type, 'ready', 'queued', 'process', db_now() - interval '1 hour', 'far'
    from task_run t cross join generate_series(1, 20000)
    where t.id = (select min(id::text)::uuid from task_run where team_id = ${team} and type = 'script')`;
  expect(await pages()).toBeLessThan(before + 150);
});
