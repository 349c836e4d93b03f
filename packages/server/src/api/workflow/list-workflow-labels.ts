import { ref } from "@millrace/contract/schema.ts";
import { type WorkflowLabel, workflowLabels } from "@millrace/contract/workflow/workflow-label.ts";
import Type from "typebox";
import { listWorkflowLabels as listLabels } from "../../store/workflow/workflow-labels.ts";
import { countMatchingWorkflows } from "../../store/workflow/workflows.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamPath } from "../request-parameters.ts";
import { toWorkflowFilter, workflowFilterParameters } from "./workflow-filter.ts";

export const listWorkflowLabels = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflow-label/query",
  summary: "List the labels of workflows",
  description:
    "The keys and values of the labels of all workflows that match, with how many workflows have each: to group a list by one of them. " +
    "Takes the filters of the list of workflows.",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "read",
  keepsToWorkflow: true,
  params: teamPath,
  query: Type.Object(workflowFilterParameters),
  response: ref(workflowLabels),
  async handle({ db, team, query, principal }) {
    const filter = toWorkflowFilter(query, principal);
    const total = await countMatchingWorkflows(db, team.id, filter);
    const labels = new Map<string, WorkflowLabel>();
    for (const { key, value, workflows, keyWorkflows, valueCount } of await listLabels(db, team.id, filter)) {
      const label = labels.get(key) ?? { key, workflows: keyWorkflows, valueCount, values: [] };
      label.values.push({ value, workflows });
      labels.set(key, label);
    }
    return { total, labels: [...labels.values()] };
  },
});
