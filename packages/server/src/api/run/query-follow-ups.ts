import { type RunFollowUp, runFollowUpPage } from "@millrace/contract/run.ts";
import Type from "typebox";
import { listOutcomeStarts, type OutcomeStartRow } from "../../store/run/outcome-starts.ts";
import { defineEndpoint } from "../endpoint.ts";
import { defaultedPageParameters } from "../query-parameters.ts";
import { viewPage } from "../view-page.ts";
import { getRunRow } from "./load-run.ts";
import { runPath } from "./run-path.ts";

export const queryFollowUps = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflowrun/:runId/followups",
  summary: "Read the runs that the end of a run started",
  description:
    "A page with an entry for each workflow whose trigger `workflow` matched: the run that was submitted, or why there is none. Kept for 90 days.",
  tag: "Runs",
  permission: "workflowrun/read",
  transaction: "read",
  params: runPath,
  query: Type.Object(defaultedPageParameters),
  response: runFollowUpPage,
  async handle({ db, team, params, query, principal }) {
    const { limit, page } = query;
    const run = await getRunRow(db, team.id, params.runId, principal);
    const { rows, total } = await listOutcomeStarts(db, team.id, run.id, { limit, offset: page * limit });
    return viewPage(rows.map(viewFollowUp), { limit, page, total, sorted: true });
  },
});

function viewFollowUp({ workflowId, workflowName, outcome, runId, message, at }: OutcomeStartRow): RunFollowUp {
  return {
    workflowRef: workflowId,
    ...(workflowName !== null && { workflowName }),
    outcome,
    ...(runId !== null && { workflowRunRef: runId }),
    ...(message !== null && { message }),
    date: at.toISOString(),
  };
}
