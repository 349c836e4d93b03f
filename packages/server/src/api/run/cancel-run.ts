import { workflowRun } from "@millrace/contract/run.ts";
import { cancelRun as cancel } from "../../domain/run/cancel-run.ts";
import { defineEndpoint } from "../endpoint.ts";
import { getRunRow, reloadRun } from "./load-run.ts";
import { publishChanges } from "./publish-changes.ts";
import { runPath } from "./run-path.ts";

export const cancelRun = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team/workflowrun/:runId/cancel",
  summary: "Cancel a run",
  description:
    "The run, its open task runs and its open actions are cancelled before the response; processes are ended right after. Runs that it " +
    "waits for are cancelled too. 409 for a finished run.",
  tag: "Runs",
  permission: "workflowrun/action",
  transaction: "write",
  keepsToWorkflow: true,
  params: runPath,
  response: workflowRun,
  async handle({ db, team, params, principal, services, audit, afterCommit }) {
    const row = await getRunRow(db, team.id, params.runId, principal);
    const change = await cancel(db, services.runs, { teamId: team.id, runId: row.id, by: principal.name });
    audit({
      kind: "workflowrun",
      id: row.id,
      name: row.workflowName,
      before: { status: change.before.status },
      after: { status: "cancelled" },
    });
    afterCommit(() => publishChanges(services, [change]));
    return reloadRun(db, services.runs, team.id, row.id);
  },
});
