import type { components } from "@millrace/client/schema.generated.ts";
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../client.ts";

export type Invitation = components["schemas"]["Invitation"];
export type NewInvitation = components["schemas"]["NewInvitation"];
export type OpenInvitation = components["schemas"]["OpenInvitation"];
export type InvitationRules = components["schemas"]["InvitationRules"];

/** The pending and expired invitations, at most two hundred. Invalidated together with the team. */
export const invitationsQuery = (team: string) =>
  queryOptions({
    queryKey: ["team", team, "invitations"],
    queryFn: () =>
      call(api.GET("/api/v2/team/{team}/invitation/query", { params: { path: { team }, query: { open: true, limit: 200, page: 0 } } })),
  });

export const invitationRulesQuery = (team: string) =>
  queryOptions({
    queryKey: ["team", team, "invitation-rules"],
    queryFn: () => call(api.GET("/api/v2/team/{team}/invitation/rules", { params: { path: { team } } })),
  });

/** The content of an invitation link. */
export const openInvitationQuery = (token: string) =>
  queryOptions({
    queryKey: ["invitation", token],
    queryFn: () => call(api.POST("/api/v2/invitation/read", { body: { token } })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
