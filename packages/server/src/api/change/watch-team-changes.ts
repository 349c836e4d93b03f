import Type from "typebox";
import { defineEndpoint } from "../endpoint.ts";
import { teamPath } from "../team-path.ts";
import { reachOfTeam } from "./change-reach.ts";
import { ChangeStream } from "./change-stream.ts";
import { changesAnswer, changesReply } from "./changes-answer.ts";

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
