import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";

/** Open actions of a team, up to a hundred. */
export const openActionCountQuery = (team: string) =>
  queryOptions({
    queryKey: ["open-count", team],
    queryFn: async () => (await call(api.GET("/api/v2/team/{team}/action/open-count", { params: { path: { team } } }))).count,
    retry: false,
  });
