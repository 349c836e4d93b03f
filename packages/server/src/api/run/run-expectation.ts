import { runExpectation } from "@millrace/contract/run/run-expectation.ts";
import { ref } from "@millrace/contract/schema.ts";
import { readRunExpectation } from "../../domain/alert/read-run-expectation.ts";
import { defineEndpoint } from "../endpoint.ts";
import { getRunRow, runPath } from "./load-run.ts";

export const getRunExpectation = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflowrun/:runId/expectation",
  summary: "Read how long a run should take, and whether it is late",
  description:
    "By the rules of alerts, whether or not the team subscribes to them: against the deadline, the expected duration, or the usual duration.",
  tag: "Runs",
  permission: "workflowrun/read",
  transaction: "read",
  keepsToWorkflow: true,
  params: runPath,
  response: ref(runExpectation),
  async handle({ db, team, params, principal, services }) {
    const run = await getRunRow(db, team.id, params.runId, principal);
    const { alerts } = await services.runs.settings.load(db);
    const { limits, usualMs, late } = await readRunExpectation(db, { ...run, teamId: team.id }, alerts);
    return {
      ...(usualMs !== undefined && { usualDuration: Math.round(usualMs) }),
      ...(limits.expectedMs !== undefined && { expectedDuration: limits.expectedMs }),
      ...(typeof limits.deadline === "number" && { deadline: limits.deadline }),
      ...(late && { late: { limit: late.limit, dueDate: late.dueAt.toISOString() } }),
    };
  },
});
