import { ref } from "@millrace/contract/schema.ts";
import { workflowStatuses } from "@millrace/contract/workflow.ts";
import Type from "typebox";
import { readLatestVersions } from "../../domain/workflow/read-workflow.ts";
import { countMatchingWorkflows, listWorkflows, type WorkflowFilter } from "../../store/workflows.ts";
import { defineEndpoint } from "../endpoint.ts";
import { labels, list, listOf, pageParameters, search, sort, toLabelFilter } from "../query-parameters.ts";
import { teamPath } from "../team-path.ts";
import { viewPage } from "../view-page.ts";
import { viewWorkflow } from "./workflow.view.ts";

export const queryWorkflows = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflow/query",
  summary: "Find workflows",
  description: "A page of the latest versions, by date of creation. A page of more than 32 MiB is refused: ask for a smaller one.",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "read",
  keepsToWorkflow: true,
  params: teamPath,
  query: Type.Object({
    sort,
    ...pageParameters,
    labels,
    statuses: listOf(workflowStatuses, "Default all"),
    workflows: list("Names or ids; default all"),
    search: search("the name, the display name or the description"),
  }),
  response: ref("WorkflowResponsePage"),
  async handle({ db, team, query, principal }) {
    const filter: WorkflowFilter = {
      labels: toLabelFilter(query.labels),
      statuses: query.statuses ?? [],
      refs: query.workflows?.length ? query.workflows : undefined,
      search: query.search,
      onlyId: principal.workflowId,
    };
    const { limit, page } = query;
    const total = await countMatchingWorkflows(db, team.id, filter);
    const workflows = await listWorkflows(db, team.id, filter, { order: query.sort, limit, offset: page * limit });
    const views = (await readLatestVersions(db, team.id, workflows)).map((read) => viewWorkflow(read));
    return viewPage(views, { limit, page, total, sorted: true });
  },
});
