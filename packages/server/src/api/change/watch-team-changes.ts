import Type from "typebox";
import { allows } from "../../policy/allows.ts";
import { defineEndpoint, type Principal, type Resource, reply } from "../endpoint.ts";
import { teamPath } from "../team-path.ts";
import { ChangeStream } from "./change-stream.ts";

const kinds = ["workflowrun", "workflow", "schedule", "task", "action", "team"] as const satisfies readonly Resource[];

export const watchTeamChanges = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/changes",
  summary: "Watch what changes in a team, live",
  description:
    "Server-sent events. `change` names a `kind` (workflowrun with `id`, `status` and `phase`; workflow, schedule, task, action, team) that the caller may read: ask for what you show of it again. " +
    "`reset`: changes may have been missed, ask for everything. A client that connects again with `Last-Event-ID`, as browsers do, gets `reset` first. " +
    "Cut off when the caller may read nothing of it any more.",
  tag: "Runs",
  permission: "workflowrun/read",
  transaction: "none",
  produces: ["text/event-stream"],
  params: teamPath,
  headers: Type.Object({ "last-event-id": Type.Optional(Type.String({ description: "Of the last event that was received" })) }),
  response: Type.String({ examples: ['id: 1\nevent: change\ndata: {"kind":"workflow"}\n\n'] }),
  async handle({ db, team, headers, principalNow, services }) {
    const body = new ChangeStream({
      sql: db,
      wire: services.wire,
      teamId: team.id,
      kindsNow: async () => readable(await principalNow(), team.id),
      isReturning: headers["last-event-id"] !== undefined,
      stopping: services.stopping,
    });
    // Proxies are asked not to gather it.
    return reply({ headers: { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" }, body });
  },
});

function readable(principal: Principal | undefined, teamId: string): ReadonlySet<string> {
  return new Set(kinds.filter((kind) => principal !== undefined && allows(principal, `${kind}/read`, teamId)));
}
