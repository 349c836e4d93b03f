import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";

export const callerQuery = queryOptions({ queryKey: ["caller"], queryFn: () => call(api.GET("/api/v2/auth/caller")), staleTime: 60_000 });
export const methodsQuery = queryOptions({
  queryKey: ["sign-in-methods"],
  queryFn: () => call(api.GET("/api/v2/auth/methods")),
  staleTime: 300_000,
});
export const profileQuery = queryOptions({ queryKey: ["profile"], queryFn: () => call(api.GET("/api/v2/profile")) });
export const sessionsQuery = queryOptions({ queryKey: ["sessions"], queryFn: () => call(api.GET("/api/v2/auth/sessions")) });
export const contextQuery = queryOptions({ queryKey: ["context"], queryFn: () => call(api.GET("/api/v2/context")), staleTime: 300_000 });
export const featuresQuery = queryOptions({
  queryKey: ["features"],
  queryFn: () => call(api.GET("/api/v2/features", { cache: "no-cache" })),
  staleTime: 300_000,
});

/** Asked anew whatever the browser has kept: a feature that was switched off is gone at once. */
export const navigationQuery = (team: string | undefined) =>
  queryOptions({
    queryKey: ["navigation", team],
    queryFn: () => call(api.GET("/api/v2/navigation", { cache: "no-cache", params: { query: team === undefined ? {} : { team } } })),
    staleTime: 60_000,
  });
