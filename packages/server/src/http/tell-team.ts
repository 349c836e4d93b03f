import type { FastifyRequest } from "fastify";
import type { Endpoint } from "../api/endpoint.ts";
import type { WakeWire } from "../base/wake-wire.ts";
import { isWrite } from "./check-origin.ts";

/** Of `/api/v2/team/:team/schedule/:scheduleId` it is `schedule`; of the team itself and what has no list of its own, `team`. */
const kindOfPath = /^\/api\/v2\/team\/:team\/(workflow|workflowrun|schedule|task|action)(?:\/|$)/;

/** Tells who looks at the team that something was written in it: a hint after the commit, one a request, whatever the endpoint is. */
export function tellTeam(endpoint: Endpoint, request: FastifyRequest, wire: WakeWire | undefined): void {
  const team = request.caller?.team;
  if (team === undefined || !isWrite(endpoint)) return;
  wire?.wake("teams", `${team.id} ${kindOfPath.exec(endpoint.path)?.[1] ?? "team"}`);
}
