import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { components } from "../schema.generated.ts";

export type Parameter = components["schemas"]["AbstractParam"];

/** Of the instance; those of a team are in the team itself. */
export const globalParametersQuery = queryOptions({
  queryKey: ["global-parameters"],
  queryFn: () => call(api.GET("/api/v2/parameters")),
});
