import { Stack, Text, Title } from "@mantine/core";
import type { WorkflowProblem } from "../../api/queries/workflow-draft.ts";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import { useDraft } from "../draft/draft-context.ts";
import type { Edits } from "../draft/use-edits.ts";
import { ProblemList } from "./problem-list.tsx";
import classes from "./side-panel.module.css";

function stateOf(problems: readonly WorkflowProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  const warned = warnings === 0 ? "" : `${warnings} ${warnings === 1 ? "warning" : "warnings"}`;
  if (errors === 0) return warned === "" ? "No problems found" : `Can be saved, with ${warned}:`;
  return `${errors} ${errors === 1 ? "problem" : "problems"} to fix${warned === "" ? "" : `, and ${warned}`}:`;
}

/** When nothing is chosen: what is wrong with the workflow, and its notes. */
export function WorkflowForm({ edits }: { edits: Edits }) {
  const { history, change, problems, isChecking, whyNotEdit } = useDraft();
  const { tasks, markdown } = history.present;
  const notes = typeof markdown === "string" ? markdown : "";
  return (
    <Stack gap="sm" className={classes.body ?? ""}>
      <Title order={2}>Workflow</Title>
      <Text size="sm" className="quiet">
        {tasks.length} tasks. Select a task to edit it, or a link to set its condition.
      </Text>
      {whyNotEdit === undefined && (
        <Text size="sm" role="status">
          {isChecking ? "Checking…" : stateOf(problems)}
        </Text>
      )}
      <ProblemList problems={problems} onChoose={edits.show} />
      <Title order={3}>Notes</Title>
      <CodeEditor
        label="Workflow notes"
        language="markdown"
        placeholder="Markdown"
        value={notes}
        isReadOnly={whyNotEdit !== undefined}
        maxHeight="320px"
        onChange={(text) => text !== notes && change((draft) => ({ ...draft, markdown: text }), "notes")}
      />
    </Stack>
  );
}
