import Type from "typebox";
import { defineEndpoint } from "../endpoint.ts";
import { teamPath } from "../team-path.ts";
import { reachOfTeam } from "./change-reach.ts";
import { ChangeStream } from "./change-stream.ts";
import { changesAnswer, changesReply } from "./changes-answer.ts";

export const watchTeamChanges = defineEndpoint({
  ...changesAnswer,
  path: "/api/v2/team/:team/changes",
  summary: "Watch changes in a team",
  description:
    "Server-sent events. `change` names a `kind` (workflowrun with `id`, `status` and `phase`; workflow, schedule, task, action, team; subscription; delivery, at most about once a second) that you can read: reload what you show of it. " +
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
