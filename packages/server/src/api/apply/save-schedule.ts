import type { ScheduleInput } from "@millrace/contract/schedule.ts";
import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { shownDocument } from "../../core/apply/shown-document.ts";
import { channels } from "../../domain/run/report-changes.ts";
import { changeSchedule, createSchedule } from "../../domain/schedule/save-schedule.ts";
import { findSchedule, listSchedulesNamed, type ScheduleRow } from "../../store/schedule/schedules.ts";
import { lockWorkflow } from "../../store/workflow/workflows.ts";
import { scheduleContext, viewSchedule } from "../schedule/schedule.view.ts";
import { type ApplyContext, changesSecrets, type SavedDocument, teamOf, withPermission } from "./apply-context.ts";
import type { SetDocument } from "./read-set.ts";

/** A schedule is found by the name of its workflow and its own. */
export async function saveSchedule(
  given: ApplyContext,
  { input, name }: Extract<SetDocument, { form: "schedule" }>,
): Promise<SavedDocument> {
  const { db, audit, services, afterCommit, ...rest } = withPermission(given, "schedule/write");
  const team = teamOf(given);
  const context = scheduleContext({ ...rest, team });
  const present = await findPresent(given, team.id, input, name);
  const { before, after } =
    present === undefined
      ? { before: undefined, after: await createSchedule(db, context, input) }
      : await changeSchedule(db, context, present.id, input, { keepsSame: true });
  const isSame = after === before;
  const view = viewSchedule(after);
  if (!isSame) {
    audit({ kind: "schedule", id: view.id, name: view.name, ...(before && { before: viewSchedule(before) }), after: view });
    afterCommit(() => services.bus.wake(channels.schedules));
  }
  return {
    name: after.name,
    workflow: after.workflowName,
    id: after.id,
    before: before && shownDocument("Schedule", viewSchedule(before)),
    after: shownDocument("Schedule", view),
    isSame,
    changesSecrets: changesSecrets(before?.params, after.params),
  };
}

/** The workflow is locked, so that no other schedule of that name is made meanwhile. */
async function findPresent({ db }: ApplyContext, teamId: string, input: ScheduleInput, name: string): Promise<ScheduleRow | undefined> {
  if (input.id && isId(input.id)) {
    const byId = await findSchedule(db, teamId, input.id);
    if (byId !== undefined) return byId;
  }
  const workflow = await lockWorkflow(db, teamId, input.workflowRef?.trim() ?? "");
  if (workflow === undefined) return undefined;
  const [found, another] = await listSchedulesNamed(db, teamId, workflow.id, input.name?.trim() ? name : workflow.name);
  if (another === undefined) return found;
  const message = `is ${name}, and the workflow ${workflow.name} has several schedules of this name; give the id of one, or rename the others`;
  throw new AppError("SCHEDULE_INVALID_REQ", [`name ${message}`], { details: [{ path: "/name", message }] });
}
