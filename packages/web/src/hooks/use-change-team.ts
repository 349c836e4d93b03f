import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "../api/client.ts";
import { teamQuery } from "../api/queries/teams.ts";
import type { components } from "../api/schema.generated.ts";
import { useRenew } from "./use-renew.ts";

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
