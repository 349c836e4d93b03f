import { Group } from "@mantine/core";
import { useState } from "react";
import type { Workflow } from "../../../api/queries/workflow/workflows.ts";
import { RunDialog } from "../../../components/run-form/run-dialog.tsx";
import { useRights } from "../../../hooks/use-caller.ts";
import { t } from "../../../texts/workflow/triggers.ts";
import { ActionButton } from "../../../ui/dialog/action-button.tsx";

export interface TrialProps {
  team: string;
  workflow: Workflow;
  /** Why the current state can't be tested yet. */
  whyNot: string | undefined;
}

/** The form that starts a run, including the equivalent command. */
export function ManualTrial({ team, workflow, whyNot }: TrialProps) {
  const [isOpen, setOpen] = useState(false);
  const rights = useRights(team);
  return (
    <Group>
      <ActionButton size="xs" variant="default" whyNot={rights.whyNot("workflow/action") ?? whyNot} onClick={() => setOpen(true)}>
        {t("manualTrial.runCopyCommand")}
      </ActionButton>
      {isOpen && <RunDialog team={team} workflow={workflow.name} onClose={() => setOpen(false)} />}
    </Group>
  );
}
