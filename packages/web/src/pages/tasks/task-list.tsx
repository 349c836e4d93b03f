import { Button } from "@mantine/core";
import type { Task, TaskScope } from "../../api/queries/tasks.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { anyTask, matchesFilter } from "./task-filter.ts";
import { TaskFilters } from "./task-filters.tsx";
import { TaskTable } from "./task-table.tsx";

interface TaskListProps {
  tasks: readonly Task[];
  scope: TaskScope;
  onCreate: () => void;
  mayCreate: boolean;
}

/** Tasks by category, found by words and by what they are; the filters are in the address. */
export function TaskList({ tasks, scope, onCreate, mayCreate }: TaskListProps) {
  const [filter, change] = useSearchState(anyTask);
  const found = tasks.filter((task) => matchesFilter(task, filter));
  if (tasks.length === 0)
    return (
      <EmptyState title="No task yet">
        <p className="quiet">
          A task is a script or a program with parameters and results, which workflows use. The global tasks are there for every team.
        </p>
        {mayCreate && <Button onClick={onCreate}>Create the first one</Button>}
      </EmptyState>
    );
  return (
    <>
      <TaskFilters tasks={tasks} filter={filter} change={change} found={found.length} />
      {found.length === 0 ? (
        <EmptyState title="No task matches">
          <Button variant="default" size="xs" onClick={() => change(anyTask)}>
            Clear the filters
          </Button>
        </EmptyState>
      ) : (
        <TaskTable tasks={found} scope={scope} />
      )}
    </>
  );
}
