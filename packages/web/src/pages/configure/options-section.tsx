import { NumberInput, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { teamQuery } from "../../api/queries/teams.ts";
import { SaveBar } from "./save-bar.tsx";
import type { SectionProps } from "./use-section-draft.ts";
import { useSectionDraft } from "./use-section-draft.ts";

/** How long a run may take, and how often it is tried again. */
export function OptionsSection({ team }: SectionProps) {
  const { data } = useQuery(teamQuery(team));
  const most = data?.quotas.maxWorkflowRunDuration;
  const section = useSectionDraft<{ timeout: number | string; retries: number | string }>({
    section: "options",
    members: ["timeout", "retries"],
    read: ({ timeout, retries }) => ({ timeout: timeout ?? 0, retries: retries ?? 0 }),
    // What is 0 may as well be absent.
    write: ({ timeout, retries }, before) => ({
      timeout: Number(timeout) || (before.timeout == null ? null : 0),
      retries: Number(retries) || (before.retries == null ? null : 0),
    }),
  });
  const { value: draft, change } = section;
  return (
    <Stack gap="sm" maw={560}>
      <NumberInput
        label="Timeout (minutes)"
        description={`From the start of a run to its end, including waiting. 0 means no limit. ${most ? `The team's quota also allows at most ${most} minutes of active time; waiting doesn't count.` : ""}`}
        min={0}
        max={525_600}
        allowDecimal={false}
        value={draft.timeout}
        onChange={(timeout) => change({ timeout })}
      />
      <NumberInput
        label="Retries"
        description="New runs after a run that failed or timed out, with the same parameters."
        min={0}
        max={100}
        allowDecimal={false}
        value={draft.retries}
        onChange={(retries) => change({ retries })}
      />
      <Text size="sm" className="quiet">
        These are part of the version: saving creates a new one. Set retries and timeouts of single tasks in the designer.
      </Text>
      <SaveBar team={team} section={section} />
    </Stack>
  );
}
