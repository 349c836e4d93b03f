import { ref, stringEnum } from "@millrace/contract/schema.ts";
import { type Workflow, workflowResponsePage } from "@millrace/contract/workflow/workflow.ts";
import { ratedRuns, type WorkflowSort, workflowSorts } from "@millrace/contract/workflow/workflow-list.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { readLatestVersions } from "../../domain/workflow/read-workflow.ts";
import { allows } from "../../policy/allows.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listFavouriteIds } from "../../store/workflow/favourites.ts";
import { listLatestRuns, listSortedWorkflows } from "../../store/workflow/sorted-workflows.ts";
import { countMatchingWorkflows, listWorkflows, type WorkflowFilter, type WorkflowRow } from "../../store/workflow/workflows.ts";
import { defineEndpoint } from "../endpoint.ts";
import { type Direction, pageParameters, teamPath } from "../request-parameters.ts";
import { viewRunSummary } from "../run/insights/insights.view.ts";
import { viewPage } from "../view-page.ts";
import { viewWorkflow } from "./workflow.view.ts";
import { toWorkflowFilter, workflowFilterParameters } from "./workflow-filter.ts";

export const queryWorkflows = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflow/query",
  summary: "Find workflows",
  description:
    "A page of the latest versions, by date of creation or by `sortBy`; workflows without runs to sort by come last. Information about runs " +
    "(`withRuns`, `sortBy` lastRun and successRate) needs workflowrun/read as well. A page larger than 32 MiB is refused: use a smaller limit.",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "read",
  keepsToWorkflow: true,
  params: teamPath,
  query: Type.Object({
    sort: stringEnum(["ASC", "DESC"], { default: "ASC", description: "Sort direction" }),
    sortBy: stringEnum(workflowSorts, {
      default: "creationDate",
      description: `The date of creation, the display name, the newest run, or the success rate of the ${ratedRuns} latest runs (ended and not cancelled)`,
    }),
    ...pageParameters,
    ...workflowFilterParameters,
    withTasks: Type.Boolean({ default: true, description: "false leaves the tasks out" }),
    withRuns: Type.Integer({
      minimum: 0,
      maximum: ratedRuns,
      default: 0,
      description: "Number of latest runs to return for each, as `latestRuns`",
    }),
  }),
  response: ref(workflowResponsePage),
  async handle({ db, team, query, principal }) {
    const { limit, page, withRuns, sort, sortBy, withTasks } = query;
    const tellsOfRuns = withRuns > 0 || sortBy === "lastRun" || sortBy === "successRate";
    if (tellsOfRuns && !allows(principal, "workflowrun/read", team.id))
      throw new AppError("PERMISSION_DENIED", [`information about runs needs the permission workflowrun/read in team ${team.name}`]);
    const filter = toWorkflowFilter(query, principal);
    const total = await countMatchingWorkflows(db, team.id, filter);
    const workflows = await listPage(db, team.id, filter, { by: sortBy, order: sort, limit, offset: page * limit });
    const views = (await readLatestVersions(db, team.id, workflows)).map((read) => viewWorkflow(read, { withTasks }));
    const told = withRuns === 0 ? views : await addRuns(db, team.id, views, withRuns);
    const marked = new Set(principal.userId === undefined ? [] : await listFavouriteIds(db, team.id, principal.userId));
    const content = told.map((workflow) => (marked.has(workflow.id ?? "") ? { ...workflow, favourite: true } : workflow));
    return viewPage(content, { limit, page, total, sorted: true });
  },
});

interface WantedPage {
  by: WorkflowSort;
  order: Direction;
  limit: number;
  offset: number;
}

function listPage(db: Queryable, teamId: string, filter: WorkflowFilter, { by, ...page }: WantedPage): Promise<WorkflowRow[]> {
  return by === "creationDate" ? listWorkflows(db, teamId, filter, page) : listSortedWorkflows(db, teamId, filter, { by, ...page });
}

async function addRuns(db: Queryable, teamId: string, workflows: readonly Workflow[], most: number): Promise<Workflow[]> {
  const ids = workflows.map(({ id }) => id);
  const runs = new Map<string, Workflow["latestRuns"]>(ids.map((id) => [id, []]));
  for (const row of await listLatestRuns(db, teamId, ids, most)) runs.get(row.workflowId)?.push(viewRunSummary(row));
  return workflows.map((workflow) => ({ ...workflow, latestRuns: runs.get(workflow.id) ?? [] }));
}
