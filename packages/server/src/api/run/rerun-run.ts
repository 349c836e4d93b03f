import { workflowRun } from "@millrace/contract/run/run.ts";
import Type from "typebox";
import { lineageHeaders, lineageOf } from "../../core/run/lineage.ts";
import { publishSubmitted } from "../../domain/run/report-changes.ts";
import { type RetryInput, retryRun as runAgain } from "../../domain/run/rerun/retry-run.ts";
import { findRerun } from "../../store/run/reruns.ts";
import { defineEndpoint, type Endpoint } from "../endpoint.ts";
import { getRunRow, runPath } from "./load-run.ts";
import { viewSubmitted } from "./run.view.ts";

/** The two ways to run a run again are the same endpoint except for a word. */
function defineRunAgain(mode: RetryInput["mode"], texts: { summary: string; description: string }): Endpoint {
  return defineEndpoint({
    method: "PUT",
    path: `/api/v2/team/:team/workflowrun/:runId/${mode}`,
    ...texts,
    tag: "Runs",
    permission: "workflowrun/action",
    transaction: "write",
    keepsToWorkflow: true,
    params: runPath,
    headers: lineageHeaders,
    query: Type.Object({ start: Type.Boolean({ default: false, description: "Start the new run now instead of queueing it" }) }),
    response: workflowRun,
    async handle({ db, team, params, query, principal, headers, services, audit, afterCommit }) {
      const row = await getRunRow(db, team.id, params.runId, principal);
      const input = {
        teamId: team.id,
        runId: row.id,
        mode,
        start: query.start,
        initiatedBy: principal.id,
        lineage: lineageOf({ headers }),
      };
      const run = await runAgain(db, services.runs, input);
      audit({ kind: "workflowrun", id: run.id, name: row.workflowName, after: { [`${mode}Of`]: row.id } });
      afterCommit(() => publishSubmitted(services, run));
      return viewSubmitted(run.row, principal, mode === "rerun" ? await findRerun(db, team.id, run.id) : undefined);
    },
  });
}

export const rerunRun = defineRunAgain("rerun", {
  summary: "Run a run again from the failed tasks",
  description:
    "Creates a run that keeps the results of tasks that succeeded, and runs the failed tasks and all that follow them again. " +
    "409 for a run that is still open, or that succeeded.",
});

export const retryRun = defineRunAgain("retry", {
  summary: "Run a run again from the beginning",
  description:
    "Creates a run with the same content and parameters, linked to the first original. A body is ignored. 409 for a run that is still open.",
});
