import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../src/base/log.ts";
import type { KeptWorkspace, WorkspaceKeeper } from "../src/engine/executor.ts";
import { folderWorkspaces } from "../src/engine/folder-workspaces.ts";
import { workspaceFolder } from "../src/engine/job-workspaces.ts";
import { createWorkspaceCleanupService } from "../src/services/workspace-cleanup-service.ts";
import { moveTime, testDatabase } from "./database.ts";
import { engineKit } from "./engine-kit.ts";
import { node, workflow } from "./run-simulator.ts";

/** Workspaces are removed by the same rules wherever they are kept. */
const { sql } = await testDatabase();
const kit = engineKit(sql);
const log = createLog("silent");

async function makeWorkspaces() {
  const teamId = await kit.team();
  const pure = workflow(node("a", "setwfproperty", ["start"], { params: [{ name: "output", value: "a" }] }));
  const waits = workflow(node("a", "eventwait", ["start"], { params: [{ name: "topic", value: "go" }] }));
  const [kept, gone] = [await kit.workflow(teamId, "kept", pure), await kit.workflow(teamId, "gone", pure)];
  await kit.workflow(teamId, "waits", waits);
  const [over, open] = [await kit.submit(teamId, "kept"), await kit.submit(teamId, "waits")];
  await kit.settle();
  await sql`update workflow set deleted_at = db_now() where id = ${gone}`;
  await moveTime(sql, 120_000);
  const all: KeptWorkspace[] = [
    { teamId, scope: "workflow", ownerId: kept },
    { teamId, scope: "workflow", ownerId: gone },
    { teamId, scope: "workflowrun", ownerId: over.id },
    { teamId, scope: "workflowrun", ownerId: open.id },
  ];
  return { teamId, all, over: over.id, stay: [kept, open.id].sort(), go: [gone, over.id].sort() };
}

/** As a cluster keeps them. */
function keeperOf(kept: KeptWorkspace[]): WorkspaceKeeper & { removed: string[] } {
  const removed: string[] = [];
  return { removed, list: async () => kept, remove: async ({ ownerId }) => void removed.push(ownerId) };
}

test("those of runs that are over and of deleted workflows go, in a cluster as on this machine, and the runs are finalized", async () => {
  const folder = await mkdtemp(join(tmpdir(), "millrace-cleanup-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { teamId, all, over, stay, go } = await makeWorkspaces();
  for (const { scope, ownerId } of all) await mkdir(workspaceFolder(folder, teamId, scope, ownerId), { recursive: true });
  const strange = { teamId: "not-an-id", scope: "workflow" as const, ownerId: "neither" };
  const cluster = keeperOf([...all, strange]);
  await createWorkspaceCleanupService(sql, [folderWorkspaces(folder), cluster], log).tick();
  expect(cluster.removed.sort()).toEqual(go);
  const left = [...(await readdir(join(folder, teamId, "workflow"))), ...(await readdir(join(folder, teamId, "workflowrun")))];
  expect(left.sort()).toEqual(stay);
  expect((await kit.run(teamId, over)).phase).toBe("finalized");
});

test("a cluster that is away does not keep this machine from being cleaned", async () => {
  const { all, go } = await makeWorkspaces();
  const away: WorkspaceKeeper = { list: () => Promise.reject(new Error("unreachable")), remove: async () => undefined };
  const other = keeperOf(all);
  await createWorkspaceCleanupService(sql, [away, other, folderWorkspaces("/nonexistent")], log).tick();
  expect(other.removed.sort()).toEqual(go);
});
