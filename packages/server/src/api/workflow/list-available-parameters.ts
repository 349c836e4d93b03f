import Type from "typebox";
import { listAvailableParameters as list } from "../../domain/workflow/list-available-parameters.ts";
import { readWorkflow } from "../../domain/workflow/read-workflow.ts";
import { defineEndpoint } from "../endpoint.ts";
import { workflowPath } from "./workflow-path.ts";

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
    const { version } = await readWorkflow(db, team.id, params.workflow);
    return list(db, team.id, version.document);
  },
});
