import { type WorkflowRun, workflowRun, workflowSubmitRequest } from "@millrace/contract/run/run.ts";
import { isFinal } from "@millrace/contract/status.ts";
import Type from "typebox";
import { lineageHeaders, lineageOf } from "../../core/run/lineage.ts";
import { publishSubmitted } from "../../domain/run/report-changes.ts";
import { submitRun } from "../../domain/run/submit-run.ts";
import type { RunRow } from "../../store/run/runs.ts";
import { defineEndpoint } from "../endpoint.ts";
import { awaitRun, checkWait, readWait, waitParameter } from "../run/await-run.ts";
import { getRunRow, loadRun } from "../run/load-run.ts";
import { viewSubmitted } from "../run/run.view.ts";
import { workflowPath } from "./workflow.view.ts";

export const submitWorkflow = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/workflow/:workflow/submit",
  summary: "Submit a run of a workflow",
  description:
    "Creates the run with all its task runs. By default the response shows it in the queue; it begins as soon as an engine and the team's quota of concurrent runs allow it, which may be at once. " +
    "With start=true it starts in the same transaction, or is refused with 429 if the quota is used up. The response has no `tasks`; read the run to get them. " +
    "With `wait` the response comes when the run ends; this needs the permission `workflowrun/read` as well. Repeating a request with its Idempotency-Key never creates a second run: use it to continue waiting.",
  tag: "Workflows",
  permission: "workflow/action",
  transaction: "when-needed",
  idempotent: true,
  keepsAnswer: true,
  params: workflowPath,
  query: Type.Object({
    start: Type.Boolean({ default: false, description: "Start now instead of queueing" }),
    wait: waitParameter,
  }),
  headers: lineageHeaders,
  body: workflowSubmitRequest,
  presentBody: withLowerCaseTrigger,
  response: workflowRun,
  async handle({ db, team, params, query, body, principal, headers, traceparent, services, auditRecord, keep, afterCommit }) {
    if (query.wait !== undefined) checkWait(query.wait, principal, team);
    const loopCheck = { lineage: lineageOf({ headers }), refusesLoops: true };
    const audit = (id: string) => auditRecord({ kind: "workflowrun", id, name: params.workflow });
    const input = {
      teamId: team.id,
      workflow: params.workflow,
      request: body,
      start: query.start,
      isEvent: query.wait === undefined,
      initiatedBy: principal.id,
      traceparent,
      audit,
      keep: keep && ((row: RunRow) => keep(viewSubmitted(row, principal))),
      ...loopCheck,
    };
    const run = await submitRun(db, services.runs, input);
    afterCommit(() => publishSubmitted(services, run));
    return viewSubmitted((query.wait !== undefined && run.ended) || run.row, principal);
  },
  wantsBeforeAnswer: ({ wait }) => wait !== undefined,
  async beforeAnswer(context, submitted, isStored) {
    const { db, team, query, services, principal } = context;
    const { id, status } = submitted as WorkflowRun;
    // Nothing can have happened to it since. A stored response may be older than a retry.
    if (!isStored && isFinal(status)) return undefined;
    try {
      await awaitRun(db, context, { id, isNew: !isStored }, readWait(query.wait!));
      return await loadRun(db, services.runs, team.id, await getRunRow(db, team.id, id, principal), "none");
    } catch {
      // The run is recorded: an error would suggest that it isn't, and the client would submit another one.
      return undefined;
    }
  },
});

/** Words are matched ignoring case. */
function withLowerCaseTrigger(body: unknown): unknown {
  const isText = typeof body === "object" && body !== null && "trigger" in body && typeof body.trigger === "string";
  return isText ? { ...body, trigger: (body.trigger as string).toLowerCase() } : body;
}
