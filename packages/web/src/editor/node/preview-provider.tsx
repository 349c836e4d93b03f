import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useRef } from "react";
import { objectId } from "../../api/object-id.ts";
import { type PreviewRequest, previewWorkflow, type TaskPin, type WorkflowPreview } from "../../api/queries/workflow/trials.ts";
import { availableParametersQuery } from "../../api/queries/workflow/workflow-draft.ts";
import { toRunParams } from "../../forms/parameter-values.ts";
import { useSame } from "../../hooks/use-same.ts";
import { bodyOf, type Draft, type DraftTask } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { useTrial } from "../trial/trial-context.ts";
import { pinOf, valuesBefore } from "../trial/trial-state.ts";
import { expressionsOf, type NodeExpression } from "./expressions.ts";
import { knownNames } from "./known-names.ts";
import { type NodePreview, PreviewContext } from "./preview-context.ts";

/** The request is sent this long after the last key press; the response takes less than a tenth of a second. */
const restMs = 150;

/** Requests the current results of the task's expressions, for all fields of its form together. */
export function PreviewProvider({ task, children }: { task: DraftTask; children: ReactNode }) {
  const answer = useAnswer(task);
  const names = useNames(task);
  const target = useRef<(text: string) => void>(undefined);
  const preview: NodePreview = useMemo(() => {
    const values = answer.data?.asked.map(({ param, text }, index) => [param, { text, value: answer.data?.answer.values[index] }] as const);
    const byParam = new Map(answer.data?.node === task.name ? values : []);
    return {
      given: (param, text) => {
        const found = byParam.get(param);
        return found?.text === text ? found.value : undefined;
      },
      references: answer.data?.answer.references ?? [],
      repeats: answer.data?.node === task.name ? answer.data.answer : {},
      names,
      error: answer.error,
      setTarget: (insert) => {
        target.current = insert;
      },
      insert: (text) => {
        target.current?.(text);
        return target.current !== undefined;
      },
    };
  }, [answer.data, answer.error, names, task.name]);
  return <PreviewContext value={preview}>{children}</PreviewContext>;
}

function useNames(task: DraftTask) {
  const { team, workflow, history } = useDraft();
  const { data: saved } = useQuery(availableParametersQuery(team, workflow));
  const { tasks, params } = history.present;
  // Typing values doesn't change any names, so the fields needn't be rendered again.
  const tasksNow = useSame(tasks.map(({ name, type }) => ({ name, type })));
  const paramsNow = useSame(params.map(({ name }) => ({ name })));
  const own = useSame((task.params ?? []).map(({ name }) => ({ name })));
  return useMemo(() => saved && knownNames({ tasks: tasksNow, params: paramsNow }, saved, own), [tasksNow, paramsNow, own, saved]);
}

interface Asked {
  node: string;
  asked: NodeExpression[];
  answer: WorkflowPreview;
}

function useAnswer(task: DraftTask) {
  const { team, workflow, history, pendingText } = useDraft();
  const { pins, outputs, params, fromRun } = useTrial();
  const [draft] = useDebouncedValue(history.present, restMs);
  const settled = draft.tasks.find(({ name }) => name === task.name);
  const values = useMemo(() => ({ pins, outputs }), [pins, outputs]);
  return useQuery({
    queryKey: ["preview", team, workflow, task.name, fromRun ?? "", ...[draft, values, params].map(objectId)],
    enabled: settled !== undefined && pendingText === undefined,
    queryFn: async ({ signal }): Promise<Asked> => {
      const asked = settled ? expressionsOf(settled).slice(0, 200) : [];
      const pinned = { ...valuesBefore(draft, task.name, values), ...(fromRun === undefined && ownRound(settled, values)) };
      const body = bodyFor({ draft, baseline: history.baseline, node: task.name, asked });
      const given = { params: toRunParams(draft.params, params), pinned, ...(fromRun !== undefined && { fromRun }) };
      return { node: task.name, asked, answer: await previewWorkflow(team, workflow, { ...body, ...given }, signal) };
    },
    placeholderData: keepPreviousData,
    gcTime: 10_000,
    retry: false,
  });
}

/** For a loop, the output of its last trial represents the previous round. */
function ownRound(task: DraftTask | undefined, { pins, outputs }: Parameters<typeof valuesBefore>[2]): Record<string, TaskPin> {
  const output = task?.loop && outputs.get(task.name);
  const pin = task?.loop && (pins.get(task.name) ?? (output && pinOf(output)));
  return task && pin ? { [task.name]: pin } : {};
}

function bodyFor({
  draft,
  baseline,
  node,
  asked,
}: {
  draft: Draft;
  baseline: Draft;
  node: string;
  asked: NodeExpression[];
}): PreviewRequest {
  const expressions = asked.map(({ param, text, isParam }) => (isParam ? { text, param } : text));
  return { draft: bodyOf(draft, baseline), node, expressions, references: true, repeats: true };
}
