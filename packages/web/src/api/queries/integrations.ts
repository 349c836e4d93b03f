import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { components } from "../schema.generated.ts";

export type Integration = components["schemas"]["Integration"];

export const integrationsQuery = (team: string) =>
  queryOptions({
    queryKey: ["integrations", team],
    queryFn: () => call(api.GET("/api/v2/integration", { params: { query: { team } } })),
  });

/** The installation of the codehost's app that the team is linked to, as the platform tells of it now. */
export const installationQuery = (team: string) =>
  queryOptions({
    queryKey: ["installation", team],
    queryFn: () => call(api.GET("/api/v2/integration/codehost/installation", { params: { query: { team } } })),
    retry: false,
  });

/** All of the instance: for those who answer for it. */
export const workspacesQuery = queryOptions({
  queryKey: ["chat-workspaces"],
  queryFn: () => call(api.GET("/api/v2/integration/chat/workspace")),
});
