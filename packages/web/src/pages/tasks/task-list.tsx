import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type TaskScope, taskListQuery, tasksPageSize } from "../../api/queries/tasks.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/tasks.ts";
import { NothingFound } from "../../ui/list/nothing-found.tsx";
import { PageChoice } from "../../ui/list/page-choice.tsx";
import { SearchField } from "../../ui/list/search-field.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { TaskChoices } from "./task-choices.tsx";
import { TaskTable } from "./task-table.tsx";

const anything = { q: "", category: "", type: "", status: "", page: 0 };

interface TaskListProps {
  scope: TaskScope;
  onCreate: () => void;
  mayCreate: boolean;
}

/** Tasks by category, found by words and by what they are; the filters are in the address. */
export function TaskList({ scope, onCreate, mayCreate }: TaskListProps) {
  const [{ q, category, type, status, page }, change] = useSearchState(anything);
  const search = String(q);
  const query = useQuery(taskListQuery(scope, { search, category, type, status, page }));
  const { data } = query;
  if (data === undefined) return <NotLoaded query={query} label={t("taskList.loadingTasks")} rows={8} />;
  const isFiltered = [search, category, type, status].some((asked) => asked !== "");
  if (data.total === 0 && !isFiltered) return <NoTasks mayCreate={mayCreate} onCreate={onCreate} />;
  return (
    <>
      <Group px="md" pb="sm" gap="xs" role="search">
        <SearchField
          label={t("taskList.searchTasks")}
          placeholder={t("taskList.searchTasksPlaceholder")}
          width={240}
          value={search}
          onSearch={(next) => change({ q: next, page: 0 })}
        />
        <TaskChoices scope={scope} chosen={{ category, type, status }} onChange={(next) => change({ ...next, page: 0 })} />
        <span className="quiet" role="status">
          {t("taskList.taskTasks", { total: data.total })}
        </span>
      </Group>
      {data.tasks.length === 0 ? (
        <NothingFound things={t("taskList.tasks")} search={search} onClear={() => change(anything)} />
      ) : (
        <TaskTable tasks={data.tasks} scope={scope} />
      )}
      {data.total > tasksPageSize && (
        <PageChoice page={page} size={tasksPageSize} total={data.total} onChange={(next) => change({ page: next })} />
      )}
    </>
  );
}

function NoTasks({ mayCreate, onCreate }: Pick<TaskListProps, "mayCreate" | "onCreate">) {
  return (
    <EmptyState title={t("taskList.noTeamTasksYet")}>
      <p className="quiet">{t("taskList.taskScriptProgramParameters")}</p>
      {mayCreate && <Button onClick={onCreate}>{t("taskList.createFirstTask")}</Button>}
    </EmptyState>
  );
}
