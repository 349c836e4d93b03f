import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useMemo, useReducer, useState } from "react";
import { taskCatalogQuery } from "../../api/queries/task/task-catalog.ts";
import { type LoadedWorkflow, type WorkflowProblem, workflowProblemsQuery } from "../../api/queries/workflow/workflow-draft.ts";
import { bodyOf, type Draft, draftOf } from "./draft.ts";
import { DraftContext, type DraftSession, type PendingText, type TypedSection } from "./draft-context.ts";
import { isDirty as differs, type History, newHistory, reduceHistory } from "./history.ts";
import { type KeptDraft, keptDraft } from "./kept-draft.ts";
import { mergeDrafts } from "./merge-drafts.ts";
import { SaveProvider } from "./save-provider.tsx";
import { useIsEditor } from "./use-is-editor.ts";

const none: readonly WorkflowProblem[] = [];

/** The problems for which the service would reject the draft, requested shortly after the last change. */
function useProblems(team: string, { present, baseline }: History, isOn: boolean) {
  const body = useMemo(() => bodyOf(present, baseline), [present, baseline]);
  const [settled] = useDebouncedValue(body, 400);
  const { data, isFetching } = useQuery({ ...workflowProblemsQuery(team, settled), enabled: isOn, placeholderData: keepPreviousData });
  return { problems: isOn ? (data ?? none) : none, isChecking: isFetching || settled !== body };
}

interface DraftProviderProps {
  team: string;
  workflow: string;
  loaded: LoadedWorkflow;
  whyNotEdit: string | undefined;
  children: ReactNode;
}

/** What the last visit of this tab left unsaved is the first change, which can be undone. */
function historyOf(loaded: LoadedWorkflow, kept: KeptDraft | undefined): History {
  const baseline = draftOf((kept?.base ?? loaded).data);
  return kept ? { ...newHistory(baseline), present: kept.draft, past: [baseline] } : newHistory(baseline);
}

/**
 * Holds the draft of one workflow while the user moves between its views and the sections of its configuration. Changes saved elsewhere, by
 * other users or on another page, are merged below the unsaved changes. Only if both changed the same thing in different ways does the
 * author have to decide (SaveProvider).
 */
export function DraftProvider({ team, workflow, loaded, whyNotEdit, children }: DraftProviderProps) {
  const [restored] = useState(() => (whyNotEdit === undefined ? keptDraft(team, workflow, loaded.data.id) : undefined));
  const [history, dispatch] = useReducer(reduceHistory, loaded, (first) => historyOf(first, restored));
  const [base, setBase] = useState(restored?.base ?? loaded);
  const [pendingText, setPendingText] = useState<PendingText>();
  const isEditor = useIsEditor();
  // What was restored is kept on in any view, which needs the definitions of its tasks.
  const { data: tasks } = useQuery({ ...taskCatalogQuery(team), enabled: isEditor || restored !== undefined });
  const catalog = useMemo(() => tasks && new Map(tasks.map((task) => [task.name ?? "", task])), [tasks]);
  const [typed, setAllTyped] = useState<ReadonlyMap<string, TypedSection>>(new Map());
  const setTyped = useCallback((section: string, one: TypedSection | undefined) => {
    setAllTyped((all) => new Map([...all].filter(([key]) => key !== section).concat(one ? [[section, one]] : [])));
  }, []);
  const isTyping = [...typed.values()].some(({ isUnreadable }) => isUnreadable);
  const isDirty = useMemo(() => differs(history), [history]) || pendingText !== undefined || isTyping;
  const { problems, isChecking } = useProblems(team, history, isEditor && whyNotEdit === undefined);
  const change = useCallback(
    (edit: (draft: Draft) => Draft, key?: string) => dispatch({ type: "change", change: edit, ...(key !== undefined && { key }) }),
    [],
  );
  useEffect(() => {
    if (loaded.etag === base.etag || pendingText !== undefined) return;
    const theirs = draftOf(loaded.data);
    if (!isDirty) dispatch({ type: "load", draft: theirs });
    else if (mergeDrafts(history.baseline, history.present, theirs).conflicts.length > 0) return;
    else dispatch({ type: "rebase", onto: theirs });
    setBase(loaded);
  }, [loaded, base, history, isDirty, pendingText]);
  const session: DraftSession = {
    team,
    workflow,
    loaded: base,
    history,
    dispatch,
    change,
    isDirty,
    whyNotEdit,
    catalog,
    problems,
    isChecking,
    pendingText,
    setPendingText,
    typed,
    setTyped,
    restored,
  };
  return (
    <DraftContext value={session}>
      <SaveProvider newest={loaded} onBase={setBase}>
        {children}
      </SaveProvider>
    </DraftContext>
  );
}
