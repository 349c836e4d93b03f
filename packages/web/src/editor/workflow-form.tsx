import { Stack, Text, Title } from "@mantine/core";
import { CodeEditor } from "../ui/code-editor.tsx";
import { useDraft } from "./draft-context.ts";
import { ProblemList } from "./problem-list.tsx";
import classes from "./side-panel.module.css";
import type { Edits } from "./use-edits.ts";

/** When nothing is chosen: what is wrong with the workflow, and its notes. */
export function WorkflowForm({ edits }: { edits: Edits }) {
  const { history, change, problems, isChecking, whyNotEdit } = useDraft();
  const { tasks, markdown } = history.present;
  const notes = typeof markdown === "string" ? markdown : "";
  return (
    <Stack gap="sm" className={classes.body ?? ""}>
      <Title order={2}>Workflow</Title>
      <Text size="sm" className="quiet">
        {tasks.length} tasks. Choose one to see its form; choose a link to say when it is taken.
      </Text>
      {whyNotEdit === undefined && (
        <Text size="sm" role="status">
          {isChecking
            ? "Checking…"
            : problems.length === 0
              ? "No problems: it can be saved and run."
              : `${problems.length} ${problems.length === 1 ? "problem" : "problems"} to solve:`}
        </Text>
      )}
      <ProblemList problems={problems} onChoose={edits.show} />
      <Title order={3}>Notes</Title>
      <CodeEditor
        label="Notes about the workflow"
        language="markdown"
        placeholder="In Markdown"
        value={notes}
        isReadOnly={whyNotEdit !== undefined}
        maxHeight="320px"
        onChange={(text) => text !== notes && change((draft) => ({ ...draft, markdown: text }), "notes")}
      />
    </Stack>
  );
}
