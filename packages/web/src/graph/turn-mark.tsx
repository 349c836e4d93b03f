import { IconAlertCircle, IconArrowBackUp, IconFlag } from "@tabler/icons-react";
import { t } from "../texts/workflow/turns.ts";
import type { TaskTurn } from "./task-turns.ts";

const icons = { compensation: IconArrowBackUp, onFailure: IconAlertCircle, finally: IconFlag };

/** Says when a task outside the flow runs. */
export function TurnMark({ turn, undoes }: { turn: TaskTurn | undefined; undoes?: string | undefined }) {
  if (turn === undefined || turn === "flow") return null;
  const Icon = icons[turn];
  const words = turnWords(turn, undoes);
  return (
    <span title={words}>
      <Icon size={14} aria-hidden />
      <span className="only-heard">{words}</span>
    </span>
  );
}

export function turnWords(turn: Exclude<TaskTurn, "flow">, undoes: string | undefined): string {
  if (turn === "compensation") return t("turnMark.undoes", { task: undoes ?? "" });
  return t(turn === "finally" ? "turnMark.finally" : "turnMark.onFailure");
}
