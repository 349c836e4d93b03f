import type { components } from "@millrace/client/schema.generated.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";

export type Member = components["schemas"]["TeamMember"];

interface MembersFilter {
  /** Text in a name or email address. */
  search?: string;
  /** Default: all. */
  roles?: ("owner" | "editor" | "reader")[];
  /** User ids; default: all. */
  ids?: string[];
  /** `creationDate` (the default) lists the earliest members first. */
  sort?: "creationDate" | "name";
  /** From 0. */
  page?: number;
  limit: number;
}

/** The members of a team; the team itself contains only the first of them. Invalidated together with the team. */
export const membersQuery = (team: string, { search = "", page = 0, ...filter }: MembersFilter) => {
  const query = { ...filter, page, ...(search.trim() !== "" && { search: search.trim() }) };
  return queryOptions({
    queryKey: ["team", team, "members", query],
    queryFn: () => call(api.GET("/api/v2/team/{team}/member/query", { params: { path: { team }, query } })),
    placeholderData: keepPreviousData,
  });
};
