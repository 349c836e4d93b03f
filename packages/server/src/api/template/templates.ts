import { changeLogVersion } from "@millrace/contract/common.ts";
import { ref } from "@millrace/contract/schema.ts";
import { workflowTemplate, workflowTemplateResponsePage } from "@millrace/contract/workflow/workflow-template.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { readTemplate, withLatestTasks, withLatestTasksOfAll } from "../../domain/template/read-template.ts";
import { applyTemplate as apply, createTemplate as create, holdTemplate } from "../../domain/template/save-template.ts";
import {
  countTemplates,
  type ListedTemplate,
  listTemplateChanges as listChanges,
  listTemplates,
  deleteTemplate as remove,
  type TemplateFilter,
  type TemplateRow,
} from "../../store/workflow/workflow-templates.ts";
import { defineEndpoint, reply } from "../endpoint.ts";
import { ifMatchHeader, requireMatch } from "../etag.ts";
import { missingSecretsHeader } from "../missing-secrets.ts";
import { presentWorkflow } from "../present-body.ts";
import { labels, list, pageParameters, search, sort, toLabelFilter } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";
import { viewWarnings } from "../workflow/save-workflow.ts";
import { replaceParameter, versionParameter, viewChange, workflowBodyLimit } from "../workflow/workflow.view.ts";
import { auditedTemplate, templatePath, templateTag, viewTemplate } from "./template.view.ts";

const maxPageBytes = 32 * 1024 * 1024;

export const queryTemplates = defineEndpoint({
  method: "GET",
  path: "/api/v2/workflowtemplate/query",
  summary: "Find workflow templates",
  description: "A page of the latest versions, by date of creation. A page larger than 32 MiB is refused: use a smaller limit.",
  tag: "Workflow templates",
  permission: "signed-in",
  transaction: "read",
  query: Type.Object({
    sort,
    ...pageParameters,
    labels,
    names: list("Names or IDs; default all"),
    search: search("the name, the display name or the description"),
  }),
  response: ref(workflowTemplateResponsePage),
  async handle({ db, query }) {
    const { limit, page, names } = query;
    const filter: TemplateFilter = { labels: toLabelFilter(query.labels), names: names?.length ? names : undefined, search: query.search };
    const total = await countTemplates(db, filter);
    const rows = await listTemplates(db, filter, { order: query.sort, limit, offset: page * limit, maxBytes: maxPageBytes });
    const read = await withLatestTasksOfAll(db, rows.map(complete));
    return viewPage(
      read.map((template) => viewTemplate(template)),
      { limit, page, total, sorted: true },
    );
  },
});

function complete(row: ListedTemplate): TemplateRow {
  if (row.document !== null) return { ...row, document: row.document };
  throw new AppError("QUERY_INVALID_FILTERS", ["limit", `the page would be larger than ${maxPageBytes} bytes; ask for fewer templates`]);
}

export const getTemplate = defineEndpoint({
  method: "GET",
  path: "/api/v2/workflowtemplate/:name",
  summary: "Read a workflow template",
  description:
    "Secrets are empty, with `hiddenValue`. Use the ETag as If-Match of a write. POST the response to a team to create a workflow from it.",
  tag: "Workflow templates",
  permission: "signed-in",
  transaction: "read",
  params: templatePath,
  query: Type.Object({ version: versionParameter, withTasks: Type.Boolean({ default: true, description: "false leaves the tasks out" }) }),
  response: ref(workflowTemplate),
  async handle({ db, params, query }) {
    const read = await readTemplate(db, params.name, query.version);
    return reply({ headers: { etag: templateTag(read.template) }, body: viewTemplate(read, query) });
  },
});

export const listTemplateChanges = defineEndpoint({
  method: "GET",
  path: "/api/v2/workflowtemplate/:name/changelog",
  summary: "List who changed a workflow template, when and why, version by version",
  tag: "Workflow templates",
  permission: "signed-in",
  transaction: "read",
  params: templatePath,
  response: Type.Array(ref(changeLogVersion)),
  async handle({ db, params }) {
    const changes = await listChanges(db, params.name);
    if (changes.length === 0) throw new AppError("TASK_INVALID_REFERENCE", [params.name]);
    return changes.map((change) => ({ ...viewChange(change), version: change.version }));
  },
});

export const createTemplate = defineEndpoint({
  method: "POST",
  path: "/api/v2/workflowtemplate",
  summary: "Create a workflow template",
  description: "docs/templates.md describes the document; only `name` is required. Its tasks are global tasks.",
  tag: "Workflow templates",
  permission: "workflowtemplate/write",
  transaction: "write",
  bodyLimit: workflowBodyLimit,
  documentKinds: ["WorkflowTemplate"],
  body: ref(workflowTemplate),
  presentBody: presentWorkflow,
  response: ref(workflowTemplate),
  async handle({ db, body, principal, keyring, headers, audit }) {
    const context = { author: principal.name, keyring, warnings: [] };
    const template = await create(db, context, body);
    audit({ kind: "workflowtemplate", id: template.id, name: template.name, after: auditedTemplate(template) });
    const missing = missingSecretsHeader(headers, body, template.document);
    const view = viewTemplate(await withLatestTasks(db, template));
    return reply({ headers: { etag: templateTag(template), ...missing }, body: { ...view, ...viewWarnings(context, body) } });
  },
});

export const applyTemplate = defineEndpoint({
  method: "PUT",
  path: "/api/v2/workflowtemplate",
  summary: "Create a workflow template, or write a new version of it",
  description:
    "Found by the name in the body. Versioned content comes entirely from the body; other members that are left out don't change.",
  tag: "Workflow templates",
  permission: "workflowtemplate/write",
  transaction: "write",
  headers: ifMatchHeader,
  bodyLimit: workflowBodyLimit,
  query: Type.Object({ replace: replaceParameter }),
  documentKinds: ["WorkflowTemplate"],
  body: ref(workflowTemplate),
  presentBody: presentWorkflow,
  response: ref(workflowTemplate),
  async handle({ db, query, body, principal, keyring, headers, audit }) {
    const context = { author: principal.name, keyring, warnings: [] };
    const { template, before } = await apply(db, context, body, {
      replace: query.replace,
      check: (present) => requireMatch(headers["if-match"], present && templateTag(present)),
    });
    audit({
      kind: "workflowtemplate",
      id: template.id,
      name: template.name,
      before: before && auditedTemplate(before),
      after: auditedTemplate(template),
    });
    const missing = missingSecretsHeader(headers, body, template.document);
    const view = viewTemplate(await withLatestTasks(db, template));
    return reply({ headers: { etag: templateTag(template), ...missing }, body: { ...view, ...viewWarnings(context, body) } });
  },
});

export const deleteTemplate = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/workflowtemplate/:name",
  summary: "Delete a workflow template with all its versions",
  description: "Workflows that were created from it don't change.",
  tag: "Workflow templates",
  permission: "workflowtemplate/delete",
  transaction: "write",
  headers: ifMatchHeader,
  params: templatePath,
  response: null,
  async handle({ db, params, headers, audit }) {
    const template = await holdTemplate(db, params.name);
    if (template === undefined) throw new AppError("TASK_INVALID_REFERENCE", [params.name]);
    requireMatch(headers["if-match"], templateTag(template));
    await remove(db, template.id);
    const before = viewTemplate({ template, latestTasks: new Map() });
    audit({ kind: "workflowtemplate", id: template.id, name: template.name, before });
  },
});
