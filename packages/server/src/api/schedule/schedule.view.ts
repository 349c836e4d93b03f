import type { ScheduleFiring, WorkflowSchedule } from "@millrace/contract/schedule.ts";
import Type from "typebox";
import { lineageOf } from "../../core/run/lineage.ts";
import { maskScheduleParams } from "../../core/schedule/schedule-params.ts";
import { compileTiming, nextTime } from "../../core/schedule/timing.ts";
import { whyScheduleWaits } from "../../core/schedule/why-schedule-waits.ts";
import type { ScheduleContext } from "../../domain/schedule/save-schedule.ts";
import type { FiringRow } from "../../store/schedule/schedule-firings.ts";
import type { ScheduleRow } from "../../store/schedule/schedules.ts";
import type { Context } from "../endpoint.ts";
import { teamParameter } from "../request-parameters.ts";

/** The parameters of all paths below a schedule. */
export const schedulePath = Type.Object({
  team: teamParameter,
  scheduleId: Type.String({ description: "ID of the schedule", examples: ["01980f3e-7d2b-7c3a-9f35-0c9b8f6c1f5e"] }),
});

/** Secrets are empty; members without a value are left out. */
export function viewSchedule(row: ScheduleRow): WorkflowSchedule {
  const waitingFor = whyScheduleWaits(row);
  const next = row.nextAt ?? timeIfEnabled(row);
  return {
    id: row.id,
    workflowRef: row.workflowName,
    workflowDisplayName: row.workflowDisplayName,
    name: row.name,
    ...(row.description !== null && { description: row.description }),
    creationDate: row.createdAt.toISOString(),
    type: row.type,
    status: row.status,
    ...(row.statusMessage !== null && { statusMessage: row.statusMessage }),
    ...(waitingFor !== undefined && { waitingFor }),
    labels: row.labels,
    ...(row.cron !== null && { cronSchedule: row.cron }),
    ...(row.dateAt && { dateSchedule: row.dateAt.toISOString() }),
    timezone: row.timezone,
    params: maskScheduleParams(row.params, row.secretNames),
    overlapPolicy: row.overlapPolicy,
    catchUpPolicy: row.catchUpPolicy,
    ...(row.catchUpWindowMinutes !== null && { catchUpWindow: row.catchUpWindowMinutes }),
    jitter: row.jitterSeconds,
    exclusions: row.exclusions,
    ...(next && { nextScheduleDate: next.toISOString() }),
    ...(row.lastAt && { lastScheduleDate: row.lastAt.toISOString() }),
    ...(row.lastRunId !== null && { lastRunRef: row.lastRunId }),
  };
}

/** Of a schedule that waits for its workflow's trigger: its next time if the trigger were on. */
function timeIfEnabled(row: ScheduleRow): Date | undefined {
  return row.status === "trigger_disabled" ? nextTime(compileTiming(row), row.now) : undefined;
}

export function viewFiring(row: FiringRow): ScheduleFiring {
  return {
    scheduledDate: row.scheduledFor.toISOString(),
    date: row.firedAt.toISOString(),
    outcome: row.outcome,
    count: row.count,
    ...(row.runId !== null && { workflowRunRef: row.runId }),
    ...(row.message !== null && { message: row.message }),
  };
}

type Request = Pick<Context<unknown, unknown, unknown, unknown>, "team" | "principal" | "keyring" | "headers">;

/** For whom a request saves a schedule, and the workflows that led to it. */
export function scheduleContext({ team, principal, keyring, headers }: Request): ScheduleContext {
  const author = { principal: principal.id };
  return { teamId: team.id, keyring, author, onlyWorkflowId: principal.workflowId, lineage: lineageOf({ headers }) };
}
