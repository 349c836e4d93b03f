import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLog, type Log } from "../../../src/base/process/log.ts";
import type { KeptWorkspace, WorkspaceKeeper } from "../../../src/engine/executor.ts";
import { folderWorkspaces } from "../../../src/engine/folder-workspaces.ts";
import { workspaceFolder } from "../../../src/engine/job-workspaces.ts";
import { createWorkspaceCleanupService } from "../../../src/services/workspace-cleanup-service.ts";
import { moveTime, testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

/** Workspaces are removed by the same rules wherever they are stored. */
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

/** The same workspaces stored in a cluster. */
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
  await createWorkspaceCleanupService(sql, [folderWorkspaces(folder, log), cluster], log).tick();
  expect(cluster.removed.sort()).toEqual(go);
  const left = [...(await readdir(join(folder, teamId, "workflow"))), ...(await readdir(join(folder, teamId, "workflowrun")))];
  expect(left.sort()).toEqual(stay);
  expect((await kit.run(teamId, over)).phase).toBe("finalized");
});

test("an unreachable cluster does not block the cleanup of this machine", async () => {
  const { all, go } = await makeWorkspaces();
  const away: WorkspaceKeeper = { list: () => Promise.reject(new Error("unreachable")), remove: async () => undefined };
  const other = keeperOf(all);
  await createWorkspaceCleanupService(sql, [away, other, folderWorkspaces("/nonexistent", log)], log).tick();
  expect(other.removed.sort()).toEqual(go);
});

test("a workspace that can't be removed is logged once, retried later, and does not block others", async () => {
  const [first, second] = [await makeWorkspaces(), await makeWorkspaces()];
  const all = [...first.all, ...second.all];
  const removed: string[] = [];
  let isStuck = true;
  const keeper: WorkspaceKeeper = {
    list: async () => all.filter(({ ownerId }) => !removed.includes(ownerId)),
    async remove({ ownerId }) {
      if (ownerId === first.over && isStuck) throw new Error("ENAMETOOLONG");
      removed.push(ownerId);
    },
  };
  const said: string[] = [];
  const spy = {
    ...log,
    warn: (_: unknown, text: string) => said.push(text),
    info: (_: unknown, text: string) => said.push(text),
  } as unknown as Log;
  let now = 0;
  const service = createWorkspaceCleanupService(sql, [keeper], spy, () => now);
  await service.tick();
  await service.tick();
  expect(removed.sort()).toEqual([...first.go, ...second.go].filter((id) => id !== first.over).sort());
  expect(said).toEqual(["a workspace could not be removed; it will be retried"]);
  expect((await kit.run(first.teamId, first.over)).phase).toBe("completed");
  isStuck = false;
  await service.tick();
  expect(removed).not.toContain(first.over);
  now += 60_000;
  await service.tick();
  expect(removed).toContain(first.over);
  expect((await kit.run(first.teamId, first.over)).phase).toBe("finalized");
});

test("a workspace that is deeper than any path can say is removed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "millrace-cleanup-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { teamId, over } = await makeWorkspaces();
  const deep = workspaceFolder(folder, teamId, "workflowrun", over);
  await mkdir(deep, { recursive: true });
  execFileSync(
    process.execPath,
    ["-e", 'for (let i = 0; i < 60; i++) { fs.mkdirSync("d".repeat(100)); process.chdir("d".repeat(100)); }'],
    { cwd: deep },
  );
  await createWorkspaceCleanupService(sql, [folderWorkspaces(folder, log)], log).tick();
  expect(await readdir(join(folder, teamId, "workflowrun"))).toEqual([]);
});
