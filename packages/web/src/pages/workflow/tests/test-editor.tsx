import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { deleteTest, runTests, saveTest, testSchemaQuery, type WorkflowTest } from "../../../api/queries/workflow/workflow-tests.ts";
import { completeFrom, toldFrom } from "../../../editor/code/schema-completion.ts";
import type { Schema } from "../../../editor/code/schema-words.ts";
import type { bodyOf } from "../../../editor/draft/draft.ts";
import { useDraft } from "../../../editor/draft/draft-context.ts";
import { useApiMutation } from "../../../hooks/use-renew.ts";
import { t } from "../../../texts/workflow/workflow-tests.ts";
import { CodeEditor } from "../../../ui/code/code-editor.tsx";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { RefusalAlert } from "../../../ui/state/refusal-alert.tsx";
import { SingleResult } from "./test-result.tsx";
import { newTestText, readTest, textOfTest } from "./test-text.ts";

interface TestEditorProps {
  /** Undefined: a new test. */
  stored: WorkflowTest | undefined;
  /** The draft to test instead of the saved workflow. */
  draft: { draft?: ReturnType<typeof bodyOf> };
  whyNot: string | undefined;
  onSaved: (name: string) => void;
  onGone: () => void;
}

const onWorkers = new Set<string>(["template", "custom", "generic", "script"]);

/** Edits one test as YAML, with its result below. Runs the test as it is shown here, saved or not. */
export function TestEditor({ stored, draft, whyNot, onSaved, onGone }: TestEditorProps) {
  const { team, workflow, history } = useDraft();
  const { tasks } = history.present;
  const begin = useMemo(() => (stored ? textOfTest(stored) : newTestText(workersIn(tasks))), [stored, tasks]);
  const [typed, setTyped] = useState<string>();
  const [isDeleting, setDeleting] = useState(false);
  const text = typed ?? begin;
  const { test, fault } = useMemo(() => readTest(text), [text]);
  const help = useTestHelp();
  const run = useApiMutation({ changes: [], mutationFn: (one: WorkflowTest) => runTests(team, workflow, { ...draft, tests: [one] }) });
  const save = useApiMutation({
    changes: ["workflow"],
    team,
    mutationFn: async (one: WorkflowTest) => {
      const saved = await saveTest(team, workflow, one);
      // Saving under another name renames the test.
      if (stored && stored.name !== saved.name) await deleteTest(team, workflow, stored.name);
      return saved;
    },
    toast: () => t("editor.saved"),
    onSuccess: (saved, one) => {
      setTyped(undefined);
      run.mutate(one);
      if (saved.name !== stored?.name) onSaved(saved.name);
    },
  });
  const isUnchanged = stored !== undefined && text === begin;
  return (
    <Stack gap="md">
      <Group gap="xs">
        <ActionButton size="xs" whyNot={fault} loading={run.isPending} onClick={() => test && run.mutate(test)}>
          {t("editor.run")}
        </ActionButton>
        {!isUnchanged && (
          <ActionButton
            size="xs"
            variant="default"
            whyNot={whyNot ?? fault}
            loading={save.isPending}
            onClick={() => test && save.mutate(test)}
          >
            {t("editor.save")}
          </ActionButton>
        )}
        {stored && (
          <ActionButton size="xs" variant="default" whyNot={whyNot} onClick={() => setDeleting(true)}>
            {t("editor.remove")}
          </ActionButton>
        )}
        <Text size="sm" className="quiet" role="status">
          {fault}
        </Text>
      </Group>
      {save.error && <RefusalAlert title={t("editor.refused")} error={save.error} />}
      {run.error && <RefusalAlert title={t("page.couldntRun")} error={run.error} />}
      <CodeEditor
        key={help === undefined ? "" : "helped"}
        label={t("editor.label")}
        language="yaml"
        value={text}
        onChange={setTyped}
        isReadOnly={false}
        minHeight="240px"
        maxHeight="50vh"
        {...help}
      />
      {run.data?.tests[0] && <SingleResult result={run.data.tests[0]} tasks={tasks} />}
      {isDeleting && stored && <DeleteDialog name={stored.name} onClose={() => setDeleting(false)} onGone={onGone} />}
    </Stack>
  );
}

function workersIn(tasks: readonly { name: string; type?: string | null | undefined }[]): string[] {
  return tasks.flatMap(({ name, type }) => (onWorkers.has(type ?? "template") ? [name] : []));
}

function DeleteDialog({ name, onClose, onGone }: { name: string; onClose: () => void; onGone: () => void }) {
  const { team, workflow } = useDraft();
  const remove = useApiMutation({
    changes: ["workflow"],
    team,
    mutationFn: () => deleteTest(team, workflow, name),
    toast: () => t("editor.deleted"),
    onSuccess: onGone,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t("editor.removeTitle")}
      action={t("editor.removeAction")}
      isDangerous
      onConfirm={() => remove.mutateAsync()}
    >
      {t("editor.removeWhy", { name })}
    </ConfirmDialog>
  );
}

/** Completion and descriptions of members; undefined until the schema is loaded. */
function useTestHelp() {
  const { history } = useDraft();
  const { data: schema } = useQuery(testSchemaQuery);
  const { tasks } = history.present;
  return useMemo(() => {
    if (schema === undefined) return undefined;
    const known = { catalog: [], tasks: tasks.map(({ name }) => name), references: [] };
    return { complete: completeFrom(schema as Schema, "yaml", () => known), hover: toldFrom(schema as Schema, "yaml") };
  }, [schema, tasks]);
}
