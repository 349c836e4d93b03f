import { useRights } from "../../hooks/use-caller.ts";
import { useTriggerChange } from "../../hooks/use-trigger-change.ts";
import { t } from "../../texts/shared.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";

interface TurnOnSchedulesProps {
  team: string;
  workflow: string;
  /** Why it can't be turned on here at the moment. */
  whyNot?: string | undefined;
}

/** Turns on the schedule trigger of a workflow in place, if it is off. */
export function TurnOnSchedules({ team, workflow, whyNot }: TurnOnSchedulesProps) {
  const change = useTriggerChange(team, workflow);
  const reason = useRights(team).whyNot("workflow/write") ?? whyNot;
  return (
    <ActionButton
      size="compact-xs"
      variant="default"
      whyNot={reason}
      loading={change.isPending}
      onClick={() => change.mutate({ kind: "schedule", word: t("triggerChange.schedule"), isOn: true })}
    >
      {t("triggerChange.turnOn")}
    </ActionButton>
  );
}
