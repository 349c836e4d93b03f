import { expect, test } from "vitest";
import { testDatabase } from "../../test/kit/database.ts";
import { upsertGlobalTask } from "../domain/task/upsert-global-task.ts";
import { findTask, listTaskChanges } from "../store/task/tasks.ts";
import { seedCatalog } from "./seed-catalog.ts";

const { sql } = await testDatabase();
const shell = { teamId: null, ref: "execute-shell" };
const versions = async () => (await listTaskChanges(sql, shell))?.map(({ version, author }) => `${version} ${author}`);

test("the global tasks are put in place once, also by processes that start at the same moment", async () => {
  await Promise.all([seedCatalog(sql), seedCatalog(sql), seedCatalog(sql)]);
  const [row] = await sql<{ tasks: number; versions: number }[]>`
    select (select count(*)::int from task) as tasks, (select count(*)::int from task_version) as versions`;
  expect(row).toEqual({ tasks: row!.tasks, versions: row!.tasks });
  expect(row!.tasks).toBeGreaterThanOrEqual(17);
  expect(await findTask(sql, shell)).toMatchObject({
    type: "script",
    verified: true,
    status: "active",
    displayName: "Execute Shell",
    category: "Utilities",
  });
  expect(await findTask(sql, { teamId: null, ref: "run-custom-task" })).toMatchObject({ type: "custom", spec: { envs: [] } });
});

test("what an administrator made of a shipped task stays, until a new one is shipped", async () => {
  const document = (script: string) => `
apiVersion: tekton.dev/v1
kind: Task
metadata: { name: execute-shell, annotations: { millrace.dev/type: script } }
spec: { steps: [{ script: "${script}" }] }`;
  expect(await upsertGlobalTask(sql, document("of the administrator"))).toBe(true);
  await sql`update task set status = 'inactive' where name = 'execute-shell'`;
  await seedCatalog(sql);
  expect(await findTask(sql, shell)).toMatchObject({ version: 2, spec: { script: "of the administrator" } });
  expect(await upsertGlobalTask(sql, document("newly shipped"))).toBe(true);
  expect(await upsertGlobalTask(sql, document("newly shipped"))).toBe(false);
  expect(await findTask(sql, shell)).toMatchObject({ version: 3, status: "inactive", spec: { script: "newly shipped" } });
  expect(await versions()).toEqual(["1 millrace", "2 millrace", "3 millrace"]);
});
