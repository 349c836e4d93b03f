import type { AppliedDocument } from "@millrace/contract/apply.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { ShownDocument } from "../../core/apply/diff-documents.ts";
import { shownDocument } from "../../core/apply/shown-document.ts";
import { applySubscription } from "../../domain/outbound/subscriptions.ts";
import { channels } from "../../domain/run/wake-for-changes.ts";
import { envelopesIn } from "../../domain/secret/seal-again.ts";
import { applyTask } from "../../domain/task/save-task.ts";
import { applyTemplate } from "../../domain/template/save-template.ts";
import { allows } from "../../policy/allows.ts";
import type { Transaction } from "../../store/database/database.ts";
import type { Context, Permission, TeamScope } from "../endpoint.ts";
import { viewSubscription } from "../outbound/subscription.view.ts";
import { saveTaskContext } from "../task/read-task-body.ts";
import { auditedTask, viewTaskDocument } from "../task/task.view.ts";
import { auditedTemplate, viewTemplate } from "../template/template.view.ts";
import { withPlaces } from "../workflow/read-workflow-body.ts";
import { savePipelineTasks } from "../workflow/save-pipeline-tasks.ts";
import { saveWorkflow, viewWarnings } from "../workflow/save-workflow.ts";
import { viewWorkflow } from "../workflow/workflow.view.ts";
import type { SetDocument } from "./read-set.ts";
import { saveParameter } from "./save-parameter.ts";
import { saveSchedule } from "./save-schedule.ts";
import { saveTeamDocument } from "./save-team-document.ts";

/** What a document is saved with. In a dry run `audit` and `afterCommit` do nothing, and the transaction is undone. */
export type ApplyContext = Pick<
  Context<unknown, unknown, unknown, Transaction>,
  "db" | "principal" | "principalUnderLock" | "keyring" | "headers" | "services" | "audit" | "afterCommit"
> & { team: TeamScope | null };

/** What became of a document. */
export interface SavedDocument extends Pick<AppliedDocument, "workflow" | "id" | "version" | "secret"> {
  name: string;
  before: ShownDocument;
  after: ShownDocument;
  /** Nothing was written, since nothing would have changed. */
  isSame: boolean;
  changesSecrets?: boolean;
  warnings?: readonly string[];
}

type Of<Form extends SetDocument["form"]> = Extract<SetDocument, { form: Form }>;

/**
 * Saves one document by the rules, and with the permission, of its own endpoint.
 * @throws whatever that endpoint refuses it with
 */
export function saveDocument(context: ApplyContext, document: SetDocument): Promise<SavedDocument> {
  switch (document.form) {
    case "workflow":
      return saveWorkflowDocument(context, document);
    case "task":
      return saveTask(context, document);
    case "template":
      return saveTemplate(context, document);
    case "schedule":
      return saveSchedule(context, document);
    case "parameter":
      return saveParameter(context, document);
    case "subscription":
      return saveSubscription(context, document);
    case "team":
      return saveTeamDocument(context, document);
  }
}

/** @throws PERMISSION_DENIED */
export function requirePermission({ principal, team }: Pick<ApplyContext, "principal" | "team">, permission: Permission): void {
  if (allows(principal, permission, team?.id)) return;
  throw new AppError("PERMISSION_DENIED", [`this needs the permission ${permission}${team === null ? "" : ` in team ${team.name}`}`]);
}

/** The context for one document: its records tell of that permission, as those of its own endpoint do. */
export function permitted<C extends ApplyContext>(context: C, permission: Permission): C {
  requirePermission(context, permission);
  return { ...context, audit: (object) => context.audit({ action: permission, ...object }) };
}

/** The team of a document whose kind is of teams only. */
export function teamOf({ team }: ApplyContext): TeamScope {
  if (team === null) throw new Error("a document of a team was read for the instance");
  return team;
}

export function changesSecrets(before: unknown, after: unknown): boolean {
  const [were, are] = [envelopesIn(before), envelopesIn(after)];
  return were.length !== are.length || were.some((sealed) => !are.includes(sealed));
}

async function saveWorkflowDocument(given: ApplyContext, { written }: Of<"workflow">): Promise<SavedDocument> {
  const context = { ...permitted(given, "workflow/write"), team: teamOf(given) };
  return withPlaces(written, async () => {
    const hints = await savePipelineTasks({ ...context, audit: (object) => given.audit({ action: "task/write", ...object }) }, written);
    const saved = await saveWorkflow({ ...context, headers: {} }, written.input, { replace: false, keepsSame: true });
    const { read, before, isSame } = saved;
    const found = [...written.notes, ...(saved.warnings.warnings ?? [])].map(({ message }) => message);
    return {
      name: read.workflow.name,
      id: read.workflow.id,
      version: read.version.version,
      before: before && shownDocument("Workflow", viewWorkflow(before)),
      after: shownDocument("Workflow", viewWorkflow(read)),
      isSame,
      changesSecrets: changesSecrets(before?.version.document, read.version.document),
      warnings: [...found, ...Object.values(hints)],
    };
  });
}

async function saveTask(given: ApplyContext, { written, name }: Of<"task">): Promise<SavedDocument> {
  const context = permitted(given, "task/write");
  const { db, team, audit } = context;
  const { task, before, warnings } = await applyTask(db, await saveTaskContext(team, context), {
    ref: name,
    replace: false,
    written,
    check: () => {},
    keepsSame: true,
  });
  const isSame = task === before;
  if (!isSame) audit({ kind: "task", id: task.id, name: task.name, before: before && auditedTask(before), after: auditedTask(task) });
  return {
    name: task.name,
    id: task.id,
    version: task.version,
    before: before && viewTaskDocument(before, undefined),
    after: viewTaskDocument(task, undefined),
    isSame,
    changesSecrets: changesSecrets(before?.spec, task.spec),
    warnings,
  };
}

async function saveTemplate(given: ApplyContext, { input }: Of<"template">): Promise<SavedDocument> {
  const { db, principal, keyring, audit } = permitted(given, "workflowtemplate/write");
  const context = { author: principal.name, keyring, warnings: [] };
  const { template, before } = await applyTemplate(db, context, input, { replace: false, check: () => {}, keepsSame: true });
  const isSame = template === before;
  const [was, is] = [before && auditedTemplate(before), auditedTemplate(template)];
  if (!isSame) audit({ kind: "workflowtemplate", id: template.id, name: template.name, before: was, after: is });
  const shown = (one: typeof template) => shownDocument("WorkflowTemplate", viewTemplate({ template: one, latestTasks: new Map() }));
  return {
    name: template.name,
    id: template.id,
    version: template.version,
    before: before && shown(before),
    after: shown(template),
    isSame,
    changesSecrets: changesSecrets(before?.document, template.document),
    warnings: (viewWarnings(context, input).warnings ?? []).map(({ message }) => message),
  };
}

async function saveSubscription(given: ApplyContext, { input }: Of<"subscription">): Promise<SavedDocument> {
  const { db, team, principal, keyring, audit, services, afterCommit } = permitted(given, "integration/write");
  const scope = { teamId: team?.id ?? null, keyring, principalId: principal.id };
  const { before, subscription, generated, isRotated } = await applySubscription(db, scope, input);
  const isSame = subscription === before;
  const view = viewSubscription(subscription);
  if (!isSame) {
    audit({ kind: "subscription", id: view.id, name: view.name, ...(before && { before: viewSubscription(before) }), after: view });
    afterCommit(() => {
      services.bus.wake(channels.events);
      services.bus.wake(channels.deliveries);
    });
  }
  return {
    name: view.name,
    id: view.id,
    before: before && shownDocument("Subscription", viewSubscription(before)),
    after: shownDocument("Subscription", view),
    isSame,
    changesSecrets: isRotated || (!isSame && changesSecrets(before?.target, subscription.target)),
    ...(generated !== undefined && { secret: generated }),
  };
}
