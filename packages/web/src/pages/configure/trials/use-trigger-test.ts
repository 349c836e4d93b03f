import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type TriggerTestRequest, triggerTestQuery } from "../../../api/queries/trigger-test.ts";
import type { Trigger } from "../triggers/trigger-draft.ts";

/** What is tried. Undefined while there is nothing to try. */
export type Tried = Omit<TriggerTestRequest, "trigger"> | undefined;

/** Holds something against the trigger as it is typed, a moment after the last change of either. Nothing is started. */
export function useTriggerTest(team: string, workflow: string, trigger: Trigger, tried: Tried) {
  const text = JSON.stringify(tried && { ...tried, trigger });
  const [settled] = useDebouncedValue(text, 300);
  const request = useMemo((): TriggerTestRequest => (settled === undefined ? { kind: "event" } : JSON.parse(settled)), [settled]);
  const { data, error, isFetching } = useQuery({ ...triggerTestQuery(team, workflow, request), enabled: settled !== undefined });
  return {
    /** The trigger that was asked about. */
    trigger: request.trigger ?? trigger,
    test: tried === undefined ? undefined : data,
    error: isFetching ? null : error,
    /** The answer is to what stands there now. */
    isSettled: settled === text && !isFetching && data !== undefined && error === null,
  };
}
