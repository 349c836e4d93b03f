import { Stack } from "@mantine/core";
import { triggerKinds } from "../../components/trigger-look.ts";
import { SaveBar } from "./save-bar.tsx";
import type { SectionProps } from "./section.ts";
import { draftsOf, filtersOf, type TriggerDrafts, triggersOf } from "./trigger-draft.ts";
import { TriggerPanel } from "./trigger-panel.tsx";
import { useDraft } from "./use-draft.ts";
import { useSectionSave } from "./use-section-save.ts";
import { useTriggerProblems } from "./use-trigger-problems.ts";

/** What may start it. Not versioned: a change holds at once, for all versions. */
export function TriggersSection(props: SectionProps) {
  const { team, workflow } = props;
  const { draft, isChanged, change, reset } = useDraft<TriggerDrafts>(draftsOf(workflow.triggers));
  const saving = useSectionSave(props, { isChanged, onSaved: reset });
  const problemsOf = useTriggerProblems(team, workflow, draft, isChanged);
  const canBeRead = triggerKinds.every((kind) => filtersOf(draft[kind].filters) !== undefined);
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
          fault={saving.faultAt(`/triggers/${kind}`)}
          problems={problemsOf(kind)}
          onChange={(trigger) => change({ [kind]: trigger })}
        />
      ))}
      <SaveBar
        team={team}
        saving={saving}
        isChanged={isChanged}
        fault={canBeRead ? undefined : "Some filters are no list in JSON."}
        onSave={() => saving.save({ triggers: triggersOf(draft) })}
        onReset={reset}
      />
    </Stack>
  );
}
