import Type from "typebox";
import { defineEndpoint } from "../endpoint.ts";
import { reachEverywhere } from "./change-reach.ts";
import { ChangeStream } from "./change-stream.ts";
import { changesAnswer, changesReply } from "./changes-answer.ts";

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
