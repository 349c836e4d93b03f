import { maxWorkflowNameLength, type WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import { reservedTemplateNames, type WorkflowTemplateInput } from "@millrace/contract/workflow/workflow-template.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { isId } from "../../base/text/uuid.ts";
import { isSameJson } from "../../core/document/same-json.ts";
import type { ReferenceContext } from "../../core/parameter/check-references.ts";
import { templateParametersPlace } from "../../core/secret/sealed-places.ts";
import { newTasksOf } from "../../core/task/former-tasks.ts";
import { nestedInput, nestedSecretFaults } from "../../core/workflow/nested-workflow.ts";
import type { WorkflowDocument } from "../../core/workflow/workflow-document.ts";
import type { Queryable } from "../../store/database/database.ts";
import {
  findTemplate,
  insertTemplate,
  insertTemplateVersion,
  lockTemplate,
  retireTemplateVersion,
  type TemplateRow,
  updateTemplate,
} from "../../store/workflow/workflow-templates.ts";
import { sealAgain } from "../secret/seal-again.ts";
import { nestedCall } from "../workflow/calls/find-calls.ts";
import { checkNames } from "../workflow/check-names.ts";
import { asGiven, completeDocument, pathsOfTasks, sealComplete } from "../workflow/complete-document.ts";
import { nestedMode, outsideOf, secretsOf } from "../workflow/nested/nested-mode.ts";
import { refuseFaults } from "../workflow/refuse-faults.ts";
import type { ResolvedTasks } from "../workflow/resolve-tasks.ts";
import { type CheckMode, type DocumentWarning, saving } from "../workflow/save-context.ts";
import { warnOfDocument } from "../workflow/warn-of-document.ts";
import { changedTitle, newTitle, reasonOf, type WorkflowTitle } from "../workflow/workflow-head.ts";

/**
 * Templates are saved by the same rules as workflows, as far as these don't depend on the team: a saved template can be run by a team whose
 * quotas allow it and which has the workflows that its tasks run. Concurrent writes are serialized, because each locks the template until
 * its commit; of two creations the second finds the template of the first.
 */

export interface SaveTemplateContext {
  /** Name of the principal, for the changelog. */
  author: string;
  keyring: Keyring;
  /** Warnings about the document, which don't prevent a save; filled during the save. */
  warnings?: DocumentWarning[];
}

/** @throws TASK_ALREADY_EXISTS, TASK_INVALID_NAME, and the errors of a document that can't run */
export async function createTemplate(db: Queryable, context: SaveTemplateContext, input: WorkflowTemplateInput): Promise<TemplateRow> {
  const created = await insertFirstVersion(db, context, input);
  if (created === undefined) throw new AppError("TASK_ALREADY_EXISTS", [input.name, "taken"]);
  return created;
}

interface ApplyTemplateOptions {
  /** The latest version is replaced and keeps its number; otherwise a new version is created. */
  replace: boolean;
  /** Called with the current state, under its lock; undefined if there is none. Throws to refuse. */
  check(before: TemplateRow | undefined): void;
  /** A document that changes nothing is not written. */
  keepsSame?: boolean;
}

export interface AppliedTemplate {
  template: TemplateRow;
  /** The same row if nothing was written, because nothing would have changed. */
  before: TemplateRow | undefined;
}

/** Creates the template of that name, or writes a new version of it, so that it matches the document. */
export async function applyTemplate(
  db: Queryable,
  context: SaveTemplateContext,
  input: WorkflowTemplateInput,
  options: ApplyTemplateOptions,
): Promise<AppliedTemplate> {
  checkTemplateName(input.name);
  const present = await holdTemplate(db, input.name);
  if (present) return { template: await writeVersion(db, context, present, input, options), before: present };
  options.check(undefined);
  const created = await insertFirstVersion(db, context, input);
  if (created) return { template: created, before: undefined };
  const raced = await holdTemplate(db, input.name);
  if (raced === undefined) throw new AppError("CONFLICT", [`Template ${input.name} was created and deleted at the same time; try again`]);
  return { template: await writeVersion(db, context, raced, input, options), before: raced };
}

/** Locked first, then read: the read sees what the previous lock holder wrote. */
export async function holdTemplate(db: Queryable, ref: string): Promise<TemplateRow | undefined> {
  const held = await lockTemplate(db, ref);
  return held && findTemplate(db, held.id);
}

/** Undefined if someone else has a template of that name. */
async function insertFirstVersion(
  db: Queryable,
  context: SaveTemplateContext,
  input: WorkflowTemplateInput,
): Promise<TemplateRow | undefined> {
  checkTemplateName(input.name);
  const document = await prepareDocument(db, context, input);
  const id = await insertTemplate(db, input.name, newTitle(input, input.name));
  if (id === undefined) return undefined;
  const reason = reasonOf(input.changelog, 1, undefined, "WorkflowTemplate");
  await insertTemplateVersion(db, id, { version: 1, document, author: context.author, reason });
  return readBack(db, id);
}

async function writeVersion(
  db: Queryable,
  context: SaveTemplateContext,
  before: TemplateRow,
  input: WorkflowTemplateInput,
  { replace, check, keepsSame }: ApplyTemplateOptions,
): Promise<TemplateRow> {
  check(before);
  const document = await prepareDocument(db, context, input, before.document);
  const title = changedTitle(input, before, replace);
  if (keepsSame && isSameJson([title, document], [titleOf(before), before.document])) return before;
  const version = replace ? before.version : before.version + 1;
  const reason = reasonOf(input.changelog, version, before, "WorkflowTemplate");
  if (replace) await retireTemplateVersion(db, before.id, version);
  await insertTemplateVersion(db, before.id, { version, document, author: context.author, reason });
  await updateTemplate(db, before.id, title, version);
  return readBack(db, before.id);
}

function titleOf({ displayName, icon, description, labels, annotations }: WorkflowTitle): WorkflowTitle {
  return { displayName, icon, description, labels, annotations };
}

async function prepareDocument(
  db: Queryable,
  { keyring, warnings = [] }: SaveTemplateContext,
  input: WorkflowTemplateInput,
  stored?: WorkflowDocument,
): Promise<WorkflowDocument> {
  const complete = await completeDocument(db, null, input);
  await checkDocument({ warnings }, input, complete, saving);
  await warnOfDocument({ warnings }, complete.document, input, pathsOfTasks(input));
  return sealComplete(complete, sealAgain(keyring, templateParametersPlace, stored), {
    stored,
    newTasks: newTasksOf(input),
  });
}

/** What it refers to, including what is nested in it. @param outside for a nested workflow */
async function checkDocument(
  context: { warnings: DocumentWarning[] },
  input: WorkflowInput,
  complete: ResolvedTasks,
  mode: CheckMode,
  outside?: ReferenceContext["outside"],
): Promise<void> {
  const document = asGiven(complete.document, input);
  const calls = document.tasks.flatMap((task, index) => nestedCall(task, `/tasks/${index}`) ?? []);
  refuseFaults(
    calls.flatMap(({ faults }) => faults),
    mode,
  );
  await checkNames(context, { ...complete, document }, mode, calls, outside);
  if (outside) refuseFaults(nestedSecretFaults(document, secretsOf(complete)), mode);
  for (const [index, task] of (input.tasks ?? []).entries()) {
    const nested = complete.nested?.get(task.name);
    if (nested === undefined) continue;
    const inner = nestedInput(input.name, task);
    await checkDocument({ warnings: [] }, inner, nested, nestedMode(mode, `/tasks/${index}/workflow`), outsideOf(document, task));
  }
}

async function readBack(db: Queryable, id: string): Promise<TemplateRow> {
  const template = await findTemplate(db, id);
  if (template === undefined) throw new Error(`template ${id} was saved, but cannot be read back`);
  return template;
}

/**
 * Letters, digits and hyphen; stored as written, compared ignoring case.
 *
 * @throws TASK_INVALID_NAME, TASK_ALREADY_EXISTS (reserved)
 */
function checkTemplateName(name: string): void {
  const isValid = /^[0-9A-Za-z-]+$/.test(name) && /[0-9A-Za-z]/.test(name) && name.length <= maxWorkflowNameLength && !isId(name);
  if (!isValid) throw new AppError("TASK_INVALID_NAME", [JSON.stringify(name)]);
  if (reservedTemplateNames.includes(name.toLowerCase())) throw new AppError("TASK_ALREADY_EXISTS", [name, "reserved"]);
}
