import { useQuery } from "@tanstack/react-query";
import { type TaskRunFilter, taskByNameQuery, taskPageQuery, taskPageSize } from "../../api/queries/run/task-runs.ts";
import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import { taskRunQuery } from "../../api/queries/task/task-catalog.ts";

/** The task run at a position among all that match the filter; undefined until its page is loaded. Rows of a page share one request. */
export function usePagedTask(team: string, run: string, filter: TaskRunFilter, index: number): TaskRun | undefined {
  const { data } = useQuery(taskPageQuery(team, run, filter, Math.floor(index / taskPageSize)));
  return data?.content[index % taskPageSize];
}

/** A task run that the summary of its run leaves out, by its id or name. @param named undefined: no request is sent */
export function useTaskLeftOut(team: string, run: string, named: string | undefined): TaskRun | undefined {
  const isItem = named !== undefined && /\[\d+\]$/.test(named);
  const byName = useQuery({ ...taskByNameQuery(team, run, named ?? ""), enabled: isItem });
  const byId = useQuery({ ...taskRunQuery(team, named ?? ""), enabled: named !== undefined && !isItem, retry: false });
  const found = isItem ? byName.data : byId.data;
  return named !== undefined && found?.workflowRunRef === run ? found : undefined;
}
