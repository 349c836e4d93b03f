import { workflowRunCount } from "@millrace/contract/run.ts";
import { statuses } from "@millrace/contract/status.ts";
import Type from "typebox";
import { countRunsByStatus } from "../../store/run/runs.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamPath } from "../team-path.ts";
import { runFilterParameters, toRunFilter } from "./run-filter.ts";

export const countRuns = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflowrun/count",
  summary: "Count runs by status",
  tag: "Runs",
  permission: "workflowrun/read",
  transaction: "read",
  keepsToWorkflow: true,
  params: teamPath,
  query: Type.Object(runFilterParameters),
  response: workflowRunCount,
  async handle({ db, team, query, principal }) {
    const filter = toRunFilter(query, principal);
    const found = filter === undefined ? new Map<string, number>() : await countRunsByStatus(db, team.id, filter);
    const counts = Object.fromEntries(statuses.map((status) => [status, found.get(status) ?? 0]));
    return { status: { all: [...found.values()].reduce((sum, count) => sum + count, 0), ...counts } };
  },
});
