import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type TaskScope, tasksQuery } from "../../api/queries/tasks.ts";
import { taskTypeWord } from "../../forms/task-form/task-type-words.ts";
import { t } from "../../texts/tasks.ts";

interface Chosen {
  category: string;
  type: string;
  status: string;
}

interface TaskChoicesProps {
  scope: TaskScope;
  /** Empty: not filtered by. */
  chosen: Chosen;
  onChange: (change: Partial<Chosen>) => void;
}

/** Filters of tasks: those categories and types are offered that there are. */
export function TaskChoices({ scope, chosen: { category, type, status }, onChange }: TaskChoicesProps) {
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
      <Choice label={t("taskChoices.category")} value={category} choices={categories} onChange={(next) => onChange({ category: next })} />
      <Choice
        label={t("taskChoices.type")}
        value={type}
        choices={types}
        word={taskTypeWord}
        onChange={(next) => onChange({ type: next })}
      />
      <Choice
        label={t("taskChoices.status")}
        value={status}
        choices={["active", "inactive"]}
        word={statusWord}
        onChange={(next) => onChange({ status: next })}
      />
    </>
  );
}

function statusWord(status: string): string {
  return status === "active" ? t("taskChoices.active") : t("taskChoices.archived");
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
      clearButtonProps={{ "aria-label": t("taskChoices.any", { toLowerCase: label.toLowerCase() }) }}
      onChange={(next) => onChange(next ?? "")}
    />
  );
}
