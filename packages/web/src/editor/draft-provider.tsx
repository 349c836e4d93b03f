import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useMemo, useReducer, useState } from "react";
import { taskCatalogQuery } from "../api/queries/task-catalog.ts";
import type { LoadedWorkflow } from "../api/queries/workflow-draft.ts";
import { type Draft, draftOf } from "./draft.ts";
import { DraftContext, type DraftSession, type PendingText } from "./draft-context.ts";
import { isDirty as differs, newHistory, reduceHistory } from "./history.ts";
import { SaveProvider } from "./save-provider.tsx";
import { useProblems } from "./use-problems.ts";

interface DraftProviderProps {
  team: string;
  workflow: string;
  loaded: LoadedWorkflow;
  whyNotEdit: string | undefined;
  children: ReactNode;
}

/** Holds the draft of one workflow while its views come and go. What others save is shown as long as nothing was changed here. */
export function DraftProvider({ team, workflow, loaded, whyNotEdit, children }: DraftProviderProps) {
  const [history, dispatch] = useReducer(reduceHistory, loaded.data, (data) => newHistory(draftOf(data)));
  const [base, setBase] = useState(loaded);
  const [pendingText, setPendingText] = useState<PendingText>();
  const { data: tasks } = useQuery(taskCatalogQuery(team));
  const catalog = useMemo(() => tasks && new Map(tasks.map((task) => [task.name ?? "", task])), [tasks]);
  const isDirty = useMemo(() => differs(history), [history]) || pendingText !== undefined;
  const { problems, isChecking } = useProblems(team, history, whyNotEdit === undefined);
  const change = useCallback(
    (edit: (draft: Draft) => Draft, key?: string) => dispatch({ type: "change", change: edit, ...(key !== undefined && { key }) }),
    [],
  );
  useEffect(() => {
    if (loaded.etag === base.etag || isDirty) return;
    setBase(loaded);
    dispatch({ type: "load", draft: draftOf(loaded.data) });
  }, [loaded, base, isDirty]);
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
  };
  return (
    <DraftContext value={session}>
      <SaveProvider newest={loaded} onBase={setBase}>
        {children}
      </SaveProvider>
    </DraftContext>
  );
}
