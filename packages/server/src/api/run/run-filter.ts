import Type from "typebox";
import { initiatorTexts } from "../../core/run/initiator.ts";
import type { RunFilter } from "../../store/run/runs.ts";
import type { Principal } from "../endpoint.ts";
import { date, labels, list, toDateRange, toLabelFilter } from "../query-parameters.ts";

/** What the query and the count of runs have in common. */
export const runFilterParameters = {
  labels,
  workflows: list("Names or IDs of workflows; default all"),
  initiators: list("Who or what started them, as in initiatedByRef, or with its kind: user:ID, token:ID, schedule:ID, run:ID; default all"),
  fromDate: date("Created at this time or later"),
  toDate: date("Created before this time"),
};
const parameters = Type.Object(runFilterParameters);

/** Undefined when nothing can match: a workflow token that asks for other workflows. */
export function toRunFilter(query: Type.Static<typeof parameters>, principal: Principal): RunFilter | undefined {
  const filter: RunFilter = { ...toDateRange(query) };
  if (query.initiators?.length) filter.initiators = query.initiators.flatMap(initiatorTexts);
  if (query.labels?.length) filter.labels = toLabelFilter(query.labels);
  const wanted = query.workflows?.length ? query.workflows : undefined;
  const { workflowId, workflowName } = principal;
  if (workflowId === undefined) return wanted ? { ...filter, workflows: wanted } : filter;
  const isOwnWanted = wanted === undefined || wanted.some((name) => name === workflowName || name.toLowerCase() === workflowId);
  return isOwnWanted ? { ...filter, workflows: [workflowId] } : undefined;
}
