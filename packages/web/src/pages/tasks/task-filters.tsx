import { Group, Select, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { Task } from "../../api/queries/tasks.ts";
import { taskTypeWord } from "../../forms/task-form/task-type-words.ts";
import { categoryOf, type TaskFilter } from "./task-filter.ts";

interface TaskFiltersProps {
  tasks: readonly Task[];
  filter: TaskFilter;
  change: (filter: Partial<TaskFilter>) => void;
  /** How many match. */
  found: number;
}

/** By words, category, type and status; what there is to choose comes from the tasks themselves. */
export function TaskFilters({ tasks, filter, change, found }: TaskFiltersProps) {
  return (
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
      <Choice label="Category" value={filter.category} choices={namesOf(tasks, categoryOf)} onChange={(category) => change({ category })} />
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
        {found === tasks.length ? `${tasks.length} tasks` : `${found} of ${tasks.length} tasks`}
      </span>
    </Group>
  );
}

function statusWord(status: string): string {
  return status === "active" ? "Active" : "Archived";
}

function namesOf(tasks: readonly Task[], of: (task: Task) => string): string[] {
  return [...new Set(tasks.map(of))].sort((a, b) => a.localeCompare(b));
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
