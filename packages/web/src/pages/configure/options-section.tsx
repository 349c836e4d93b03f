import { NumberInput, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { teamQuery } from "../../api/queries/teams.ts";
import { SaveBar } from "./save-bar.tsx";
import type { SectionProps } from "./section.ts";
import { useDraft } from "./use-draft.ts";
import { useSectionSave } from "./use-section-save.ts";

/** How long a run may take, and how often it is tried again. */
export function OptionsSection(props: SectionProps) {
  const { team, workflow } = props;
  const { data } = useQuery(teamQuery(team));
  const most = data?.quotas.maxWorkflowRunDuration;
  const { draft, isChanged, change, reset } = useDraft<{ timeout: number | string; retries: number | string }>({
    timeout: workflow.timeout ?? 0,
    retries: workflow.retries ?? 0,
  });
  const saving = useSectionSave(props, { isChanged, isVersioned: true, onSaved: reset });
  const save = () => saving.save({ timeout: Number(draft.timeout), retries: Number(draft.retries) });
  return (
    <Stack gap="sm" maw={560}>
      <NumberInput
        label="Time-out in minutes"
        description={`0 means the quota of the team${most ? `, which is ${most}` : ""}; the smaller of the two counts.`}
        min={0}
        max={525_600}
        allowDecimal={false}
        value={draft.timeout}
        onChange={(timeout) => change({ timeout })}
      />
      <NumberInput
        label="Retries"
        description="New runs after one that failed or timed out, with the same parameters."
        min={0}
        max={100}
        allowDecimal={false}
        value={draft.retries}
        onChange={(retries) => change({ retries })}
      />
      <Text size="sm" className="quiet">
        These belong to the version: saving makes a new one. Retries and time-outs of single tasks are set in the designer.
      </Text>
      <SaveBar team={team} saving={saving} isChanged={isChanged} onSave={save} onReset={reset} />
    </Stack>
  );
}
