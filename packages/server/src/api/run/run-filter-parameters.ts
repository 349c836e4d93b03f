import Type from "typebox";
import { initiatorTexts } from "../../core/run/lineage.ts";
import { readClock } from "../../store/database/clock.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findSearchState } from "../../store/run/lists/run-search.ts";
import type { RunFilter } from "../../store/run/run-filter.ts";
import type { Principal } from "../endpoint.ts";
import { date, labels, list, toDateRange, toLabelFilter } from "../request-parameters.ts";

/** The text that people type to find runs. */
const runSearch = Type.Optional(
  Type.String({
    maxLength: 200,
    description:
      "Only runs that have all of these words: in values of parameters, results, errors, labels, the names of workflow and initiator. " +
      "The last part of each word matches from its beginning. Or the ID of a run: at least its first 8 characters, or its last 8. Empty: all",
    examples: ["A-2345"],
  }),
);

/** What the query and the count of runs have in common. */
export const runFilterParameters = {
  labels,
  workflows: list("Names or IDs of workflows; default all"),
  initiators: list("Who or what started them, as in initiatedByRef, or with its kind: user:ID, token:ID, schedule:ID, run:ID; default all"),
  fromDate: date("Created at this time or later"),
  toDate: date("Created before this time"),
  search: runSearch,
  acknowledged: Type.Optional(Type.Boolean({ description: "Whether its failure was acknowledged; default all" })),
  waits: Type.Optional(Type.Boolean({ description: "Only runs that have begun and of which nothing runs, or none of them; default all" })),
};
const parameters = Type.Object(runFilterParameters);

/** Undefined if nothing can match: a workflow token that asks for other workflows. */
export function toRunFilter(query: Type.Static<typeof parameters>, principal: Principal): RunFilter | undefined {
  const filter: RunFilter = { ...toDateRange(query) };
  if (query.initiators?.length) filter.initiators = query.initiators.flatMap(initiatorTexts);
  if (query.labels?.length) filter.labels = toLabelFilter(query.labels);
  if (query.acknowledged !== undefined) filter.acknowledged = query.acknowledged;
  if (query.waits !== undefined) filter.waits = query.waits;
  if (query.search?.trim()) filter.search = query.search;
  const wanted = query.workflows?.length ? query.workflows : undefined;
  const { workflowId, workflowName } = principal;
  if (workflowId === undefined) return wanted ? { ...filter, workflows: wanted } : filter;
  const isOwnWanted = wanted === undefined || wanted.some((name) => name === workflowName || name.toLowerCase() === workflowId);
  return isOwnWanted ? { ...filter, workflows: [workflowId] } : undefined;
}

/** From this on the response says that the index is behind. */
const behindMs = 10_000;

export async function loadSearchState(db: Queryable): Promise<{ indexedUntil?: string; indexedFrom?: string }> {
  const { waitsSince, pastFrom } = await findSearchState(db);
  const isBehind = waitsSince !== null && (await readClock(db)).getTime() - waitsSince.getTime() > behindMs;
  return { ...(isBehind && { indexedUntil: waitsSince.toISOString() }), ...(pastFrom && { indexedFrom: pastFrom.toISOString() }) };
}
