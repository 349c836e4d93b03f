import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { components } from "../schema.generated.ts";

export type TaskDefinition = components["schemas"]["Task"] & { isOfTeam: boolean };

/** The tasks that a workflow of the team can use, in their latest versions: a team's own hides the global one of its name. */
export const taskCatalogQuery = (team: string) =>
  queryOptions({
    queryKey: ["tasks", team, "catalog"],
    queryFn: async (): Promise<TaskDefinition[]> => {
      const query = { limit: 1000, page: 0 };
      const [own, global] = await Promise.all([
        call(api.GET("/api/v2/team/{team}/task/query", { params: { path: { team }, query } })),
        call(api.GET("/api/v2/task/query", { params: { query } })),
      ]);
      const names = new Set(own.content.map(({ name }) => name));
      return [
        ...own.content.map((task) => ({ ...task, isOfTeam: true })),
        ...global.content.filter(({ name }) => !names.has(name)).map((task) => ({ ...task, isOfTeam: false })),
      ];
    },
    staleTime: 60_000,
  });

/** A task as it was in that version. */
export const taskVersionQuery = (team: string, name: string, version: number, isOfTeam: boolean) =>
  queryOptions({
    queryKey: ["task", team, name, "version", version, isOfTeam],
    queryFn: async () => {
      const task = isOfTeam
        ? await call(api.GET("/api/v2/team/{team}/task/{name}", { params: { path: { team, name }, query: { version } } }))
        : await call(api.GET("/api/v2/task/{name}", { params: { path: { name }, query: { version } } }));
      // It is text where YAML is asked for.
      return task as components["schemas"]["Task"];
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
