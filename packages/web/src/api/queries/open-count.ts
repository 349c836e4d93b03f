import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";

/** The number of the team's open actions, up to a hundred. */
export const openActionCountQuery = (team: string) =>
  queryOptions({
    queryKey: ["open-count", team],
    queryFn: async () => (await call(api.GET("/api/v2/team/{team}/action/open-count", { params: { path: { team } } }))).count,
    retry: false,
  });
