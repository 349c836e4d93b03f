import { useQuery } from "@tanstack/react-query";
import { may } from "../api/permissions.ts";
import { teamsQuery } from "../api/queries/teams.ts";
import { useCaller } from "./use-caller.ts";

interface AllowingTeam {
  name: string;
  displayName: string;
}

/**
 * The teams in which the caller may do that, the first of them by name, and how many there are. Who may do it in all teams, as an
 * administrator, is seldom a member of one: then the service is asked for them.
 * @param search looked for in their names, over all of them
 */
export function useTeamsAllowing(permission: string, search = ""): { teams: readonly AllowingTeam[]; total: number } {
  const caller = useCaller();
  const isEverywhere = may(caller, permission);
  const { data } = useQuery({ ...teamsQuery(search), enabled: isEverywhere });
  if (isEverywhere && data !== undefined) return { teams: data.content, total: data.totalElements };
  const own = caller.teams.filter(({ name }) => may(caller, permission, name));
  return { teams: own, total: own.length };
}
