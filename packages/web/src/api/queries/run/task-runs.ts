import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call, paced } from "../../client.ts";
import type { TaskRun } from "../task/task-catalog.ts";

/** Task runs per page: somewhat more than the rows of a screen. */
export const taskPageSize = 50;

export interface TaskRunFilter {
  statuses?: TaskRun["status"][];
  /** The name of a forEach task: only its items. */
  itemsOf?: string;
  /** Words in the name. */
  search?: string;
}

/** A page of the task runs of a run, in the order of its tasks, each followed by its items. */
export const taskPageQuery = (team: string, run: string, filter: TaskRunFilter, page: number) =>
  queryOptions({
    queryKey: ["task-runs", team, run, filter, page],
    queryFn: ({ signal }) => {
      const query = { workflowruns: [run], sort: "task" as const, limit: taskPageSize, page, ...filter };
      return paced(`${team}/${run}/${page}`, () =>
        call(api.GET("/api/v2/team/{team}/taskrun/query", { params: { path: { team }, query }, signal })),
      );
    },
  });

/** The first page, which contains the total number. The previous results stay visible until new ones arrive. */
export const firstTaskPageQuery = (team: string, run: string, filter: TaskRunFilter) => ({
  ...taskPageQuery(team, run, filter, 0),
  placeholderData: keepPreviousData,
});

/** The item with exactly that name (`each[3]`). */
export const taskByNameQuery = (team: string, run: string, name: string) => ({
  ...taskPageQuery(team, run, { itemsOf: name.replace(/\[\d+\]$/, ""), search: name }, 0),
  select: ({ content }: { content: TaskRun[] }) => content.find((task) => task.name === name),
});

/** Of each of two logs that are compared: more takes a browser long, and the end says how a task ended. */
export const comparedLogLines = 1_000;

/** The last lines of a log. @param status of the task run: what has ended writes no more */
export const logEndQuery = (taskRun: string, status: TaskRun["status"]) =>
  queryOptions({
    queryKey: ["log-end", taskRun, status],
    queryFn: async () => {
      const params = { path: { taskRunId: taskRun }, query: { tail: comparedLogLines, limit: comparedLogLines } };
      const answer = await call(api.GET("/api/v2/taskrun/{taskRunId}/log", { params, headers: { accept: "application/json" } }));
      const lines = typeof answer === "object" && "lines" in answer ? answer.lines : [];
      return { lines, hasMore: lines.length === comparedLogLines };
    },
  });
