import { type RunFollowUp, runFollowUpPage, workflowRun } from "@millrace/contract/run/run.ts";
import { summaryItems } from "@millrace/contract/run/run-rules.ts";
import { stringEnum } from "@millrace/contract/schema.ts";
import Type from "typebox";
import type { Queryable } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { listOutcomeStarts, type OutcomeStartRow } from "../../store/run/outcome-starts.ts";
import { defineEndpoint } from "../endpoint.ts";
import { defaultedPageParameters } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";
import { awaitRun, readWait, waitParameter } from "./await-run.ts";
import { getRunRow, loadRun, runPath, runViews } from "./load-run.ts";

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
  query: Type.Object({
    withTasks: Type.Boolean({ default: true, description: "false leaves the task runs out" }),
    view: stringEnum(runViews, {
      default: "full",
      description:
        `\`summary\` is for a page that shows the whole run: of a forEach at most ${summaryItems} items, those that failed or wait first ` +
        "(`items` counts all, `taskrun/query` has them in pages); no `spec`; large parameters and results are left out (`truncated`)",
      examples: ["summary"],
    }),
    wait: waitParameter,
  }),
  response: workflowRun,
  async handle(context) {
    const { db, team, params, query, principal, services } = context;
    const tasks = query.withTasks ? query.view : "none";
    const load = async (from: Queryable) =>
      loadRun(from, services.runs, team.id, await getRunRow(from, team.id, params.runId, principal), tasks);
    if (query.wait !== undefined) {
      const forMs = readWait(query.wait);
      const { id } = await getRunRow(db, team.id, params.runId, principal);
      await awaitRun(db, context, { id, isNew: false }, forMs);
    }
    // The run alone is one statement, so all of it is of the same moment.
    return query.withTasks ? transaction(db, load, { access: "read" }) : load(db);
  },
});

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
