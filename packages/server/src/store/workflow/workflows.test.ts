import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import { mergeTriggers } from "../../core/workflow/workflow-document-triggers.ts";
import {
  findWorkflowVersion,
  insertVersionTasks,
  insertWorkflowVersion,
  listLatestTasks,
  listLatestVersions,
  listWorkflowVersions,
  retireWorkflowVersion,
} from "./workflow-versions.ts";
import {
  countMatchingWorkflows,
  countWorkflows,
  filterWorkflowRefs,
  findWorkflow,
  insertWorkflow,
  listTakenNames,
  listWorkflows,
  lockWorkflow,
  updateWorkflow,
  type WorkflowHead,
} from "./workflows.ts";

const { sql } = await testDatabase();

const head = (changed: Partial<WorkflowHead> = {}): WorkflowHead => ({
  displayName: "W",
  status: "active",
  icon: null,
  description: null,
  labels: {},
  annotations: {},
  triggers: mergeTriggers(undefined),
  requiresTests: false,
  ...changed,
});
const document = (changed: object = {}) => ({ tasks: [], params: [], workspaces: [], ...changed });

let teamId: string;
let otherTeamId: string;
beforeEach(async () => {
  teamId = await newTeam();
  otherTeamId = await newTeam();
});

async function newTeam(): Promise<string> {
  const [row] = await sql<
    { id: string }[]
  >`insert into team (name, display_name, max_workflow_count) values (gen_random_uuid()::text, 'T', 7) returning id`;
  return row!.id;
}

async function newWorkflow(name: string, changed: Partial<WorkflowHead> = {}) {
  const workflow = (await insertWorkflow(sql, teamId, name, head(changed)))!;
  const version = await insertWorkflowVersion(sql, teamId, {
    workflowId: workflow.id,
    version: 1,
    document: document(),
    author: "ann",
    reason: "r",
  });
  return { ...workflow, versionId: version.id };
}

async function newTask(name: string, versions: number): Promise<{ taskId: string; versionIds: string[] }> {
  const [task] = await sql<{ id: string }[]>`
    insert into task (name, type, latest_version) values (${name}, 'template', ${versions}) returning id`;
  const rows = await sql<{ id: string }[]>`
    insert into task_version (task_id, version, display_name, spec) select ${task!.id}, n, 'T', '{}' from generate_series(1, ${versions}::int) n returning id`;
  return { taskId: task!.id, versionIds: rows.map((row) => row.id) };
}

describe("a workflow", () => {
  test("is found by name in any case, and by id, in its own team only", async () => {
    const { id } = await newWorkflow("flow", { labels: { a: "b" }, annotations: { deep: [1] }, icon: "i", description: "d" });
    for (const ref of ["flow", "FLOW", id]) {
      const found = await findWorkflow(sql, teamId, ref);
      expect(found).toMatchObject({
        id,
        name: "flow",
        labels: { a: "b" },
        annotations: { deep: [1] },
        icon: "i",
        description: "d",
        latestVersion: 1,
      });
      expect(await findWorkflow(sql, otherTeamId, ref)).toBeUndefined();
      expect(await lockWorkflow(sql, otherTeamId, ref)).toBeUndefined();
    }
  });

  test("has a name that is unique in its team, and free again when it is deleted", async () => {
    const { id } = await newWorkflow("flow");
    expect(await insertWorkflow(sql, teamId, "flow", head())).toBeUndefined();
    expect(await insertWorkflow(sql, otherTeamId, "flow", head())).toBeDefined();
    expect([...(await listTakenNames(sql, teamId, "fl"))]).toEqual(["flow"]);
    await sql`update workflow set deleted_at = db_now() where id = ${id}`;
    expect(await findWorkflow(sql, teamId, id)).toBeUndefined();
    expect(await countWorkflows(sql, teamId)).toBe(0);
    expect(await insertWorkflow(sql, teamId, "flow", head())).toBeDefined();
  });

  test("is changed in its own team only", async () => {
    const { id } = await newWorkflow("flow");
    await updateWorkflow(sql, otherTeamId, id, head({ displayName: "stolen" }), 9);
    await updateWorkflow(sql, teamId, id, head({ displayName: "changed", status: "inactive" }), 2);
    expect(await findWorkflow(sql, teamId, id)).toMatchObject({ displayName: "changed", status: "inactive", latestVersion: 2 });
  });

  test("is among those references that exist, by name or id", async () => {
    const { id } = await newWorkflow("flow");
    expect([...(await filterWorkflowRefs(sql, teamId, ["flow", id, "Flow", "none", ""]))].sort()).toEqual(["flow", id, "Flow"].sort());
    expect((await filterWorkflowRefs(sql, otherTeamId, ["flow", id])).size).toBe(0);
  });
});

describe("a version", () => {
  test("that is replaced keeps its row and content, while its number leads to the new one", async () => {
    const { id, versionId } = await newWorkflow("flow");
    await retireWorkflowVersion(sql, teamId, id, 1);
    const next = await insertWorkflowVersion(sql, teamId, {
      workflowId: id,
      version: 1,
      document: document({ markdown: "new" }),
      author: "bo",
      reason: "x",
    });
    expect(await findWorkflowVersion(sql, teamId, id, 1)).toMatchObject({
      id: next.id,
      author: "bo",
      reason: "x",
      document: { markdown: "new" },
    });
    const [kept] = await sql`select document::text as text from workflow_version where team_id = ${teamId} and id = ${versionId}`;
    expect(kept?.["text"]).toBe(JSON.stringify(document()));
    expect((await listWorkflowVersions(sql, teamId, id)).map((version) => version.id)).toEqual([next.id]);
  });

  test("knows the newest versions of the tasks it uses", async () => {
    const { versionId } = await newWorkflow("flow");
    const { taskId, versionIds } = await newTask("tool", 3);
    await insertVersionTasks(sql, teamId, versionId, [
      { taskId, version: 1, taskVersionId: versionIds[0]! },
      { taskId, version: 2, taskVersionId: versionIds[1]! },
    ]);
    expect(await listLatestTasks(sql, teamId, [versionId])).toEqual([{ workflowVersionId: versionId, taskName: "tool", latestVersion: 3 }]);
  });

  test("beyond the size of one answer is listed without its document", async () => {
    const workflows = [await newWorkflow("a"), await newWorkflow("b")];
    const bytes = JSON.stringify(document()).length;
    const rows = await listLatestVersions(
      sql,
      teamId,
      workflows.map((workflow) => workflow.id),
      bytes,
    );
    expect(rows.map((row) => row.document === null)).toEqual([false, true]);
    expect(
      await listLatestVersions(
        sql,
        otherTeamId,
        workflows.map((workflow) => workflow.id),
        bytes,
      ),
    ).toEqual([]);
  });
});

describe("a query", () => {
  const all = { labels: {}, statuses: [], refs: undefined };

  test("filters by labels, status, name and id", async () => {
    const a = await newWorkflow("a", { labels: { tier: "1", "a.b/c": "x=y" } });
    const b = await newWorkflow("b", { labels: { tier: "1" }, status: "inactive" });
    const found = async (filter: object) => {
      const rows = await listWorkflows(sql, teamId, { ...all, ...filter }, { order: "ASC", limit: 10, offset: 0 });
      expect(await countMatchingWorkflows(sql, teamId, { ...all, ...filter })).toBe(rows.length);
      return rows.map((row) => row.name);
    };
    expect(await found({})).toEqual(["a", "b"]);
    expect(await found({ labels: { tier: "1" } })).toEqual(["a", "b"]);
    expect(await found({ labels: { tier: "1", "a.b/c": "x=y" } })).toEqual(["a"]);
    expect(await found({ statuses: ["inactive"] })).toEqual(["b"]);
    expect(await found({ refs: ["A", b.id] })).toEqual(["a", "b"]);
    expect(await found({ refs: [a.id, "none"] })).toEqual(["a"]);
    expect(await found({ refs: [] })).toEqual([]);
  });

  test("pages without repeating or skipping, also among workflows of the same moment", async () => {
    for (let index = 0; index < 7; index++) await newWorkflow(`w${index}`);
    await sql`update workflow set created_at = '2024-01-01' where team_id = ${teamId}`;
    for (const order of ["ASC", "DESC"] as const) {
      const pages = await Promise.all([0, 3, 6].map((offset) => listWorkflows(sql, teamId, all, { order, limit: 3, offset })));
      expect(new Set(pages.flat().map((row) => row.id)).size).toBe(7);
    }
  });
});
