import { NumberInput, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { teamQuery } from "../../api/queries/teams.ts";
import { t } from "../../texts/configure.ts";
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
        label={t("optionsSection.timeoutMinutes")}
        description={most ? t("optionsSection.timeoutMinutesHelpQuota", { most }) : t("optionsSection.timeoutMinutesHelp")}
        min={0}
        max={525_600}
        allowDecimal={false}
        value={draft.timeout}
        onChange={(timeout) => change({ timeout })}
      />
      <NumberInput
        label={t("optionsSection.retries")}
        description={t("optionsSection.retriesHelp")}
        min={0}
        max={100}
        allowDecimal={false}
        value={draft.retries}
        onChange={(retries) => change({ retries })}
      />
      <Text size="sm" className="quiet">
        {t("optionsSection.thesePartVersionSaving")}
      </Text>
      <SaveBar team={team} section={section} />
    </Stack>
  );
}
