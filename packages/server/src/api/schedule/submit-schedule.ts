import { workflowRun } from "@millrace/contract/run.ts";
import { requireSchedule } from "../../domain/schedule/require-schedule.ts";
import { submitForSchedule } from "../../domain/schedule/submit-for-schedule.ts";
import { defineEndpoint } from "../endpoint.ts";
import { publishSubmitted } from "../run/publish-changes.ts";
import { viewRun } from "../run/run.view.ts";
import { schedulePath } from "./schedule-path.ts";

export const submitSchedule = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/schedule/:scheduleId/submit",
  summary: "Submit a run of a schedule now",
  description:
    "With the parameters, secrets included, and the labels of the schedule; its times stay as they are, and a paused schedule stays paused. " +
    "The run is the caller's: the overlap policy does not count it.",
  tag: "Schedules",
  permission: "schedule/action",
  transaction: "write",
  idempotent: true,
  keepsToWorkflow: true,
  params: schedulePath,
  response: workflowRun,
  async handle({ db, team, params, principal, services, auditRecord, afterCommit }) {
    const schedule = await requireSchedule(db, team.id, params.scheduleId, principal.workflowId);
    const audit = (id: string) => auditRecord({ kind: "workflowrun", id, name: schedule.workflowName });
    const run = await submitForSchedule(db, services.runs, schedule, { teamId: team.id, initiatedBy: principal.id, audit });
    afterCommit(() => publishSubmitted(services, run));
    return viewRun(run.row);
  },
});
