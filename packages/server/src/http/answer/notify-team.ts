import type { FastifyRequest } from "fastify";
import type { Endpoint } from "../../api/endpoint.ts";
import type { EventBus } from "../../base/process/event-bus.ts";
import { isWrite } from "../admit/check-origin.ts";

/** Of `/api/v2/team/:team/schedule/:scheduleId` it is `schedule`; of the team itself and what has no list of its own, `team`. */
const kindOfPath = /^\/api\/v2\/team\/:team\/(workflow|workflowrun|schedule|task|action|subscription)(?:\/|$)/;
/** What is in no team, and what it is called there. */
const kindOfInstancePath = /^\/api\/v2\/(team|user|task|workflowtemplate|parameters|token|settings|subscription)(?:\/|$)/;
const namesOfKinds: Readonly<Record<string, string>> = { parameters: "parameter", settings: "system" };

/** Tells who looks at the team, or at the instance, that something was written there: a hint after the commit, one a request. */
export function notifyTeam(endpoint: Endpoint, request: FastifyRequest, bus: EventBus | undefined): void {
  if (!isWrite(endpoint)) return;
  const team = request.caller?.team;
  if (team !== undefined) bus?.wake("teams", `${team.id} ${kindOfPath.exec(endpoint.path)?.[1] ?? "team"}`);
  else tellInstance(endpoint, bus);
}

function tellInstance({ path }: Endpoint, bus: EventBus | undefined): void {
  const kind = kindOfInstancePath.exec(path)?.[1];
  if (kind !== undefined) bus?.wake("teams", `instance ${namesOfKinds[kind] ?? kind}`);
}
