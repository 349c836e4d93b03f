import { Button, Select, Text } from "@mantine/core";
import { IconRosetteDiscountCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type Task, type TaskScope, taskListQuery, tasksPageSize, tasksQuery } from "../../api/queries/task/tasks.ts";
import { taskTypeWord } from "../../forms/task-form/task-draft.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { paths } from "../../paths.ts";
import { withinSentence } from "../../texts/language.ts";
import { t } from "../../texts/task/tasks.ts";
import { ListBody, NothingFound } from "../../ui/list/list-page.tsx";
import { SearchField } from "../../ui/list/search-field.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { RowLink } from "../../ui/table/scroll-box.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { TaskState } from "./task-state.tsx";
import classes from "./tasks.module.css";

const anything = { q: "", category: "", type: "", status: "", page: 0 };

interface TaskListProps {
  scope: TaskScope;
  onCreate: () => void;
  mayCreate: boolean;
}

/** The tasks by category, with a search and filters that are stored in the URL. */
export function TaskList({ scope, onCreate, mayCreate }: TaskListProps) {
  const [{ q, category, type, status, page }, change] = useSearchState(anything);
  const search = String(q);
  const query = useQuery(taskListQuery(scope, { search, category, type, status, page }));
  const { data } = query;
  const isFiltered = [search, category, type, status].some((asked) => asked !== "");
  if (data?.total === 0 && !isFiltered) return <NoTasks mayCreate={mayCreate} onCreate={onCreate} />;
  return (
    <ListBody
      filters={
        data && (
          <>
            <SearchField
              label={t("taskList.searchTasks")}
              placeholder={t("taskList.searchTasksPlaceholder")}
              width={240}
              value={search}
              onSearch={(next) => change({ q: next, page: 0 })}
            />
            <TaskChoices scope={scope} chosen={{ category, type, status }} onChange={(next) => change({ ...next, page: 0 })} />
          </>
        )
      }
      count={data && t("taskList.taskTasks", { total: data.total })}
      pages={data && { page, size: tasksPageSize, total: data.total, onChange: (next) => change({ page: next }) }}
    >
      <DataTable
        label={t("taskList.tasksLabel")}
        minWidth={720}
        columns={taskColumns(scope)}
        query={query}
        loadingRows={8}
        rows={data?.tasks.toSorted(byCategoryAndTitle)}
        keyOf={({ id, name }) => id ?? name}
        groupOf={categoryOf}
        empty={<NothingFound things={t("taskList.tasks")} search={search} onClear={() => change(anything)} />}
      />
    </ListBody>
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

function byCategoryAndTitle(one: Task, other: Task): number {
  return categoryOf(one).localeCompare(categoryOf(other)) || titleOf(one).localeCompare(titleOf(other));
}

function categoryOf({ category }: Task): string {
  return category || t("taskList.noCategory");
}

function titleOf({ displayName, name }: Task): string {
  return displayName || name;
}

function taskColumns(scope: TaskScope): Column<Task>[] {
  return [
    { title: t("taskList.task"), cell: (task) => <TaskName task={task} scope={scope} /> },
    { title: t("taskList.type"), kind: "short", width: 136, cell: ({ type }) => taskTypeWord(type) },
    { title: t("taskList.status"), kind: "short", width: 96, cell: ({ status }) => <TaskState status={status} /> },
    { title: t("taskList.version"), kind: "short", width: 72, cell: ({ version }) => version },
    {
      title: t("taskList.changed"),
      width: 120,
      cell: ({ changelog }) => (
        <>
          <TimeText at={changelog?.date} />
          <Text size="sm" className="quiet" truncate>
            {changelog?.author}
          </Text>
        </>
      ),
    },
  ];
}

function TaskName({ task, scope }: { task: Task; scope: TaskScope }) {
  const to = scope === undefined ? paths.globalTask(task.name) : paths.teamTask(scope, task.name);
  return (
    <>
      <RowLink to={to}>{titleOf(task)}</RowLink> {task.displayName !== task.name && <code className="quiet">{task.name}</code>}
      {task.verified && (
        <span className={classes.verified} title={t("taskList.built")}>
          <IconRosetteDiscountCheck size={14} aria-hidden /> <span className="only-heard">{t("taskList.built")}</span>
        </span>
      )}
      <Text size="sm" className="quiet" lineClamp={1}>
        {task.description}
      </Text>
    </>
  );
}

interface Chosen {
  category: string;
  type: string;
  status: string;
}

interface TaskChoicesProps {
  scope: TaskScope;
  /** An empty value means no filter. */
  chosen: Chosen;
  onChange: (change: Partial<Chosen>) => void;
}

/** The filters for tasks. Only existing categories and types are offered. */
function TaskChoices({ scope, chosen: { category, type, status }, onChange }: TaskChoicesProps) {
  const { data: tasks = [] } = useQuery({ ...tasksQuery(scope), staleTime: 60_000 });
  const there = (values: readonly (string | undefined | null)[], chosen: string) =>
    [...new Set([...values, chosen])].filter((value) => typeof value === "string" && value !== "").sort() as string[];
  const categories = there(
    tasks.map((task) => task.category),
    category,
  );
  const types = there(
    tasks.map((task) => task.type),
    type,
  );
  return (
    <>
      <Choice label={t("taskList.category")} value={category} choices={categories} onChange={(next) => onChange({ category: next })} />
      <Choice label={t("taskList.type")} value={type} choices={types} word={taskTypeWord} onChange={(next) => onChange({ type: next })} />
      <Choice
        label={t("taskList.status")}
        value={status}
        choices={["active", "inactive"]}
        word={statusWord}
        onChange={(next) => onChange({ status: next })}
      />
    </>
  );
}

function statusWord(status: string): string {
  return status === "active" ? t("taskList.active") : t("taskList.archived");
}

interface ChoiceProps {
  label: string;
  value: string;
  choices: readonly string[];
  word?: (choice: string) => string;
  onChange: (value: string) => void;
}

function Choice({ label, value, choices, word = (choice) => choice, onChange }: ChoiceProps) {
  return (
    <Select
      size="xs"
      w={160}
      aria-label={label}
      placeholder={label}
      data={choices.map((choice) => ({ value: choice, label: word(choice) }))}
      value={value || null}
      clearable
      clearButtonProps={{ "aria-label": t("taskList.any", { toLowerCase: withinSentence(label) }) }}
      onChange={(next) => onChange(next ?? "")}
    />
  );
}
