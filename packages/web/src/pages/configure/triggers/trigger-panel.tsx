import { Divider, Stack, Switch, Text } from "@mantine/core";
import type { Workflow } from "../../../api/queries/workflows.ts";
import { type TriggerKind, triggerLooks } from "../../../components/trigger-look.ts";
import { t } from "../../../texts/triggers.ts";
import classes from "../configure.module.css";
import { TriggerTrial } from "../trials/trigger-trial.tsx";
import type { TriggerDraft } from "./trigger-draft.ts";
import type { TriggerProblem } from "./trigger-problems.ts";
import { TriggerRules } from "./trigger-rules.tsx";
import { triggerAbouts } from "./trigger-words.ts";

interface TriggerPanelProps {
  team: string;
  workflow: Workflow;
  kind: TriggerKind;
  draft: TriggerDraft;
  /** Something of the section is not saved yet. */
  isChanged: boolean;
  /** What the service refused of it. */
  fault: string | undefined;
  /** What the service would refuse of it. */
  problems: readonly TriggerProblem[];
  onChange: (draft: TriggerDraft) => void;
}

/** One kind of trigger: what it is, on which conditions, and how to try it. */
export function TriggerPanel({ team, workflow, kind, draft, isChanged, fault, problems, onChange }: TriggerPanelProps) {
  const { word, icon: Icon } = triggerLooks[kind];
  const set = (part: Partial<TriggerDraft>) => onChange({ ...draft, ...part });
  const whyNot = isChanged ? t("triggerPanel.saveChangesFirstOnly") : undefined;
  return (
    <section className={classes.panel} aria-label={t("triggerPanel.trigger", { word })}>
      <div className={classes.panelHead}>
        <Icon size={20} stroke={1.75} aria-hidden />
        <Switch
          label={word}
          description={triggerAbouts[kind].about}
          checked={draft.enabled}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
      </div>
      {draft.enabled && (
        <Stack gap="sm" className={classes.panelBody}>
          {fault !== undefined && (
            <Text size="sm" role="alert" c="var(--status-failed)">
              {fault}
            </Text>
          )}
          <TriggerRules kind={kind} draft={draft} problems={problems} onChange={set} />
          {triggerAbouts[kind].looksInto && <Divider />}
          <TriggerTrial team={team} workflow={workflow} kind={kind} draft={draft} whyNot={whyNot} />
        </Stack>
      )}
    </section>
  );
}
