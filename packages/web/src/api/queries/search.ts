import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { components } from "../schema.generated.ts";

export type SearchHit = components["schemas"]["SearchHit"];

/** Teams, workflows, tasks and templates by name, over everything that the caller may read; nothing asked: the newest. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ["search", text],
    queryFn: async () => (await call(api.GET("/api/v2/search", { params: { query: { q: text, limit: 8 } } }))).hits,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
