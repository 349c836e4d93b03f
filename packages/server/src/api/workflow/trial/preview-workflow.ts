import { workflowPreview, workflowPreviewRequest } from "@millrace/contract/workflow/workflow-preview.ts";
import { previewWorkflow as preview } from "../../../domain/workflow/preview-workflow.ts";
import { allows } from "../../../policy/allows.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { presentDraftRequest } from "../../present-body.ts";
import { readDraft, readSourceRun } from "../read-draft.ts";
import { workflowBodyLimit, workflowPath } from "../workflow.view.ts";

export const previewWorkflow = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/workflow/:workflow/preview",
  summary: "Show what expressions of a workflow give now",
  description:
    "Resolves texts as a run of the draft in the request, or of what is saved, would: with the parameters of the request, with pinned results, and with what " +
    "the run `fromRun` has left, which needs workflowrun/read. Writes nothing. Secrets stay masked, and without workflow/action also the parameters of the team and the instance. " +
    "A draft may be unfinished, and the workflow doesn't need to exist.",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "read",
  isNoChange: true,
  bodyLimit: workflowBodyLimit,
  params: workflowPath,
  body: workflowPreviewRequest,
  presentBody: presentDraftRequest,
  response: workflowPreview,
  async handle({ db, team, params, body, headers, principal, services }) {
    const draft = readDraft(body, headers);
    const fromRun = await readSourceRun(db, team, body.fromRun, principal);
    const seesParameters = allows(principal, "workflow/action", team.id);
    return preview(db, services.runs, { team, workflow: params.workflow, draft: draft?.input, request: body, fromRun, seesParameters });
  },
});
