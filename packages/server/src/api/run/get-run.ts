import { workflowRun } from "@millrace/contract/run.ts";
import Type from "typebox";
import type { Queryable } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { defineEndpoint } from "../endpoint.ts";
import { awaitRun, readWait, waitParameter } from "./await-run.ts";
import { getRunRow, loadRun } from "./load-run.ts";
import { runPath } from "./run-path.ts";

export const getRun = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflowrun/:runId",
  summary: "Read a run",
  description:
    "With its task runs and their attempts. `waitingFor` says in words what a waiting one waits for. With `wait` the response comes when the run ends.",
  tag: "Runs",
  permission: "workflowrun/read",
  transaction: "none",
  keepsToWorkflow: true,
  params: runPath,
  query: Type.Object({ withTasks: Type.Boolean({ default: true, description: "false leaves the task runs out" }), wait: waitParameter }),
  response: workflowRun,
  async handle(context) {
    const { db, team, params, query, principal, services } = context;
    const load = async (from: Queryable) =>
      loadRun(from, services.runs, team.id, await getRunRow(from, team.id, params.runId, principal), query.withTasks);
    if (query.wait !== undefined) {
      const forMs = readWait(query.wait);
      await awaitRun(db, context, (await getRunRow(db, team.id, params.runId, principal)).id, forMs);
    }
    // The run alone is one statement, and so of one moment by itself.
    return query.withTasks ? transaction(db, load, { access: "read" }) : load(db);
  },
});
