import { ref } from "@millrace/contract/schema.ts";
import { workflow } from "@millrace/contract/workflow/workflow.ts";
import Type from "typebox";
import { channels } from "../../domain/run/report-changes.ts";
import { createWorkflow as create, duplicateWorkflow as duplicate } from "../../domain/workflow/create-workflow.ts";
import { deleteWorkflow as remove } from "../../domain/workflow/delete-workflow.ts";
import { readVersion, requireWorkflow } from "../../domain/workflow/read-workflow.ts";
import { loadSaveContext } from "../../domain/workflow/save-context.ts";
import { defineEndpoint, reply } from "../endpoint.ts";
import { ifMatchHeader, requireMatch } from "../etag.ts";
import { missingSecretsHeader } from "../missing-secrets.ts";
import { presentWorkflow } from "../present-body.ts";
import { forceParameter, teamPath } from "../request-parameters.ts";
import { hasForeignKind, readWorkflowBody, withPlaces, workflowMediaTypes } from "./read-workflow-body.ts";
import { savePipelineTasks, withNotes } from "./save-pipeline-tasks.ts";
import { saveWorkflow, viewWarnings, wakeForTriggers } from "./save-workflow.ts";
import { auditedWorkflow, replaceParameter, viewWorkflow, workflowBodyLimit, workflowPath, workflowTag } from "./workflow.view.ts";

export const createWorkflow = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/workflow",
  summary: "Create a workflow",
  description:
    "docs/workflows.md describes the document; only `name` is required. YAML with a `kind` of Tekton is a Pipeline or PipelineRun; " +
    "docs/tekton-pipelines.md says what it becomes, and `warnings` what of it has no effect.",
  tag: "Workflows",
  permission: "workflow/write",
  transaction: "write",
  bodyLimit: workflowBodyLimit,
  params: teamPath,
  consumes: [...workflowMediaTypes],
  readsYaml: hasForeignKind,
  documentKinds: ["Workflow"],
  body: ref(workflow),
  presentBody: presentWorkflow,
  response: ref(workflow),
  async handle(request) {
    const { db, team, principal, keyring, headers, services, audit } = request;
    const written = readWorkflowBody(request);
    const { input, notes } = written;
    return withPlaces(written, async () => {
      const hints = await savePipelineTasks(request, written);
      const context = await loadSaveContext(db, team.id, principal.name, keyring, services.runs);
      const workflow = await create(db, context, input);
      const read = await readVersion(db, team.id, workflow, workflow.latestVersion);
      const view = viewWorkflow(read);
      audit({ kind: "workflow", id: view.id, name: view.name, after: auditedWorkflow(view) });
      wakeForTriggers(request, workflow);
      const missing = missingSecretsHeader(headers, input, read.version.document);
      const warnings = withNotes(viewWarnings(context, input), notes);
      return reply({ headers: { etag: workflowTag(read), ...missing, ...hints }, body: { ...view, ...warnings } });
    });
  },
});

export const applyWorkflow = defineEndpoint({
  method: "PUT",
  path: "/api/v2/team/:team/workflow",
  summary: "Create a workflow, or write a new version of it",
  description:
    "Found by the name in the body. If the workflow is protected, 409 `WORKFLOW_PROTECTED`: the version waits for approval. Versioned content comes entirely from the body; other members that are left out don't change. " +
    "YAML with a `kind` of Tekton is a Pipeline or PipelineRun.",
  tag: "Workflows",
  permission: "workflow/write",
  transaction: "write",
  headers: ifMatchHeader,
  keepsToWorkflow: true,
  bodyLimit: workflowBodyLimit,
  params: teamPath,
  query: Type.Object({ replace: replaceParameter }),
  consumes: [...workflowMediaTypes],
  readsYaml: hasForeignKind,
  documentKinds: ["Workflow"],
  body: ref(workflow),
  presentBody: presentWorkflow,
  response: ref(workflow),
  async handle(context) {
    const { query, headers } = context;
    const written = readWorkflowBody(context);
    return withPlaces(written, async () => {
      const hints = await savePipelineTasks(context, written);
      const { read, warnings, proposed } = await saveWorkflow(context, written.input, { replace: query.replace });
      if (proposed) return reply({ committed: proposed.refusal });
      const missing = missingSecretsHeader(headers, written.input, read.version.document);
      const body = { ...viewWorkflow(read), ...withNotes(warnings, written.notes) };
      return reply({ headers: { etag: workflowTag(read), ...missing, ...hints }, body });
    });
  },
});

export const duplicateWorkflow = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/workflow/:workflow/duplicate",
  summary: "Copy a workflow",
  description: "Copies the latest version, including secrets and triggers, to the first free name of NAME-duplicate, NAME-duplicate-2, …",
  tag: "Workflows",
  permission: "workflow/write",
  transaction: "write",
  params: workflowPath,
  response: ref(workflow),
  async handle({ db, team, params, principal, audit, services, afterCommit }) {
    const workflow = await duplicate(db, { team, author: principal.name }, params.workflow);
    const read = await readVersion(db, team.id, workflow, workflow.latestVersion);
    const view = viewWorkflow(read);
    audit({ kind: "workflow", id: view.id, name: view.name, after: auditedWorkflow(view) });
    wakeForTriggers({ services, afterCommit }, workflow);
    return reply({ headers: { etag: workflowTag(read) }, body: view });
  },
});

export const deleteWorkflow = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team/workflow/:workflow",
  summary: "Delete a workflow with its runs, schedules and tokens",
  description: "Cancels its open runs. With `force=false`, 409 while there are open runs, or workflows that run a fixed version of it.",
  tag: "Workflows",
  permission: "workflow/delete",
  transaction: "write",
  changesRights: true,
  headers: ifMatchHeader,
  params: workflowPath,
  query: Type.Object({ force: forceParameter }),
  response: null,
  async handle({ db, team, params, query, headers, audit, services, afterCommit }) {
    const workflow = await requireWorkflow(db, team.id, params.workflow);
    const before = await readVersion(db, team.id, workflow, workflow.latestVersion);
    requireMatch(headers["if-match"], workflowTag(before));
    await remove(db, team.id, workflow, query.force);
    audit({ kind: "workflow", id: workflow.id, name: workflow.name, before: viewWorkflow(before) });
    afterCommit(() => services.bus.wake(channels.engine));
  },
});
