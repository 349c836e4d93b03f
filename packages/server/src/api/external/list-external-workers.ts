import { externalWorkers } from "@millrace/contract/external.ts";
import Type from "typebox";
import { type ExternalWorkerRow, listExternalWorkers as list } from "../../store/external/external-workers.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamParameter } from "../request-parameters.ts";

/**
 * Which programs of a team run its external tasks: what its members need in order to see why a task run waits, and which program to restart.
 * Not paged, since a team has at most 1,000 workers, including those lost within the last minute.
 */
export const listExternalWorkers = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/external/worker",
  summary: "List the external workers of the team",
  description:
    "Every program that asks for external tasks of the team: what it asks for, whether it is alive, and how many attempts it holds.",
  tag: "External workers",
  permission: "task/read",
  transaction: "read",
  params: Type.Object({ team: teamParameter }),
  query: Type.Object({
    task: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "Only workers that asked for this task last" })),
  }),
  response: externalWorkers,
  async handle({ db, team, query }) {
    return { workers: (await list(db, team.id, query.task)).map(viewWorker) };
  },
});

function viewWorker({ id, name, tasks, isAlive, isAsking, running, startedAt, leaseUntil }: ExternalWorkerRow) {
  return {
    ...{ id, name, tasks, alive: isAlive, asking: isAsking, running },
    startDate: startedAt.toISOString(),
    leaseUntilDate: leaseUntil.toISOString(),
  };
}
