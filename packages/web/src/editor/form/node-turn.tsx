import { Select } from "@mantine/core";
import { turnsOf } from "../../graph/task-turns.ts";
import { t } from "../../texts/workflow/designer.ts";
import type { DraftTask } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { possibleCompensations, setCompensation, setHandler } from "../draft/turn-edits.ts";

/** When the task runs (in the flow or after it), and which task undoes it. */
export function NodeTurn({ task }: { task: DraftTask }) {
  const { history, change } = useDraft();
  const turn = turnsOf(history.present.tasks).get(task.name) ?? "flow";
  return (
    <>
      {turn !== "compensation" && (
        <Select
          label={t("nodeTurn.runs")}
          description={turn === "flow" ? undefined : t("nodeTurn.handlerHelp")}
          data={[
            { value: "flow", label: t("nodeTurn.flow") },
            { value: "onFailure", label: t("nodeTurn.onFailure") },
            { value: "finally", label: t("nodeTurn.finally") },
          ]}
          value={turn}
          allowDeselect={false}
          onChange={(value) => change((draft) => setHandler(draft, task.name, value === "finally" || value === "onFailure" ? value : null))}
        />
      )}
      {turn === "flow" && (
        <Select
          label={t("nodeTurn.undoneBy")}
          description={t("nodeTurn.undoneByHelp")}
          placeholder={t("nodeTurn.nothingPlaceholder")}
          data={possibleCompensations(history.present, task.name)}
          value={task.compensatedBy ?? null}
          searchable
          clearable
          onChange={(value) => change((draft) => setCompensation(draft, task.name, value))}
        />
      )}
    </>
  );
}
