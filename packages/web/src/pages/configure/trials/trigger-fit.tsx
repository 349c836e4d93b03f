import type { Trigger } from "../triggers/trigger-draft.ts";
import type { TrialProps } from "./manual-trial.tsx";
import { TriggerVerdict } from "./trigger-verdict.tsx";
import { type Tried, useTriggerTest } from "./use-trigger-test.ts";

/** Whether what stands in the editor fits the trigger as it is typed, before it is sent. */
export function TriggerFit({ team, workflow, trigger, tried }: Omit<TrialProps, "whyNot"> & { trigger: Trigger; tried: Tried }) {
  const { test, error, trigger: tested } = useTriggerTest(team, workflow.name, trigger, tried);
  return tried === undefined ? null : <TriggerVerdict trigger={tested} test={test} error={error} />;
}
