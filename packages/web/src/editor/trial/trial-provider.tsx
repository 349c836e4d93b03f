import { useSessionStorage } from "@mantine/hooks";
import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { Run } from "../../api/queries/run/runs.ts";
import { tryQuery } from "../../api/queries/task/task-catalog.ts";
import { recentRunsQuery, type TaskPin, tryWorkflow } from "../../api/queries/workflow/trials.ts";
import { type ParamValues, toRunParams } from "../../forms/parameter-values.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRequestKey } from "../../hooks/use-request-key.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/workflow/trial.ts";
import { bodyOf, type Draft } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { useIsEditor } from "../draft/use-is-editor.ts";
import { followDraft, type KeptPins, pinStamp, stalePins } from "./pins.ts";
import { TrialContext, type TrialSession } from "./trial-context.ts";
import { outputsOf, pinsFor, type StartedTrial, stampsOf, type TrialScope } from "./trial-state.ts";

/** So many trials of one page are examined for outputs; the service keeps them for an hour. */
const maxTrials = 12;
const noRuns: readonly Run[] = [];

/** Holds the trials of the draft while the user moves between its views. Pins are kept in this tab until it is closed. */
export function TrialProvider({ children }: { children: ReactNode }) {
  const { team, workflow, history, loaded, isDirty } = useDraft();
  const draft = history.present;
  const [started, setStarted] = useState<readonly StartedTrial[]>([]);
  const [params, setParams] = useState<ParamValues>({});
  const [chosenRun, setFromRun] = useState<string>();
  const { pins, stale, setPin } = usePins(`${team}/${workflow}`, draft);
  const { runs, outputs } = useOutputs(started);
  const isEditor = useIsEditor();
  // The values of a run are needed when a task is open, and when a trial starts.
  const [{ node }] = useSearchState({ node: "" });
  const client = useQueryClient();
  const recent = recentRunsQuery(team, history.baseline.name);
  const { data: recentRuns = noRuns } = useQuery({ ...recent, enabled: isEditor && node !== "" });
  const fromRun = chosenRun ?? lastToWorkWith(recentRuns);
  const whyNot = useWhyNotTry();
  const { keyFor, noteError, forget } = useRequestKey();
  const starting = useMutation({
    mutationFn: async ({ scope, params }: { scope: TrialScope; params: ParamValues }) => {
      // Of the whole, the dialog shows each value that it runs with: nothing else may come from a run.
      const isPart = "only" in scope || "upTo" in scope;
      const fromRun = isPart ? (chosenRun ?? lastToWorkWith(await client.ensureQueryData(recent).catch(() => noRuns))) : undefined;
      const body = {
        ...scope,
        // Running the saved version needs no write permission.
        ...(isDirty ? { draft: bodyOf(draft, history.baseline) } : { version: loaded.data.version ?? 1 }),
        params: toRunParams(draft.params, params),
        pinned: pinsFor(draft, scope, { pins, outputs }),
        ...(fromRun && { fromRun }),
      };
      return tryWorkflow(team, workflow, body, keyFor(body));
    },
    onError: noteError,
    onSuccess: ({ id }, { scope }) => {
      forget();
      setStarted((before) => [{ id, scope, stamps: stampsOf(draft), isOfDraft: isDirty }, ...before].slice(0, maxTrials));
    },
  });
  const [newest] = started;
  const session: TrialSession = {
    start: (scope, given = params) => {
      setParams(given);
      return starting.mutateAsync({ scope, params: given });
    },
    whyNot,
    isStarting: starting.isPending,
    error: starting.error,
    forgetError: starting.reset,
    latest: newest && { started: newest, run: runs.get(newest.id) },
    ...{ outputs, pins, stale, setPin, params, setParams, fromRun, setFromRun, recentRuns },
  };
  return <TrialContext value={session}>{children}</TrialContext>;
}

/** One that has ended has all its values; one that waits may not have any yet. @param runs the newest first */
function lastToWorkWith(runs: readonly Run[]): string | undefined {
  return (runs.find(({ phase }) => phase === "completed") ?? runs[0])?.id;
}

function useWhyNotTry(): string | undefined {
  const { team, pendingText, isDirty } = useDraft();
  const rights = useRights(team);
  if (pendingText) return t("trial.fixErrorsCodeFirst");
  return rights.whyNot("workflow/action") ?? (isDirty ? rights.whyNot("workflow/write") : undefined);
}

/** The outputs of the draft's tasks in those trials. */
function useOutputs(started: readonly StartedTrial[]) {
  const { team, history } = useDraft();
  const answers = useQueries({
    queries: started.map(({ id }) => tryQuery(team, id)),
    combine: (results) => results.map(({ data }) => data),
  });
  const draft = history.present;
  return useMemo(() => {
    const known = started.map((each, index) => ({ started: each, run: answers[index] }));
    const runs = new Map(known.flatMap(({ started: { id }, run }) => (run ? [[id, run] as const] : [])));
    const trials = known.flatMap(({ started: each, run }) => (run ? [{ started: each, tasks: run.tasks ?? [] }] : []));
    return { runs, outputs: outputsOf(draft, trials) };
  }, [started, answers, draft]);
}

function usePins(place: string, draft: Draft) {
  const [stored, setStored] = useSessionStorage<KeptPins>({
    key: `millrace-pins-${place}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const latest = useRef(draft);
  const kept = useRef(stored);
  kept.current = stored;
  useEffect(() => {
    const next = followDraft(kept.current, latest.current, draft);
    latest.current = draft;
    if (next !== kept.current) setStored(next);
  }, [draft, setStored]);
  const pins = useMemo(() => new Map(Object.entries(stored).map(([task, { stamp: _, ...pin }]) => [task, pin as TaskPin])), [stored]);
  const stale = useMemo(() => stalePins(draft, stored), [draft, stored]);
  const setPin = useMemo(
    () => (task: string, pin: TaskPin | undefined) =>
      setStored((before) => {
        const { [task]: _old, ...rest } = before;
        return pin === undefined ? rest : { ...rest, [task]: { ...pin, stamp: pinStamp(latest.current, task) } };
      }),
    [setStored],
  );
  return { pins, stale, setPin };
}
