import Type from "typebox";
import { defineEndpoint } from "../endpoint.ts";
import { reachEverywhere } from "./change-reach.ts";
import { ChangeStream } from "./change-stream.ts";
import { changesAnswer, changesReply } from "./changes-answer.ts";

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
