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
  headers: Type.Object({ "last-event-id": Type.Optional(Type.String({ description: "Of the last event that was received" })) }),
} as const;

function changesReply(body: Readable, goesOnFor: (caller: Principal) => boolean) {
  return reply({ headers: { "content-type": "text/event-stream; charset=utf-8" }, body, goesOnFor });
}

export const watchChanges = defineEndpoint({
  ...changesAnswer,
  path: "/api/v2/changes",
  summary: "Watch what changes in all teams that the caller may read, and in the instance",
  description:
    "Server-sent events, as those of a team. `change` names a `kind` and the `team` it is in. Without a team it is of the instance: team (one was made), task (a global one), workflowtemplate, and where the caller may read them " +
    "user, parameter, token, system (settings), subscription and delivery (those of the instance itself; a team's deliveries are told by its own stream), and worker, which is told every ten seconds besides. `reset`: changes may have been missed, or the caller may read other teams than before; ask for everything. " +
    "Cut off when the credential ends.",
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
  summary: "Watch what changes in a team, live",
  description:
    "Server-sent events. `change` names a `kind` (workflowrun with `id`, `status` and `phase`; workflow, schedule, task, action, team; subscription; delivery, at most about once a second) that the caller may read: ask for what you show of it again. " +
    "`reset`: changes may have been missed, ask for everything. A client that connects again with `Last-Event-ID`, as browsers do, gets `reset` first. " +
    "Cut off when the caller may read nothing of it any more.",
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
