import { workflowStatuses } from "@millrace/contract/workflow/workflow.ts";
import Type, { type Static } from "typebox";

import type { WorkflowFilter } from "../../store/workflow/workflows.ts";
import type { Principal } from "../endpoint.ts";
import { labels, list, listOf, search, toLabelFilter } from "../request-parameters.ts";
import { favouritesOf } from "./workflow.view.ts";

/** The filters of workflows, for their list and for counting the labels in it. */
export const workflowFilterParameters = {
  labels,
  statuses: listOf(workflowStatuses, "Default all"),
  workflows: list("Names or IDs; default all"),
  search: search("the name, the display name or the description"),
  archived: Type.Boolean({ default: false, description: "true: only archived workflows; false: only the others" }),
  favourites: Type.Boolean({ default: false, description: "true: only those that you have marked" }),
  withoutLabel: Type.Optional(
    Type.String({ minLength: 1, maxLength: 400, description: "Only those that have no label with this key", examples: ["area"] }),
  ),
};

const parameters = Type.Object(workflowFilterParameters);

export function toWorkflowFilter(query: Static<typeof parameters>, principal: Principal): WorkflowFilter {
  return {
    labels: toLabelFilter(query.labels),
    statuses: query.statuses ?? [],
    refs: query.workflows?.length ? query.workflows : undefined,
    search: query.search,
    onlyId: principal.workflowId,
    isArchived: query.archived,
    favouriteOf: query.favourites ? favouritesOf(principal) : undefined,
    withoutLabel: query.withoutLabel,
  };
}
