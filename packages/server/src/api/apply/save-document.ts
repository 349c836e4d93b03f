import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import { shownDocument } from "../../core/apply/shown-document.ts";
import type { WorkflowDocument } from "../../core/workflow/workflow-document.ts";
import { applySubscription } from "../../domain/outbound/subscriptions.ts";
import { channels } from "../../domain/run/report-changes.ts";
import { applyTask } from "../../domain/task/save-task.ts";
import { applyTemplate } from "../../domain/template/save-template.ts";
import { loadSaveContext } from "../../domain/workflow/save-context.ts";
import { saveTest } from "../../domain/workflow/tests/saved-tests.ts";
import { missingSecretsHeader } from "../missing-secrets.ts";
import { viewSubscription } from "../outbound/subscription.view.ts";
import { saveTaskContext } from "../task/read-task-body.ts";
import { auditedTask } from "../task/task.view.ts";
import { auditedTemplate, viewTemplate } from "../template/template.view.ts";
import { withPlaces } from "../workflow/read-workflow-body.ts";
import { savePipelineTasks } from "../workflow/save-pipeline-tasks.ts";
import { saveWorkflow, viewWarnings } from "../workflow/save-workflow.ts";
import { viewTest } from "../workflow/trial/test.view.ts";
import { viewWorkflow } from "../workflow/workflow.view.ts";
import { type ApplyContext, changesSecrets, type SavedDocument, teamOf, withPermission } from "./apply-context.ts";
import type { SetDocument } from "./read-set.ts";
import { saveGlobalParameter, type TeamParameters } from "./save-parameter.ts";
import { saveSchedule } from "./save-schedule.ts";
import { saveTeamDocument } from "./save-team-document.ts";
import { shownTask } from "./shown-task.ts";

type Of<Form extends SetDocument["form"]> = Extract<SetDocument, { form: Form }>;

/**
 * Saves one document by the rules, and with the permission, of its own endpoint.
 *
 * @param parameters of the team, if there is one
 * @throws the errors of that endpoint
 */
export function saveDocument(context: ApplyContext, document: SetDocument, parameters: TeamParameters | undefined): Promise<SavedDocument> {
  switch (document.form) {
    case "workflow":
      return saveWorkflowDocument(context, document);
    case "task":
      return saveTask(context, document);
    case "template":
      return saveTemplate(context, document);
    case "test":
      return saveTestDocument(context, document);
    case "schedule":
      return saveSchedule(context, document);
    case "parameter":
      return parameters === undefined ? saveGlobalParameter(context, document) : parameters.save(document);
    case "subscription":
      return saveSubscription(context, document);
    case "team":
      return saveTeamDocument(context, document);
  }
}

async function saveWorkflowDocument(given: ApplyContext, { written }: Of<"workflow">): Promise<SavedDocument> {
  const context = { ...withPermission(given, "workflow/write"), team: teamOf(given) };
  return withPlaces(written, async () => {
    const hints = await savePipelineTasks({ ...context, audit: (object) => given.audit({ action: "task/write", ...object }) }, written);
    const saved = await saveWorkflow({ ...context, headers: {} }, written.input, { replace: false, keepsSame: true, testsLater: true });
    const { read, before, isSame } = saved;
    const found = [...written.notes, ...(saved.warnings.warnings ?? [])].map(({ message }) => message);
    return {
      name: read.workflow.name,
      id: read.workflow.id,
      version: read.version.version,
      before: before && shownDocument("Workflow", viewWorkflow(before)),
      after: shownDocument("Workflow", viewWorkflow(read)),
      isSame,
      ...(saved.proposed && { proposedAs: saved.proposed.actionId }),
      afterSet: saved.testSaved,
      changesSecrets: changesSecrets(before?.version.document, read.version.document),
      warnings: [...found, ...Object.values(hints), ...missingSecrets(given, written.input, read.version.document)],
    };
  });
}

async function saveTestDocument(given: ApplyContext, { input }: Of<"test">): Promise<SavedDocument> {
  const context = withPermission(given, "workflow/write");
  const { db, principal, keyring, services, audit } = context;
  const team = teamOf(given);
  const save = await loadSaveContext(db, team.id, principal.name, keyring, services.runs);
  const { workflow, before, test, isSame } = await saveTest(db, services.runs, save, input.workflow ?? "", input);
  const [was, is] = [before && viewTest(workflow.name, before), viewTest(workflow.name, test)];
  if (!isSame) audit({ kind: "workflowtest", id: test.id, name: `${workflow.name}/${test.name}`, ...(was && { before: was }), after: is });
  return {
    ...{ name: test.name, workflow: workflow.name, id: test.id, version: test.version, isSame },
    before: was && shownDocument("WorkflowTest", was),
    after: shownDocument("WorkflowTest", is),
  };
}

/** @throws VALIDATION_FAILED under strict handling */
function missingSecrets({ headers }: ApplyContext, written: WorkflowInput, stored: WorkflowDocument): string[] {
  const missing = missingSecretsHeader(headers, written, stored)["x-missing-secrets"];
  return missing === undefined ? [] : [`these secrets are empty, and none is stored: ${missing}`];
}

async function saveTask(given: ApplyContext, { written, name }: Of<"task">): Promise<SavedDocument> {
  const context = withPermission(given, "task/write");
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
    before: before && !isSame ? shownTask(before) : undefined,
    after: isSame ? undefined : shownTask(task),
    isSame,
    changesSecrets: changesSecrets(before?.spec, task.spec),
    warnings,
  };
}

async function saveTemplate(given: ApplyContext, { input }: Of<"template">): Promise<SavedDocument> {
  const { db, principal, keyring, audit } = withPermission(given, "workflowtemplate/write");
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
    warnings: [
      ...(viewWarnings(context, input).warnings ?? []).map(({ message }) => message),
      ...missingSecrets(given, input, template.document),
    ],
  };
}

async function saveSubscription(given: ApplyContext, { input }: Of<"subscription">): Promise<SavedDocument> {
  const { db, team, principal, keyring, audit, services, afterCommit } = withPermission(given, "integration/write");
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
