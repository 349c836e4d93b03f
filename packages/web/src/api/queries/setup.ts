import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";

/** The checklist of a new instance, for administrators. */
export const setupQuery = queryOptions({ queryKey: ["setup"], queryFn: () => call(api.GET("/api/v2/setup")) });
