import { runSearchHits } from "@millrace/contract/run/run-search.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { teamsAllowing } from "../../policy/teams.ts";
import { findRunsEverywhere } from "../../store/run/lists/runs-everywhere.ts";
import { defineEndpoint } from "../endpoint.ts";
import { loadSearchState } from "./run-filter-parameters.ts";

export const searchRunsEverywhere = defineEndpoint({
  method: "GET",
  path: "/api/v2/search/workflowrun",
  summary: "Find runs in all teams",
  description:
    "In all teams whose runs you can read, the newest first, by the words that `search` of the query of runs takes. Fewer than two characters " +
    "find nothing.",
  tag: "System",
  permission: "signed-in",
  transaction: "read",
  keepsToWorkflow: true,
  query: Type.Object({
    q: Type.String({ maxLength: 200, default: "", description: "Search words, in upper or lower case", examples: ["A-2345"] }),
    limit: Type.Integer({ minimum: 1, maximum: 50, default: 10, description: "Maximum number of runs" }),
  }),
  response: ref(runSearchHits),
  async handle({ db, query: { q, limit }, principal }) {
    const teams = teamsAllowing(principal, "workflowrun/read");
    if (q.trim().length < 2 || teams?.length === 0) return { hits: [] };
    const rows = await findRunsEverywhere(db, { teams, workflowId: principal.workflowId, search: q, limit });
    const hits = rows.map(({ createdAt, waitKinds, ...hit }) => ({
      ...hit,
      ...(waitKinds.length > 0 && { waitKinds }),
      creationDate: createdAt.toISOString(),
    }));
    return { hits, ...(await loadSearchState(db)) };
  },
});
