import type { RunParam } from "@millrace/contract/common.ts";
import type { WorkflowSubmitRequest } from "@millrace/contract/run.ts";
import type { Lineage } from "../../core/run/lineage.ts";
import { openScheduleParams } from "../../core/schedule/schedule-params.ts";
import type { AuditRecord } from "../../store/audit/audit.ts";
import type { Transaction } from "../../store/database/database.ts";
import type { ScheduleRow } from "../../store/schedule/schedules.ts";
import type { RecordedRun } from "../run/record-run.ts";
import type { RunContext } from "../run/run-context.ts";
import { submitRun } from "../run/submit-run.ts";
import { scheduleSecrets } from "./schedule-secrets.ts";

/** Annotations of a run that someone started out of turn: of which schedule, and for which of its times. */
const scheduleAnnotation = "millrace.dev/schedule";
const timeAnnotation = "millrace.dev/scheduled-for";

export interface OutOfTurn {
  teamId: string;
  /** Who asks. So the run is none of the schedule's own, which the overlap policy counts and cancels. */
  initiatedBy: string;
  /** For a time of the past. */
  time?: Date;
  /** Instead of what the schedule gives under the same name. */
  params?: readonly RunParam[];
  audit?: (runId: string) => AuditRecord;
  /** Of the request. */
  lineage?: Lineage;
}

/** Submits a run with all that a schedule gives to its runs, because someone wants it and not because it is time. */
export function submitForSchedule(
  tx: Transaction,
  context: RunContext,
  schedule: ScheduleRow,
  { teamId, initiatedBy, time, params: given = [], audit, lineage = [] }: OutOfTurn,
): Promise<RecordedRun> {
  const { params, secretParams } = openScheduleParams(schedule.params, scheduleSecrets(context.keyring, teamId).open);
  const names = new Set(given.map(({ name }) => name));
  const request: WorkflowSubmitRequest = {
    params: [...params.filter(({ name }) => !names.has(name)), ...given],
    labels: schedule.labels,
    annotations: { [scheduleAnnotation]: schedule.id, ...(time && { [timeAnnotation]: time.toISOString() }) },
    trigger: "schedule",
  };
  const workflow = schedule.workflowId;
  const asked = { request, start: false, initiatedBy, lineage, refusesLoops: true };
  return submitRun(tx, context, { teamId, workflow, ...asked, secretParams, ...(audit && { audit }) });
}
