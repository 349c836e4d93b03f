import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import { maxScheduleParamsLength, type ScheduleInput } from "@millrace/contract/schedule.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { checkParamValues } from "../../core/parameter/parameters-check.ts";
import { isSecretParam } from "../../core/parameter/secret-params.ts";
import type { Lineage } from "../../core/run/lineage.ts";
import { armSchedule } from "../../core/schedule/arm-schedule.ts";
import { readScheduleInput } from "../../core/schedule/read-schedule-input.ts";
import { isSameSchedule } from "../../core/schedule/same-schedule.ts";
import type { ScheduleFields } from "../../core/schedule/schedule-fields.ts";
import { openScheduleParams, resealScheduleParams, sealScheduleParams } from "../../core/schedule/schedule-params.ts";
import { isTryName } from "../../core/workflow/try-name.ts";
import { readClock } from "../../store/database/clock.ts";
import type { Queryable } from "../../store/database/database.ts";
import { newIds } from "../../store/run/run-states.ts";
import { findSchedule, insertSchedule, lockSchedule, type ScheduleRow, updateSchedule } from "../../store/schedule/schedules.ts";
import { noteStartAuthor, type StartAuthor } from "../../store/schedule/start-authors.ts";
import { findWorkflowVersion } from "../../store/workflow/workflow-versions.ts";
import { lockWorkflow, type WorkflowRow } from "../../store/workflow/workflows.ts";
import { scheduleSecrets } from "./schedule-secrets.ts";

/** The caller, and the scope, of a save. */
export interface ScheduleContext {
  teamId: string;
  keyring: Keyring;
  author: StartAuthor;
  /** For a caller who may do this for one workflow only. */
  onlyWorkflowId?: string | undefined;
  /** The workflows that led to it, if a run creates it. */
  lineage?: Lineage;
}

/**
 * Creates a schedule. The workflow is locked, so that its trigger and its parameters don't change meanwhile.
 *
 * @param secretParams names of parameters that contain secrets although the workflow does not declare them as secret
 * @throws SCHEDULE_INVALID_REF, SCHEDULE_INVALID_REQ, SCHEDULE_INVALID_CRON, SCHEDULE_INVALID_RUNONCE, VALIDATION_FAILED
 */
export async function createSchedule(
  db: Queryable,
  context: ScheduleContext,
  input: ScheduleInput,
  secretParams: ReadonlySet<string> = new Set(),
): Promise<ScheduleRow> {
  const ref = input.workflowRef?.trim();
  if (!ref) throw new AppError("SCHEDULE_INVALID_REQ", ["workflowRef is missing; give the name or ID of a workflow of the team"]);
  const workflow = await holdWorkflow(db, context, ref);
  const [id] = (await newIds(db, 1)) as [string];
  const fields = await prepare(db, context, workflow, { id, input, current: undefined, secretParams });
  await insertSchedule(db, context.teamId, { id, workflowId: workflow.id, lineage: context.lineage ?? [] }, fields);
  await noteStartAuthor(db, { teamId: context.teamId, kind: "schedule", id }, context.author);
  return reread(db, context, id);
}

/**
 * Changes a schedule. Missing members don't change; a schedule keeps its workflow.
 *
 * @param keepsSame if nothing changes, nothing is written, and `after` is `before`
 * @throws as createSchedule
 */
export async function changeSchedule(
  db: Queryable,
  context: ScheduleContext,
  id: string,
  input: ScheduleInput,
  { keepsSame = false } = {},
): Promise<{ before: ScheduleRow; after: ScheduleRow }> {
  const { teamId, onlyWorkflowId } = context;
  const found = await findSchedule(db, teamId, id, onlyWorkflowId);
  if (!found) throw new AppError("SCHEDULE_INVALID_REF", [id]);
  const workflow = await holdWorkflow(db, context, input.workflowRef?.trim() || found.workflowId);
  if (workflow.id !== found.workflowId) {
    const message = `workflowRef ${input.workflowRef} differs from the workflow of the schedule, ${found.workflowName}; create a new schedule for it`;
    throw new AppError("SCHEDULE_INVALID_REQ", [message]);
  }
  const before = await lockSchedule(db, teamId, found.id, onlyWorkflowId);
  if (!before) throw new AppError("SCHEDULE_INVALID_REF", [id]);
  const writing = { id: before.id, input, current: before };
  if (keepsSame && (await isSame(db, context, workflow, writing))) return { before, after: before };
  await updateSchedule(db, teamId, before.id, await prepare(db, context, workflow, writing));
  await noteStartAuthor(db, { teamId, kind: "schedule", id: before.id }, context.author);
  return { before, after: await reread(db, context, before.id) };
}

async function holdWorkflow(db: Queryable, { teamId, onlyWorkflowId }: ScheduleContext, ref: string): Promise<WorkflowRow> {
  const workflow = await lockWorkflow(db, teamId, ref);
  if (!workflow || isTryName(workflow.name) || (onlyWorkflowId !== undefined && workflow.id !== onlyWorkflowId)) {
    throw new AppError("SCHEDULE_INVALID_REF", [`of workflow ${ref}: the team has no such workflow`]);
  }
  return workflow;
}

async function isSame(
  db: Queryable,
  context: ScheduleContext,
  workflow: WorkflowRow,
  writing: Writing & { current: ScheduleFields },
): Promise<boolean> {
  const settings = readScheduleInput(writing.input, writing.current, workflow.name);
  const params = sealParams(context, writing, await declaredParams(db, context.teamId, workflow));
  return isSameSchedule({ ...settings, params }, writing.current, isTriggerEnabled(workflow));
}

interface Writing {
  id: string;
  input: ScheduleInput;
  current: ScheduleFields | undefined;
  secretParams?: ReadonlySet<string>;
}

async function prepare(db: Queryable, context: ScheduleContext, workflow: WorkflowRow, writing: Writing): Promise<ScheduleFields> {
  const { id, input, current } = writing;
  const settings = readScheduleInput(input, current, workflow.name);
  const now = await readClock(db);
  const armed = armSchedule(settings, { id, isTriggerEnabled: isTriggerEnabled(workflow), current, now });
  const declared = await declaredParams(db, context.teamId, workflow);
  const params = sealParams(context, writing, declared);
  checkSize(params);
  if (armed.status === "active" || armed.status === "trigger_disabled") checkParams(context, params, declared);
  return { ...settings, params, ...armed };
}

/** For an archived workflow it counts as off, until the workflow is restored. */
function isTriggerEnabled({ triggers, archivedAt }: WorkflowRow): boolean {
  return triggers.schedule?.enabled === true && archivedAt === null;
}

async function declaredParams(db: Queryable, teamId: string, workflow: WorkflowRow): Promise<readonly AbstractParam[]> {
  return (await findWorkflowVersion(db, teamId, workflow.id, workflow.latestVersion))?.document.params ?? [];
}

function sealParams(
  { keyring, teamId }: ScheduleContext,
  { input, current, secretParams }: Writing,
  declared: readonly AbstractParam[],
): RunParam[] {
  const stored = current?.params ?? [];
  const names = new Set(declared.filter(isSecretParam).map(({ name }) => name));
  const { seal } = scheduleSecrets(keyring, teamId, stored);
  if (input.params === undefined) return resealScheduleParams(stored, names, seal);
  return sealScheduleParams(input.params ?? [], stored, { declared: names, inherited: secretParams ?? new Set() }, seal);
}

function checkSize(params: readonly RunParam[]): void {
  const { length } = JSON.stringify(params);
  if (length <= maxScheduleParamsLength) return;
  const message = `params are ${length} characters of JSON; a schedule can store ${maxScheduleParamsLength}; let a task of the workflow load larger data`;
  throw new AppError("SCHEDULE_INVALID_REQ", [message], { details: [{ path: "/params", message }] });
}

/** A schedule whose runs would all be refused is refused itself, as far as that can be known now. */
function checkParams({ keyring, teamId }: ScheduleContext, sealed: readonly RunParam[], declared: readonly AbstractParam[]): void {
  const { params, secretParams } = openScheduleParams(sealed, scheduleSecrets(keyring, teamId).open);
  const details = checkParamValues(params, declared, secretParams);
  if (details.length > 0) throw new AppError("SCHEDULE_INVALID_REQ", [details.map(({ message }) => message).join("; ")], { details });
}

async function reread(db: Queryable, { teamId }: ScheduleContext, id: string): Promise<ScheduleRow> {
  const row = await findSchedule(db, teamId, id);
  if (!row) throw new Error(`schedule ${id} is gone although it was written in this transaction`);
  return row;
}
