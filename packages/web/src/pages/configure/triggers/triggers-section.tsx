import { Stack } from "@mantine/core";
import { triggerKinds } from "../../../components/trigger-look.ts";
import { t } from "../../../texts/triggers.ts";
import { SaveBar } from "../save-bar.tsx";
import type { SectionProps } from "../section.ts";
import { useSectionDraft } from "../use-section-draft.ts";
import { draftsOf, filtersOf, type TriggerDrafts, triggersOf } from "./trigger-draft.ts";
import { TriggerPanel } from "./trigger-panel.tsx";
import { useTriggerProblems } from "./use-trigger-problems.ts";

/** What may start it. Not versioned: a change holds at once, for all versions. */
export function TriggersSection({ team, workflow }: SectionProps) {
  const section = useSectionDraft<TriggerDrafts>({
    section: "triggers",
    members: ["triggers"],
    read: ({ triggers }) => draftsOf(triggers),
    write: (drafts) => (canBeRead(drafts) ? { triggers: triggersOf(drafts) } : undefined),
  });
  const { value: draft, isChanged, change, faultAt } = section;
  const problemsOf = useTriggerProblems(team, workflow, draft, isChanged);
  return (
    <Stack gap="sm">
      {triggerKinds.map((kind) => (
        <TriggerPanel
          key={kind}
          team={team}
          workflow={workflow}
          kind={kind}
          draft={draft[kind]}
          isChanged={isChanged}
          fault={faultAt(`/triggers/${kind}`)}
          problems={problemsOf(kind)}
          onChange={(trigger) => change({ [kind]: trigger })}
        />
      ))}
      <SaveBar team={team} section={section} fault={canBeRead(draft) ? undefined : t("triggersSection.someFiltersNotJson")} />
    </Stack>
  );
}

function canBeRead(drafts: TriggerDrafts): boolean {
  return triggerKinds.every((kind) => filtersOf(drafts[kind].filters) !== undefined);
}
