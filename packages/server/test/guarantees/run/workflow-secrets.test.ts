import { expect, test } from "vitest";
import type { ExecutorKind } from "../../../src/core/task/tekton/runnable.ts";
import { createWorkflow } from "../../../src/domain/workflow/create-workflow.ts";
import { loadSaveContext } from "../../../src/domain/workflow/save-context.ts";
import { prepareJobs } from "../../../src/engine/prepare-jobs.ts";
import { claimTaskRuns, insertWorker } from "../../../src/store/worker/workers.ts";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { testExecutors } from "../../kit/worker/test-executor.ts";
import { makeTask } from "../../kit/workflow-factories.ts";

const { sql } = await testDatabase();
const kit = engineKit(sql);

test("the secrets of a workflow and of its tasks reach the executor in clear, and nobody else", async () => {
  const teamId = await kit.team();
  await makeTask(sql, {
    name: "call",
    type: "script",
    script: "true",
    params: [{ name: "password", type: "password" }, { name: "token" }],
  });
  const context = await loadSaveContext(sql, teamId, "test", kit.context.keyring, kit.context);
  await createWorkflow(sql, context, {
    name: "flow",
    params: [{ name: "token", type: "password", default: "open sesame" }],
    tasks: [
      {
        name: "a",
        taskRef: "call",
        params: [
          { name: "password", value: "correct horse" },
          { name: "token", value: "$(params.token)" },
        ],
      },
    ],
  });
  const { id } = await kit.submit(teamId, "flow", { start: true });
  await kit.settle();

  const kinds: ExecutorKind[] = ["process"];
  const worker = { host: "test", pid: 1, roles: [], executors: kinds, configured: kinds, labels: [], slots: 1, leaseSeconds: 60 };
  const claims = await claimTaskRuns(sql, await insertWorker(sql, worker), 1, ["process"], []);
  const limits = { memoryBytes: 1, processes: 1, outputBytes: 1, resultBytes: 1 };
  const settings = { executors: testExecutors(), workspacesDir: "/nowhere", limits };
  const [prepared] = await prepareJobs(sql, kit.context, settings, claims);
  expect(prepared?.job?.params).toEqual([
    { name: "password", value: "correct horse" },
    { name: "token", value: "open sesame" },
  ]);
  expect(prepared?.job?.secrets).toEqual(expect.arrayContaining(["correct horse", "open sesame"]));

  const stored = await sql`
    select r.params::text || r.layers::text || t.params::text as text from run r join task_run t on t.team_id = r.team_id and t.run_id = r.id
    where r.team_id = ${teamId} and r.id = ${id} and t.name = 'a'`;
  expect(stored[0]?.["text"]).toContain('{"name":"password","value":"******"}');
  expect(stored[0]?.["text"]).not.toMatch(/horse|sesame|mrsealed/);
});
