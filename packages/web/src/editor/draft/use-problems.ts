import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type WorkflowProblem, workflowProblemsQuery } from "../../api/queries/workflow-draft.ts";
import { bodyOf } from "./draft.ts";
import type { History } from "./history.ts";

const none: readonly WorkflowProblem[] = [];

/** What the service would refuse of the draft, asked a moment after the last change. */
export function useProblems(team: string, { present, baseline }: History, isOn: boolean) {
  const body = useMemo(() => bodyOf(present, baseline), [present, baseline]);
  const [settled] = useDebouncedValue(body, 400);
  const { data, isFetching } = useQuery({ ...workflowProblemsQuery(team, settled), enabled: isOn, placeholderData: keepPreviousData });
  return { problems: isOn ? (data ?? none) : none, isChecking: isFetching || settled !== body };
}
