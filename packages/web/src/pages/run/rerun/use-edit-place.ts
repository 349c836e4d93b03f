import type { TaskRun } from "../../../api/queries/task/task-catalog.ts";
import { hasFailed, parentOf } from "../../../components/run-graph/run-graph-model.ts";
import type { PageSearch } from "../../../paths.ts";
import { paths } from "../../../paths.ts";
import { useRunView } from "../run-context.tsx";

type EditedTask = Pick<TaskRun, "name" | "type" | "status">;

/**
 * Where to edit the task: in the designer, in the latest version of the workflow. The link for a failed task also names the run, so that
 * the designer can rerun it. Undefined: there is nothing to edit.
 */
export function useEditPlace({ name, type, status }: EditedTask): { to: string; search: PageSearch } | undefined {
  const { team, run } = useRunView();
  if (type === "start" || type === "end" || run.workflowName === undefined) return undefined;
  const isRerun = hasFailed(status) && !run.nested && !run.trial;
  return {
    to: paths.workflow(team, run.nested?.workflow ?? run.workflowName, "design"),
    search: { node: parentOf(name), ...(run.nested && { in: run.nested.task }), ...(isRerun && { rerun: run.id }) },
  };
}
