import { useQuery } from "@tanstack/react-query";
import { type TaskDefinition, taskVersionQuery } from "../../api/queries/task/task-catalog.ts";
import type { DraftTask } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";

/**
 * The task definition that a node uses, in its version; `latest` if there is a newer one. Undefined while it loads, or if it doesn't exist.
 */
export function useNodeDefinition(task: DraftTask) {
  const { team, catalog } = useDraft();
  const latest = catalog?.get(task.taskRef ?? "");
  const version = task.taskVersion ?? latest?.version ?? 0;
  const isOlder = latest !== undefined && version !== latest.version;
  const older = useQuery({ ...taskVersionQuery(team, task.taskRef ?? "", version, latest?.isOfTeam ?? false), enabled: isOlder });
  const definition: TaskDefinition | undefined =
    isOlder && older.data ? { ...older.data, isOfTeam: latest.isOfTeam } : isOlder ? undefined : latest;
  return { definition, latest };
}
