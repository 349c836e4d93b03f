import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { components } from "../schema.generated.ts";

export type Worker = components["schemas"]["Worker"];
export type WorkerExecutor = components["schemas"]["WorkerExecutor"];
export type Workers = components["schemas"]["Workers"];

/** No stream tells of workers, so it is asked for again while somebody looks. */
export const workersQuery = queryOptions({
  queryKey: ["workers"],
  queryFn: () => call(api.GET("/api/v2/system/workers")),
  refetchInterval: 5_000,
});
