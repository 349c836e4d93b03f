import { Stack, Text, Title } from "@mantine/core";
import type { WorkflowProblem } from "../../api/queries/workflow-draft.ts";
import { t } from "../../texts/designer-form.ts";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import { useDraft } from "../draft/draft-context.ts";
import type { Edits } from "../draft/use-edits.ts";
import { ProblemList } from "./problem-list.tsx";
import classes from "./side-panel.module.css";

function stateOf(problems: readonly WorkflowProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  const warned = warnings === 0 ? "" : t("workflowForm.warningWarnings", { warnings });
  if (errors === 0) return warned === "" ? t("workflowForm.noProblemsFound") : t("workflowForm.saved", { warned });
  return t("workflowForm.problemProblemsFix", { errors, kind: warned === "" ? "yes" : "no", warned });
}

/** When nothing is chosen: what is wrong with the workflow, and its notes. */
export function WorkflowForm({ edits }: { edits: Edits }) {
  const { history, change, problems, isChecking, whyNotEdit } = useDraft();
  const { tasks, markdown } = history.present;
  const notes = typeof markdown === "string" ? markdown : "";
  return (
    <Stack gap="sm" className={classes.body ?? ""}>
      <Title order={2}>{t("workflowForm.workflow")}</Title>
      <Text size="sm" className="quiet">
        {t("workflowForm.tasksSelectTaskEdit", { count: tasks.length })}
      </Text>
      {whyNotEdit === undefined && (
        <Text size="sm" role="status">
          {isChecking ? t("workflowForm.checking") : stateOf(problems)}
        </Text>
      )}
      <ProblemList problems={problems} onChoose={edits.show} />
      <Title order={3}>{t("workflowForm.notes")}</Title>
      <CodeEditor
        label={t("workflowForm.workflowNotes")}
        language="markdown"
        placeholder={t("workflowForm.workflowNotesPlaceholder")}
        value={notes}
        isReadOnly={whyNotEdit !== undefined}
        maxHeight="320px"
        onChange={(text) => text !== notes && change((draft) => ({ ...draft, markdown: text }), "notes")}
      />
    </Stack>
  );
}
