import { Button, Group, Select, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { Task, TaskScope } from "../../api/queries/tasks.ts";
import { taskTypeWord } from "../../forms/task-form/task-type-words.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TaskTable } from "./task-table.tsx";

const anything = { q: "", category: "", type: "", status: "" };

interface TaskListProps {
  tasks: readonly Task[];
  scope: TaskScope;
  onCreate: () => void;
  mayCreate: boolean;
}

/** Tasks by category, found by words and by what they are; the filters are in the address. */
export function TaskList({ tasks, scope, onCreate, mayCreate }: TaskListProps) {
  const [filter, change] = useSearchState(anything);
  const found = tasks.filter((task) => matches(task, filter));
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
      <Group px="md" pb="sm" gap="xs" role="search">
        <TextInput
          size="xs"
          w={240}
          aria-label="Search tasks"
          placeholder="Name or description"
          leftSection={<IconSearch size={14} />}
          value={filter.q}
          onChange={(event) => change({ q: event.currentTarget.value })}
        />
        <Choice
          label="Category"
          value={filter.category}
          choices={namesOf(tasks, categoryOf)}
          onChange={(category) => change({ category })}
        />
        <Choice
          label="Type"
          value={filter.type}
          choices={namesOf(tasks, ({ type }) => type)}
          word={taskTypeWord}
          onChange={(type) => change({ type })}
        />
        <Choice
          label="Status"
          value={filter.status}
          choices={["active", "inactive"]}
          word={statusWord}
          onChange={(status) => change({ status })}
        />
        <span className="quiet" aria-live="polite">
          {found.length === tasks.length ? `${tasks.length} tasks` : `${found.length} of ${tasks.length} tasks`}
        </span>
      </Group>
      {found.length === 0 ? (
        <EmptyState title="No task matches">
          <Button variant="default" size="xs" onClick={() => change(anything)}>
            Clear the filters
          </Button>
        </EmptyState>
      ) : (
        <TaskTable tasks={found} scope={scope} />
      )}
    </>
  );
}

export function categoryOf({ category }: Task): string {
  return category || "Without category";
}

function statusWord(status: string): string {
  return status === "active" ? "Active" : "Archived";
}

function namesOf(tasks: readonly Task[], of: (task: Task) => string): string[] {
  return [...new Set(tasks.map(of))].sort((a, b) => a.localeCompare(b));
}

function matches(task: Task, { q, category, type, status }: typeof anything): boolean {
  const words = `${task.name} ${task.displayName ?? ""} ${task.description ?? ""}`.toLowerCase();
  const isFound = String(q)
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
  return isFound && (!category || categoryOf(task) === category) && (!type || task.type === type) && (!status || task.status === status);
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
      clearButtonProps={{ "aria-label": `Any ${label.toLowerCase()}` }}
      onChange={(next) => onChange(next ?? "")}
    />
  );
}
