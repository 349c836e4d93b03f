import type { CompletionContext } from "@codemirror/autocomplete";
import { Group, SegmentedControl, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { availableParametersQuery, type WorkflowProblem, workflowSchemaQuery } from "../../api/queries/workflow/workflow-draft.ts";
import { CommentNotice } from "../../components/yaml/comment-notice.tsx";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/workflow/designer.ts";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { type CodeFormat, draftFromText, placesIn, textOf } from "../draft/draft-text.ts";
import { stepTo } from "../form/references.ts";
import classes from "./code-view.module.css";
import { completeFrom, type KnownWords, toldFrom } from "./schema-completion.ts";
import type { Schema } from "./schema-words.ts";
import { useLateText } from "./use-late-text.ts";

const TaskPicture = lazy(() =>
  import("../../components/graph-picture/task-picture.tsx").then((module) => ({ default: module.TaskPicture })),
);

/** The same draft as text: changes here appear in the drawing and the other way round. Text that can't be parsed waits until it can. */
export function CodeView() {
  const { history, change, problems, whyNotEdit, pendingText, setPendingText } = useDraft();
  const [{ format }, setSearch] = useSearchState({ format: "yaml" });
  const language: CodeFormat = format === "json" ? "json" : "yaml";
  const draft = history.present;
  // The text as it was typed, while it matches the current draft.
  const [typed, setTyped] = useState({ draft, language, text: "" });
  const isTyped = typed.draft === draft && typed.language === language && typed.text !== "";
  const made = useMemo(() => (isTyped ? typed.text : textOf(draft, language)), [isTyped, typed, draft, language]);
  const text = pendingText?.format === language ? pendingText.text : made;
  const write = (next: string) => {
    if (next === text || whyNotEdit !== undefined) return;
    const { draft: read, faults } = draftFromText(next, history.baseline, draft);
    if (!read) return setPendingText({ text: next, format: language, faults });
    setPendingText(undefined);
    setTyped({ draft: read, language, text: next });
    change(() => read, "code");
  };
  const diagnostics = useMemo(() => {
    if (pendingText) return pendingText.faults.map((fault) => ({ ...fault, severity: "error" as const }));
    if (problems.length === 0) return [];
    const placeOf = placesIn(text);
    return problems.map(({ path, message, severity }) => ({ ...placeOf(path ?? ""), severity, message }));
  }, [pendingText, problems, text]);
  const help = useSchemaHelp(language);
  const late = useLateText(write);
  return (
    <div className={classes.view}>
      <Group justify="space-between" px="md" py={8}>
        <SegmentedControl
          size="xs"
          aria-label={t("codeView.language")}
          data={[
            { value: "yaml", label: "YAML" },
            { value: "json", label: "JSON" },
          ]}
          value={language}
          disabled={pendingText !== undefined}
          onChange={(value) => setSearch({ format: value })}
        />
        <Group gap="md">
          <CommentNotice text={text} why={t("codeView.theyLostWhenGraph")} />
          <Text size="sm" className="quiet" role="status">
            {stateOf(pendingText?.faults[0]?.message, problems)}
          </Text>
        </Group>
      </Group>
      <div className={classes.split}>
        <div className={classes.text}>
          <CodeEditor
            key={language}
            label={t("codeView.workflowAs", { language: language.toUpperCase() })}
            language={language}
            value={late.waiting ?? text}
            onChange={late.onChange}
            isReadOnly={whyNotEdit !== undefined}
            minHeight="320px"
            maxHeight="calc(100dvh - 232px)"
            diagnostics={diagnostics}
            {...help}
          />
        </div>
        <div className={classes.graph}>
          <Suspense>
            <TaskPicture tasks={draft.tasks} label={t("codeView.graph")} isFitted />
          </Suspense>
        </div>
      </div>
    </div>
  );
}

/** Completion and descriptions of members. The data for them is loaded on first use. */
function useSchemaHelp(language: CodeFormat) {
  const { team, workflow, history, catalog } = useDraft();
  const client = useQueryClient();
  const known = useRef<KnownWords>(undefined);
  const { tasks, params } = history.present;
  known.current = useMemo(() => {
    const results = tasks.flatMap((task) =>
      [...(catalog?.get(task.taskRef ?? "")?.spec?.results ?? []), ...(task.results ?? [])].map(
        ({ name }) => `tasks${stepTo(task.name)}.results${stepTo(name)}`,
      ),
    );
    const references = [...params.map(({ name }) => `params${stepTo(name)}`), ...results];
    return { catalog: [...(catalog?.keys() ?? [])], tasks: tasks.map(({ name }) => name), references: [...new Set(references)] };
  }, [tasks, params, catalog]);
  return useMemo(() => {
    const none: KnownWords = { catalog: [], tasks: [], references: [] };
    const load = () => client.ensureQueryData(workflowSchemaQuery) as Promise<Schema>;
    return {
      complete: async (context: CompletionContext) => {
        const saved = client.ensureQueryData(availableParametersQuery(team, workflow)).catch(() => []);
        const [schema, more] = await Promise.all([load(), saved]);
        const words = known.current ?? none;
        return completeFrom(schema, language, () => ({ ...words, references: [...new Set([...words.references, ...more])] }))(context);
      },
      hover: async (text: string, at: number) => toldFrom(await load(), language)(text, at),
    };
  }, [client, team, workflow, language]);
}

function stateOf(fault: string | undefined, problems: readonly WorkflowProblem[]): string {
  if (fault !== undefined) return t("codeView.invalid", { fault });
  const count = problems.length;
  const isWarned = problems.every(({ severity }) => severity === "warning");
  if (count > 0) return t(isWarned ? "codeView.warnings" : "codeView.problems", { count });
  return t("codeView.graphUpdatesType");
}
