import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { checkTask, type TaskFault, type TaskScope } from "../../../api/queries/task/tasks.ts";
import type { DocumentCheck } from "../../../components/yaml/yaml-pane.tsx";
import type { YamlFault } from "../../../forms/task-form/yaml-edit.ts";

/** Errors and warnings about a task document. */
export interface TaskCheck extends DocumentCheck {
  faults: readonly TaskFault[];
}

const waitMs = 350;

/**
 * The service's validation of the document while it is edited. A syntax error is shown at once, until the service's more precise message
 * arrives.
 */
export function useTaskCheck(scope: TaskScope, text: string, isWanted: boolean, fault: YamlFault | undefined): TaskCheck {
  const [settled] = useDebouncedValue(text, waitMs);
  const { data, isFetching } = useQuery({
    queryKey: ["task-check", scope ?? "global", settled],
    queryFn: () => checkTask(scope, settled),
    enabled: isWanted && settled !== "",
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
  });
  const isPending = isWanted && (settled !== text || isFetching);
  if (isPending && fault !== undefined) return { faults: [{ path: "", ...fault }], warnings: [], isPending };
  return { faults: data?.faults ?? [], warnings: data?.warnings ?? [], isPending };
}
