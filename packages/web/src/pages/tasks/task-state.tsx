import { t } from "../../texts/task/tasks.ts";
import { StateMark } from "../../ui/mark/state-mark.tsx";

/** Whether workflows can use the task. */
export function TaskState({ status }: { status: string }) {
  return status === "active" ? (
    <StateMark tone="on" word={t("taskState.active")} />
  ) : (
    <StateMark tone="rest" word={t("taskState.archived")} />
  );
}
