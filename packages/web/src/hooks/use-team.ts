import type { components } from "@millrace/client/schema.generated.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api, call } from "../api/client.ts";
import { teamQuery, teamsQuery } from "../api/queries/identity/session.ts";
import { may, useCaller } from "./use-caller.ts";
import { useRenew } from "./use-renew.ts";

type ParamName = "team" | "workflow" | "run" | "action" | "task" | "template" | "section";

/** A part of the address, of the pages that have it. @throws elsewhere */
export function useParam(name: ParamName): string {
  const value = useParams({ strict: false })[name];
  if (value === undefined) throw new Error(`The address has no ${name}.`);
  return value;
}

/** Name of the team in the address. Only on pages below `/$team`. */
export function useTeam(): string {
  return useParam("team");
}

interface AllowingTeam {
  name: string;
  displayName: string;
}

/**
 * The teams in which the caller may do that, the first of them by name, and how many there are. A caller who may do it in all teams, such
 * as an administrator, is seldom a member of one: then the service is asked for them.
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

type TeamChange = components["schemas"]["TeamRequest"];

/** Changes a team; only what is given changes. What is shown of the team is brought up to date from the answer. */
export function useChangeTeam(team: string) {
  const client = useQueryClient();
  const renew = useRenew();
  return useMutation({
    mutationFn: (body: TeamChange) => call(api.PATCH("/api/v2/team/{team}", { params: { path: { team } }, body })),
    onSuccess: (changed) => {
      client.setQueryData(teamQuery(team).queryKey, changed);
      // By its id or in another case, the address may know the team by another key.
      return renew(["team", "teams", "caller"]);
    },
  });
}
