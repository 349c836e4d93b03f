import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { components } from "../schema.generated.ts";

export type History = components["schemas"]["History"];
export type HistoryFigures = components["schemas"]["HistoryFigures"];

const refreshMs = 30_000;

/** How much history there is, and what its removal does. Nothing else changes with it, so it is asked for again by time. */
export const historyQuery = queryOptions({
  queryKey: ["history"],
  queryFn: () => call(api.GET("/api/v2/system/history")),
  refetchInterval: refreshMs,
});
