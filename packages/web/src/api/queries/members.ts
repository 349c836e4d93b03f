import type { components } from "@millrace/client/schema.generated.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";

export type Member = components["schemas"]["TeamMember"];

interface MembersFilter {
  /** In a name or an address. */
  search?: string;
  /** Default: all. */
  roles?: ("owner" | "editor" | "reader")[];
  /** Of users; default: all. */
  ids?: string[];
  /** `creationDate` (the default): those who joined first. */
  sort?: "creationDate" | "name";
  /** From 0. */
  page?: number;
  limit: number;
}

/** Members of a team: those in the team itself are only the first. What makes the team old makes these old, too. */
export const membersQuery = (team: string, { search = "", page = 0, ...filter }: MembersFilter) => {
  const query = { ...filter, page, ...(search.trim() !== "" && { search: search.trim() }) };
  return queryOptions({
    queryKey: ["team", team, "members", query],
    queryFn: () => call(api.GET("/api/v2/team/{team}/member/query", { params: { path: { team }, query } })),
    placeholderData: keepPreviousData,
  });
};
