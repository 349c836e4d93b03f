import { useQuery } from "@tanstack/react-query";
import { api, call } from "../../api/client.ts";
import { globalParametersQuery, type Parameter } from "../../api/queries/parameters.ts";
import { teamQuery } from "../../api/queries/teams.ts";
import { useApiMutation } from "../../hooks/use-api-mutation.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";

/** Parameters of a team or, without one, of the instance: the same actions by other ways of the API. */
export function useParameters(team: string | undefined) {
  const renew = useRenew();
  const rights = useRights(team);
  const ofTeam = useQuery({ ...teamQuery(team ?? ""), enabled: team !== undefined, select: ({ parameters }) => parameters });
  const ofInstance = useQuery({ ...globalParametersQuery, enabled: team === undefined });
  const changes = [team === undefined ? "global-parameters" : "team"] as const;
  const save = useApiMutation({
    changes,
    mutationFn: ({ parameter, isNew }: { parameter: Parameter; isNew: boolean }): Promise<unknown> => {
      if (team !== undefined)
        return call(api.PATCH("/api/v2/team/{team}", { params: { path: { team } }, body: { parameters: [parameter] } }));
      return isNew ? call(api.POST("/api/v2/parameters", { body: parameter })) : call(api.PUT("/api/v2/parameters", { body: parameter }));
    },
    // It has the clear text of a secret: nothing of it stays.
    gcTime: 0,
  });
  const remove = async (name: string) => {
    if (team === undefined) await call(api.DELETE("/api/v2/parameters/{name}", { params: { path: { name } } }));
    else await call(api.DELETE("/api/v2/team/{team}/parameters/{name}", { params: { path: { team, name } } }));
    await renew(changes);
  };
  const resource = team === undefined ? "parameter" : "team";
  return {
    query: team === undefined ? ofInstance : ofTeam,
    save,
    remove,
    whyNotWrite: rights.whyNot(`${resource}/write`),
    whyNotDelete: rights.whyNot(`${resource}/delete`),
  };
}
