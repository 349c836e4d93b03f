import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { components } from "../schema.generated.ts";

export type Worker = components["schemas"]["Worker"];
export type WorkerExecutor = components["schemas"]["WorkerExecutor"];
export type Workers = components["schemas"]["Workers"];

/** The workers with what they do and what waits for them. The stream of changes tells when it is to be asked for again. */
export const workersQuery = queryOptions({
  queryKey: ["workers"],
  queryFn: () => call(api.GET("/api/v2/system/workers")),
});
