import Type from "typebox";
import { channels } from "../../domain/run/wake-for-changes.ts";
import { deleteTeam as remove } from "../../domain/team/delete-team.ts";
import { holdTeam } from "../../domain/team/hold-team.ts";
import { defineEndpoint } from "../endpoint.ts";
import { forceParameter } from "../force-parameter.ts";
import { teamPath } from "../team-path.ts";
import { viewTeam } from "./team.view.ts";

export const deleteTeam = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team",
  summary: "Delete a team",
  description:
    "Deletes the team, everything in it and its tokens at once, and cancels its runs; the rows are purged in the background. With `force=false`, 409 while there are open runs.",
  tag: "Teams",
  permission: "team/delete",
  transaction: "write",
  changesRights: true,
  params: teamPath,
  query: Type.Object({ force: forceParameter }),
  response: null,
  async handle({ db, team, query, services, audit, afterCommit }) {
    const before = await viewTeam(db, services.runs.durations, await holdTeam(db, team));
    await remove(db, { id: team.id, name: before.name }, query.force);
    audit({ kind: "team", id: team.id, name: team.name, before });
    afterCommit(() => services.bus.wake(channels.engine));
  },
});
