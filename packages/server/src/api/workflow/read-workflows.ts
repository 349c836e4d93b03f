import { ownApiVersion } from "@millrace/contract/apply.ts";
import { changeLogVersion } from "@millrace/contract/common.ts";
import { ref } from "@millrace/contract/schema.ts";
import { workflow } from "@millrace/contract/workflow/workflow.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { preferredType } from "../../base/text/preferred-type.ts";
import { answerYaml } from "../../core/document/write-yaml.ts";
import { findCalls } from "../../domain/workflow/calls/find-calls.ts";
import { listAvailableParameters as list } from "../../domain/workflow/list-available-parameters.ts";
import { readWorkflow } from "../../domain/workflow/read-workflow.ts";
import { listWorkflowVersions } from "../../store/workflow/workflow-versions.ts";
import { findWorkflow } from "../../store/workflow/workflows.ts";
import { defineEndpoint, reply } from "../endpoint.ts";
import { warningHeader } from "../task/answer-task.ts";
import { pipelineWarnings, viewPipeline } from "./pipeline.view.ts";
import { workflowMediaTypes } from "./read-workflow-body.ts";
import { versionParameter, viewChange, viewWorkflow, workflowPath, workflowTag } from "./workflow.view.ts";

export const getWorkflow = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflow/:workflow",
  summary: "Read a workflow",
  description:
    "Secrets are empty, with `hiddenValue`. Use the ETag as If-Match of a write. With `Accept: application/x-yaml` as a Tekton Pipeline; 406 names " +
    "what a Pipeline can't say.",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "none",
  params: workflowPath,
  query: Type.Object({ version: versionParameter, withTasks: Type.Boolean({ default: true, description: "false leaves the tasks out" }) }),
  produces: [...workflowMediaTypes],
  response: ref(workflow),
  async handle({ db, team, params, query, headers }) {
    const format = preferredType(headers["accept"], workflowMediaTypes);
    const read = await readWorkflow(db, team.id, params.workflow, query.version);
    const tags = { etag: workflowTag(read), vary: "Accept" };
    if (format === "application/json") return reply({ headers: tags, body: viewWorkflow(read, query) });
    const more = { ...warningHeader(pipelineWarnings(read)), "content-type": `${format}; charset=utf-8` };
    return reply({ headers: { ...tags, ...more }, body: await viewPipeline(db, team.id, read) });
  },
});

export const exportWorkflow = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflow/:workflow/export",
  summary: "Download the latest version of a workflow as a file",
  description: "As JSON or YAML, without ID and secrets. POST or PUT the file to create the workflow elsewhere.",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "read",
  params: workflowPath,
  produces: [...workflowMediaTypes],
  response: ref(workflow),
  async handle({ db, team, params, headers }) {
    const format = preferredType(headers["accept"], workflowMediaTypes);
    const isYaml = format === "application/x-yaml";
    const { id: _id, ...workflow } = viewWorkflow(await readWorkflow(db, team.id, params.workflow));
    return reply({
      headers: {
        "content-type": `${format}; charset=utf-8`,
        "content-disposition": `attachment; filename="${workflow.name}.${isYaml ? "yaml" : "json"}"`,
        "cache-control": "no-store",
        vary: "Accept",
      },
      body: isYaml
        ? answerYaml({ apiVersion: ownApiVersion, kind: "Workflow", ...workflow })
        : `${JSON.stringify(workflow, null, 2)}
`,
    });
  },
});

export const listWorkflowChanges = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflow/:workflow/changelog",
  summary: "List who changed a workflow, when and why, version by version",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "read",
  params: workflowPath,
  response: Type.Array(ref(changeLogVersion)),
  async handle({ db, team, params }) {
    const workflow = await findWorkflow(db, team.id, params.workflow);
    if (workflow === undefined) throw new AppError("WORKFLOW_INVALID_REFERENCE", [params.workflow]);
    const versions = await listWorkflowVersions(db, team.id, workflow.id);
    return versions.map((version) => ({ ...viewChange(version), version: version.version }));
  },
});

export const listAvailableParameters = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflow/:workflow/available-parameters",
  summary: "List the references, $(…), that a workflow can use",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "read",
  params: workflowPath,
  response: Type.Array(Type.String()),
  async handle({ db, team, params }) {
    const { workflow, version } = await readWorkflow(db, team.id, params.workflow);
    return list(db, team.id, version.document, await findCalls(db, team.id, workflow.name, version.document));
  },
});
