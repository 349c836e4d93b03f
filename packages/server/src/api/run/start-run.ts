import { type WorkflowRunRequest, workflowRun, workflowRunRequest } from "@millrace/contract/run.ts";
import { startRun as start } from "../../domain/run/start-run.ts";
import { defineEndpoint } from "../endpoint.ts";
import { getRunRow, reloadRun } from "./load-run.ts";
import { publishChanges } from "./publish-changes.ts";
import { runPath } from "./run-path.ts";

export const startRun = defineEndpoint({
  method: "PUT",
  path: "/api/v2/team/:team/workflowrun/:runId/start",
  summary: "Start a queued run now",
  description:
    "Skips the queue if the team's quota of concurrent runs allows it (429 otherwise). The body overrides what the run was " +
    "submitted with: labels, annotations, parameters and workspaces by name. 409 for a run that is not in the queue.",
  tag: "Runs",
  permission: "workflowrun/action",
  transaction: "write",
  keepsToWorkflow: true,
  params: runPath,
  body: workflowRunRequest,
  bodyOptional: true,
  response: workflowRun,
  async handle({ db, team, params, body, principal, services, audit, afterCommit }) {
    const row = await getRunRow(db, team.id, params.runId, principal);
    const change = await start(db, services.runs, team.id, row, (body ?? {}) as WorkflowRunRequest);
    audit({ kind: "workflowrun", id: row.id, name: row.workflowName, after: { status: change.after.status } });
    afterCommit(() => publishChanges(services, [change]));
    return reloadRun(db, services.runs, team.id, row.id);
  },
});
