import { taskParametersPlace } from "../../core/secret/sealed-places.ts";
import type { HostNetworkRights } from "../../core/task/task-network.ts";
import type { SaveTaskContext } from "../../domain/task/prepare-task.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findTeam } from "../../store/team/teams.ts";
import type { Context, TeamScope } from "../endpoint.ts";

export type TaskSaver = Pick<Context<unknown, unknown, unknown, Queryable>, "db" | "principal" | "keyring" | "services">;

/** @param team null: a global task */
export async function saveTaskContext(team: Pick<TeamScope, "id" | "name"> | null, saver: TaskSaver): Promise<SaveTaskContext> {
  const { principal, keyring } = saver;
  const teamId = team?.id ?? null;
  const place = taskParametersPlace(teamId);
  return {
    teamId,
    author: principal.name,
    seal: (clear) => keyring.sealText(clear, place),
    hostNetwork: await hostNetworkRights(team, saver),
  };
}

/** Whether a task of the team, or a global one, may use the network of the machine. */
export async function hostNetworkRights(
  team: Pick<TeamScope, "id" | "name"> | null,
  { db, services }: Pick<TaskSaver, "db" | "services">,
): Promise<HostNetworkRights> {
  const isAllowedHere = services.runs.allowsHostNetwork;
  if (team === null) return { isAllowedHere };
  const row = await findTeam(db, team.id);
  return { isAllowedHere, team: { name: team.name, isAllowed: row?.allowHostNetwork === true } };
}
