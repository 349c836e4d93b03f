import type { components } from "@millrace/client/schema.generated.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api, call } from "../api/client.ts";
import { teamQuery, teamsQuery } from "../api/queries/identity/session.ts";
import { may, useCaller } from "./use-caller.ts";
import { useRenew } from "./use-renew.ts";

type ParamName = "team" | "workflow" | "run" | "action" | "task" | "template" | "section";

/** A parameter of the URL's path, on pages that have it. @throws on other pages */
export function useParam(name: ParamName): string {
  const value = useParams({ strict: false })[name];
  if (value === undefined) throw new Error(`The address has no ${name}.`);
  return value;
}

/** The name of the team in the URL. Usable only on pages below `/$team`. */
export function useTeam(): string {
  return useParam("team");
}

interface AllowingTeam {
  name: string;
  displayName: string;
}

/**
 * The teams in which the caller has that permission (the first of them by name) and their number. A caller with the permission for all
 * teams, such as an administrator, is rarely a member of them, so the service is asked for the list.
 * @param search text to find in their names, among all of them
 */
export function useTeamsAllowing(permission: string, search = ""): { teams: readonly AllowingTeam[]; total: number } {
  const caller = useCaller();
  const isEverywhere = may(caller, permission);
  const { data } = useQuery({ ...teamsQuery(search), enabled: isEverywhere });
  if (isEverywhere && data !== undefined) return { teams: data.content, total: data.totalElements };
  const own = caller.teams.filter(({ name }) => may(caller, permission, name));
  return { teams: own, total: own.length };
}

type TeamChange = components["schemas"]["TeamRequest"];

/** Updates a team; only the given members change. What is shown of the team is updated from the response. */
export function useChangeTeam(team: string) {
  const client = useQueryClient();
  const renew = useRenew();
  return useMutation({
    mutationFn: (body: TeamChange) => call(api.PATCH("/api/v2/team/{team}", { params: { path: { team } }, body })),
    onSuccess: (changed) => {
      client.setQueryData(teamQuery(team).queryKey, changed);
      // The URL may name the team by its id or in another case, so its cache key may differ.
      return renew(["team", "teams", "caller"]);
    },
  });
}
