import { workflowRun } from "@millrace/contract/run.ts";
import { requireSchedule } from "../../domain/schedule/require-schedule.ts";
import { submitForSchedule } from "../../domain/schedule/submit-for-schedule.ts";
import { defineEndpoint } from "../endpoint.ts";
import { lineageHeaders, lineageOf } from "../lineage-header.ts";
import { publishSubmitted } from "../run/publish-changes.ts";
import { viewSubmitted } from "../run/run.view.ts";
import { schedulePath } from "./schedule-path.ts";

export const submitSchedule = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/schedule/:scheduleId/submit",
  summary: "Submit a run of a schedule now",
  description:
    "Uses the parameters, including secrets, and the labels of the schedule. Its times don't change, and a paused schedule stays paused. " +
    "You are the initiator of the run: the overlap policy does not count it.",
  tag: "Schedules",
  permission: "schedule/action",
  transaction: "write",
  idempotent: true,
  keepsToWorkflow: true,
  params: schedulePath,
  headers: lineageHeaders,
  response: workflowRun,
  async handle({ db, team, params, principal, headers, services, auditRecord, afterCommit }) {
    const schedule = await requireSchedule(db, team.id, params.scheduleId, principal.workflowId);
    const audit = (id: string) => auditRecord({ kind: "workflowrun", id, name: schedule.workflowName });
    const asked = { teamId: team.id, initiatedBy: principal.id, lineage: lineageOf({ headers }), audit };
    const run = await submitForSchedule(db, services.runs, schedule, asked);
    afterCommit(() => publishSubmitted(services, run));
    return viewSubmitted(run.row, principal);
  },
});
