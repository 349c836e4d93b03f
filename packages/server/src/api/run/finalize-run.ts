import { workflowRun } from "@millrace/contract/run.ts";
import { finalizeRun as finalize } from "../../domain/run/finalize-run.ts";
import { channels } from "../../domain/run/wake-for-changes.ts";
import { defineEndpoint } from "../endpoint.ts";
import { getRunRow, reloadRun } from "./load-run.ts";
import { runPath } from "./run-path.ts";

export const finalizeRun = defineEndpoint({
  method: "PUT",
  path: "/api/v2/team/:team/workflowrun/:runId/finalize",
  summary: "Free the storage of a finished run",
  description: "Releases its workspaces; the run can't change any more. 409 for a run that is still open or already finalized.",
  tag: "Runs",
  permission: "workflowrun/action",
  transaction: "write",
  keepsToWorkflow: true,
  params: runPath,
  response: workflowRun,
  async handle({ db, team, params, principal, services, audit, afterCommit }) {
    const row = await getRunRow(db, team.id, params.runId, principal);
    await finalize(db, team.id, row);
    audit({ kind: "workflowrun", id: row.id, name: row.workflowName, before: { phase: row.phase }, after: { phase: "finalized" } });
    afterCommit(() => services.bus.wake(channels.runs, row.id));
    return reloadRun(db, services.runs, team.id, row.id);
  },
});
