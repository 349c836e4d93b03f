import type { Readable } from "node:stream";
import Type from "typebox";
import { defineEndpoint, type Principal, reply } from "../endpoint.ts";
import { teamPath } from "../request-parameters.ts";
import { ChangeStream } from "./change-stream.ts";
import { reachEverywhere, reachOfTeam } from "./describe-changes.ts";

/** What both streams of changes have in common. */
const changesAnswer = {
  method: "GET",
  transaction: "none",
  produces: ["text/event-stream"],
  headers: Type.Object({ "last-event-id": Type.Optional(Type.String({ description: "ID of the last event that you received" })) }),
} as const;

function changesReply(body: Readable, staysOpenFor: (caller: Principal) => boolean) {
  return reply({ headers: { "content-type": "text/event-stream; charset=utf-8" }, body, staysOpenFor });
}

export const watchChanges = defineEndpoint({
  ...changesAnswer,
  path: "/api/v2/changes",
  summary: "Watch changes in all teams that you can read, and in the instance",
  description:
    "Server-sent events, as for a team. `change` names a `kind` and its `team`. A change of the instance has no team: team (one was created), task (a global one), workflowtemplate, and, if you can read them, " +
    "user, parameter, token, system (settings), subscription and delivery (those of the instance itself; for a team's deliveries watch the team), and worker, which is also sent every 10 seconds. `reset`: changes may have been missed, or the caller may read other teams than before; ask for everything. " +
    "The stream ends when the credential expires.",
  tag: "System",
  permission: "signed-in",
  response: Type.String({ examples: ['id: 1\nevent: change\ndata: {"kind":"workflow","team":"hawks"}\n\n'] }),
  async handle({ db, headers, principalNow, services }) {
    const body = new ChangeStream({
      sql: db,
      bus: services.bus,
      reachNow: async () => reachEverywhere(await principalNow()),
      isReturning: headers["last-event-id"] !== undefined,
      stopping: services.stopping,
    });
    return changesReply(body, (caller) => reachEverywhere(caller) !== undefined);
  },
});

export const watchTeamChanges = defineEndpoint({
  ...changesAnswer,
  path: "/api/v2/team/:team/changes",
  summary: "Watch changes in a team",
  description:
    "Server-sent events. `change` names a `kind` (workflowrun with `id`, `status` and `phase`; workflow, editing, schedule, task, action, team; subscription; delivery, at most about once a second) that you can read: reload what you show of it. " +
    "`reset`: changes may have been missed, so reload everything. A client that reconnects with `Last-Event-ID`, as browsers do, gets `reset` first. " +
    "The stream ends when you can no longer read anything in the team.",
  tag: "Runs",
  permission: "workflowrun/read",
  params: teamPath,
  response: Type.String({ examples: ['id: 1\nevent: change\ndata: {"kind":"workflow"}\n\n'] }),
  async handle({ db, team, headers, principalNow, services }) {
    const body = new ChangeStream({
      sql: db,
      bus: services.bus,
      teamId: team.id,
      reachNow: async () => reachOfTeam(await principalNow(), team.id),
      isReturning: headers["last-event-id"] !== undefined,
      stopping: services.stopping,
    });
    return changesReply(body, (caller) => reachOfTeam(caller, team.id) !== undefined);
  },
});
