import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { workflowProblemsQuery } from "../../../api/queries/workflow-draft.ts";
import type { Workflow } from "../../../api/queries/workflows.ts";
import type { TriggerKind } from "../../../components/trigger-look.ts";
import { type TriggerDrafts, triggersOf } from "./trigger-draft.ts";
import { type TriggerProblem, triggerProblems } from "./trigger-problems.ts";

/** What the service would refuse of the triggers as they are typed, asked a moment after the last change. */
export function useTriggerProblems(team: string, workflow: Workflow, drafts: TriggerDrafts, isOn: boolean) {
  const text = JSON.stringify(triggersOf(drafts));
  const [settled] = useDebouncedValue(text, 400);
  const body = useMemo((): Workflow => ({ name: workflow.name, tasks: [], triggers: JSON.parse(settled) }), [workflow.name, settled]);
  const { data } = useQuery({ ...workflowProblemsQuery(team, body), enabled: isOn, placeholderData: keepPreviousData });
  const all = useMemo(() => (isOn ? (data ?? []) : []), [isOn, data]);
  return useMemo(
    () =>
      (kind: TriggerKind): TriggerProblem[] =>
        triggerProblems(all, kind),
    [all],
  );
}
