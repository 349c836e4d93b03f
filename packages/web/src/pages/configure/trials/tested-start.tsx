import { Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { submitTested } from "../../../api/queries/workflow/workflows.ts";
import { useRights } from "../../../hooks/use-caller.ts";
import { t } from "../../../texts/workflow/triggers.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";
import { RefusalAlert } from "../../../ui/state/refusal-alert.tsx";
import type { Trigger } from "../triggers/trigger-draft.ts";
import type { TrialProps } from "./manual-trial.tsx";
import { AnswerView } from "./trial.tsx";
import { type Tried, TriggerVerdict, useTriggerTest } from "./trigger-verdict.tsx";

interface TestedStartProps extends TrialProps {
  /** The trigger as currently edited. */
  trigger: Trigger;
  tried: Tried;
}

/** Shows whether the test input matches the trigger, and starts a run with it on request. */
export function TestedStart({ team, workflow, whyNot, trigger, tried }: TestedStartProps) {
  const rights = useRights(team);
  const { test, error, isSettled, trigger: tested } = useTriggerTest(team, workflow.name, trigger, tried);
  const starting = useMutation({ mutationFn: (found: NonNullable<typeof test>) => submitTested(team, workflow.name, found) });
  if (tried === undefined) return null;
  const unfit = test?.holds === false ? t("testedStart.eventDoesntMatchSo") : undefined;
  const waiting = isSettled ? undefined : t("testedStart.testing");
  return (
    <Stack gap="xs">
      <TriggerVerdict trigger={tested} test={test} error={error} />
      <Group gap="sm">
        <ActionButton
          size="xs"
          variant="default"
          loading={starting.isPending}
          whyNot={rights.whyNot("workflow/action") ?? whyNot ?? unfit ?? waiting}
          onClick={() => test && starting.mutate(test)}
        >
          {t("testedStart.startRun")}
        </ActionButton>
        <Text size="sm" className="quiet">
          {t("testedStart.startsRealRunParameters")}
        </Text>
      </Group>
      {starting.error !== null && <RefusalAlert title={t("testedStart.noRunStarted")} error={starting.error} />}
      {starting.data !== undefined && <AnswerView team={team} answer={starting.data} />}
    </Stack>
  );
}
