import { describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import type { Queryable } from "../database/database.ts";
import { transaction } from "../database/transaction.ts";
import { listPlanTasks } from "../run/plans.ts";
import { listTasksForNodes, listWorkflowsUsing, lockTasksForNodes, moveTaskUses } from "./task-uses.ts";
import {
  countTasks,
  deleteTask,
  findTask,
  findTaskVersion,
  findVersionDocument,
  insertTask,
  insertTaskVersion,
  listTaskChanges,
  listTasks,
  lockTask,
  type NewTaskVersion,
  retireTaskVersion,
  type TaskQuery,
  updateTask,
} from "./tasks.ts";

const { sql } = await testDatabase();

let count = 0;
async function team(): Promise<string> {
  const name = `team-${count++}`;
  const [row] = await sql<{ id: string }[]>`insert into team (name, display_name) values (${name}, ${name}) returning id`;
  return row!.id;
}

function version(number: number, script = "true"): NewTaskVersion {
  return {
    version: number,
    displayName: "A task",
    description: null,
    category: null,
    icon: null,
    spec: { params: [], results: [], script },
    document: undefined,
    author: "someone",
    reason: "because",
  };
}

async function task(teamId: string | null, name = `task-${count++}`, labels: Record<string, string> = {}) {
  const head = { teamId, name, type: "template" as const, status: "active" as const, verified: false, labels, annotations: {} };
  const id = (await insertTask(sql, head))!;
  const versionId = await insertTaskVersion(sql, id, version(1));
  return { id, name, versionId };
}

async function workflowUsing(teamId: string, used: { id: string; versionId: string }, db: Queryable = sql) {
  const name = `workflow-${count++}`;
  const [workflow] = await db<{ id: string }[]>`
    insert into workflow (team_id, name, display_name, triggers, latest_version) values (${teamId}, ${name}, ${name}, '{}', 1) returning id`;
  const [row] = await db<{ id: string }[]>`
    insert into workflow_version (team_id, workflow_id, version, document) values (${teamId}, ${workflow!.id}, 1, '{}') returning id`;
  await db`
    insert into workflow_version_task (team_id, workflow_version_id, task_id, version, task_version_id)
    values (${teamId}, ${row!.id}, ${used.id}, 1, ${used.versionId})`;
  return { name, versionId: row!.id };
}

describe("tasks", () => {
  test("a task is found by name and by id, by its own team alone", async () => {
    const [mine, other] = [await team(), await team()];
    const { id, name } = await task(mine);
    expect(await findTask(sql, { teamId: mine, ref: name })).toMatchObject({ id, teamId: mine, version: 1, latestVersion: 1 });
    expect(await findTask(sql, { teamId: mine, ref: id })).toMatchObject({ id, spec: { script: "true" } });
    for (const ref of [id, name]) {
      expect(await findTask(sql, { teamId: other, ref })).toBeUndefined();
      expect(await findTask(sql, { teamId: null, ref })).toBeUndefined();
    }
  });

  test("a team's task may have the name of a global one, and names are unique in their scope", async () => {
    const mine = await team();
    const global = await task(null);
    const own = await task(mine, global.name);
    expect(own.id).not.toBe(global.id);
    const head = { name: global.name, type: "script" as const, status: "active" as const, verified: false, labels: {}, annotations: {} };
    expect(await insertTask(sql, { ...head, teamId: mine })).toBeUndefined();
    expect(await insertTask(sql, { ...head, teamId: null })).toBeUndefined();
  });

  test("a deleted task is not seen, frees its name, and its versions stay for runs", async () => {
    const mine = await team();
    const { id, name, versionId } = await task(mine);
    await deleteTask(sql, await team(), id);
    expect(await findTask(sql, { teamId: mine, ref: name })).toBeDefined();
    await deleteTask(sql, mine, id);
    expect(await findTask(sql, { teamId: mine, ref: name })).toBeUndefined();
    expect(await listTasksForNodes(sql, mine, [{ ref: name, version: null }])).toEqual([]);
    expect(await listPlanTasks(sql, [versionId])).toMatchObject([{ id, name, version: 1 }]);
    expect((await task(mine, name)).id).not.toBe(id);
  });

  test("versions: the latest by default, each by its number, a replaced one only by its id", async () => {
    const mine = await team();
    const { id, name, versionId } = await task(mine);
    await insertTaskVersion(sql, id, { ...version(2, "second"), document: { steps: [{ script: "second" }] }, text: "a text" });
    await updateTask(sql, id, { status: "inactive", verified: false, labels: { a: "b" }, annotations: { c: [1] }, latestVersion: 2 });
    await retireTaskVersion(sql, id, 1);
    const again = await insertTaskVersion(sql, id, version(1, "first again"));
    const latest = await findTask(sql, { teamId: mine, ref: name });
    expect(latest).toMatchObject({ version: 2, status: "inactive", labels: { a: "b" }, annotations: { c: [1] } });
    expect(await findVersionDocument(sql, latest!.versionId)).toEqual({ document: { steps: [{ script: "second" }] }, text: "a text" });
    expect(await findTaskVersion(sql, { teamId: mine, ref: name, version: 1 })).toMatchObject({ versionId: again, latestVersion: 2 });
    expect(await findVersionDocument(sql, again)).toEqual({ document: undefined, text: undefined });
    expect(await findTaskVersion(sql, { teamId: mine, ref: name, version: 3 })).toBeUndefined();
    expect(await listPlanTasks(sql, [versionId])).toMatchObject([{ spec: { script: "true" } }]);
    expect(await listTaskChanges(sql, { teamId: mine, ref: name })).toMatchObject([
      { version: 1, author: "someone", reason: "because" },
      { version: 2, author: "someone", reason: "because" },
    ]);
    expect(await listTaskChanges(sql, { teamId: null, ref: name })).toBeUndefined();
  });

  test("a page has its order, filters and true total, and no spec beyond the size that one answer may have", async () => {
    const mine = await team();
    const names = ["a", "b", "c"];
    for (const name of names) await task(mine, name, { group: name === "b" ? "two" : "one", all: "yes" });
    const query: TaskQuery = {
      teamIds: [mine],
      labels: {},
      statuses: ["active", "inactive"],
      names: undefined,
      order: "ASC",
      limit: 10,
      offset: 0,
    };
    const found = async (part: Partial<TaskQuery>, maxBytes = 1_000_000) =>
      (await listTasks(sql, { ...query, ...part }, maxBytes)).map(({ name, spec }) => name + (spec === null ? "!" : ""));
    expect(await found({})).toEqual(["a", "b", "c"]);
    expect(await found({ order: "DESC", limit: 2 })).toEqual(["c", "b"]);
    expect(await found({ limit: 2, offset: 2 })).toEqual(["c"]);
    expect(await found({ labels: { group: "one", all: "yes" } })).toEqual(["a", "c"]);
    expect(await found({ names: ["c", "zz"] })).toEqual(["c"]);
    expect(await found({ statuses: ["inactive"] })).toEqual([]);
    expect(await found({ teamIds: [] })).toEqual([]);
    expect(await found({ limit: 2, offset: 1 }, 60)).toEqual(["b", "c!"]);
    expect(await countTasks(sql, { ...query, limit: 1, labels: { group: "one" } })).toBe(2);
    expect(await countTasks(sql, { ...query, teamIds: [await team()] })).toBe(0);
  });
});

describe("tasks of nodes", () => {
  test("a name means the team's own task before the global one, an id exactly one, and never another team's", async () => {
    const [mine, other] = [await team(), await team()];
    const global = await task(null);
    const own = await task(mine, global.name);
    const foreign = await task(other);
    const wanted = [
      { ref: global.name, version: null },
      { ref: "nothing", version: null },
      { ref: global.id, version: 1 },
      { ref: foreign.name, version: null },
      { ref: foreign.id, version: null },
      { ref: global.name, version: 7 },
    ];
    expect(await lockTasksForNodes(sql, mine, wanted)).toMatchObject([
      { position: 0, id: own.id, versionId: own.versionId, version: 1 },
      { position: 2, id: global.id, teamId: null, versionId: global.versionId },
      { position: 5, id: own.id, versionId: null, version: null },
    ]);
    expect(await listTasksForNodes(sql, other, wanted.slice(0, 1))).toMatchObject([{ id: global.id }]);
    expect(await listTasksForNodes(sql, mine, [])).toEqual([]);
  });

  test("a save of a workflow that holds a task makes its deletion wait, and the deletion then sees the use", async () => {
    const mine = await team();
    const used = await task(mine);
    let usersSeen: string[] | undefined;
    let deletion: Promise<unknown> = Promise.resolve();
    const workflow = await transaction(sql, async (save) => {
      await lockTasksForNodes(save, mine, [{ ref: used.name, version: null }]);
      deletion = transaction(sql, async (tx) => {
        await lockTask(tx, { teamId: mine, ref: used.name });
        usersSeen = await listWorkflowsUsing(tx, mine, used.id);
      });
      await someoneWaits();
      return workflowUsing(mine, used, save);
    });
    await deletion;
    expect(usersSeen).toEqual([workflow.name]);
  });

  /** Until a connection of this database waits for a row lock. */
  async function someoneWaits() {
    for (;;) {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      if (row!.count > 0) return;
    }
  }

  test("uses move to the version that replaces another, for one team", async () => {
    const [mine, other] = [await team(), await team()];
    const global = await task(null);
    const [a, b] = [await workflowUsing(mine, global), await workflowUsing(other, global)];
    const next = await insertTaskVersion(sql, global.id, version(2));
    await moveTaskUses(sql, mine, global.versionId, next);
    const rows = await sql<{ id: string; used: string }[]>`
      select workflow_version_id as id, task_version_id as used from workflow_version_task where task_id = ${global.id}`;
    expect(Object.fromEntries(rows.map(({ id, used }) => [id, used]))).toEqual({ [a.versionId]: next, [b.versionId]: global.versionId });
  });
});
