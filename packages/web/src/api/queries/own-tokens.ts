import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";

/** Tokens that act as that user, the newest first. */
export const ownTokensQuery = (user: string) =>
  queryOptions({
    queryKey: ["tokens", "user", user],
    queryFn: () =>
      call(
        api.GET("/api/v2/token/query", { params: { query: { types: ["user"], principals: [user], limit: 100, page: 0, order: "DESC" } } }),
      ),
  });
