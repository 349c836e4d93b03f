import { Divider, Stack, Switch, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { workflowProblemsQuery } from "../../../api/queries/workflow/workflow-draft.ts";
import type { Workflow } from "../../../api/queries/workflow/workflows.ts";
import { EventFilterEditor } from "../../../components/event-filters/event-filter-editor.tsx";
import { type TriggerKind, triggerKinds, triggerLooks } from "../../../components/workflow-icon.tsx";
import { type SectionProps, useSectionDraft } from "../../../editor/draft/use-section-draft.ts";
import { t } from "../../../texts/workflow/triggers.ts";
import panel from "../../../ui/panel.module.css";
import { SaveBar } from "../save-bar.tsx";
import { TriggerTrial } from "../trials/trigger-trial.tsx";
import { ConditionList } from "./condition-list.tsx";
import {
  draftsOf,
  filtersOf,
  problemsIn,
  type TriggerDraft,
  type TriggerDrafts,
  type TriggerProblem,
  triggerProblems,
  triggersOf,
} from "./trigger-draft.ts";
import { triggerAbouts } from "./trigger-words.ts";

/** The triggers of the workflow. They aren't versioned: a change takes effect at once, for all versions. */
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

interface TriggerPanelProps {
  team: string;
  workflow: Workflow;
  kind: TriggerKind;
  draft: TriggerDraft;
  /** Whether the section has unsaved changes. */
  isChanged: boolean;
  /** The error the service returned. */
  fault: string | undefined;
  /** Problems the service would reject. */
  problems: readonly TriggerProblem[];
  onChange: (draft: TriggerDraft) => void;
}

/** One kind of trigger: what it is, its conditions, and how to test it. */
function TriggerPanel({ team, workflow, kind, draft, isChanged, fault, problems, onChange }: TriggerPanelProps) {
  const { word, icon: Icon } = triggerLooks[kind];
  const set = (part: Partial<TriggerDraft>) => onChange({ ...draft, ...part });
  const whyNot = isChanged ? t("triggersSection.saveChangesFirstOnly") : undefined;
  return (
    <section className={panel.panel} aria-label={t("triggersSection.trigger", { word })}>
      <div className={panel.head}>
        <Icon size={20} stroke={1.75} aria-hidden />
        <Switch
          label={word}
          description={triggerAbouts[kind].about}
          checked={draft.enabled}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
      </div>
      {draft.enabled && (
        <Stack gap="sm" className={panel.body}>
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

/** The problems of the triggers as currently edited, requested from the service shortly after the last change. */
function useTriggerProblems(team: string, workflow: Workflow, drafts: TriggerDrafts, isOn: boolean) {
  const text = JSON.stringify(triggersOf(drafts));
  const [settled] = useDebouncedValue(text, 400);
  const body = useMemo((): Workflow => ({ name: workflow.name, tasks: [], triggers: JSON.parse(settled) }), [workflow.name, settled]);
  const { data } = useQuery({ ...workflowProblemsQuery(team, body), enabled: isOn, placeholderData: keepPreviousData });
  const all = useMemo(() => (isOn ? (data ?? []) : []), [isOn, data]);
  return useMemo(
    () =>
      (kind: TriggerKind): TriggerProblem[] =>
        triggerProblems(all, kind),
    [all],
  );
}

interface TriggerRulesProps {
  kind: TriggerKind;
  draft: TriggerDraft;
  problems: readonly TriggerProblem[];
  onChange: (part: Partial<TriggerDraft>) => void;
}

/** The conditions and filters an inbound event must match to start a run, and notes about this kind. */
function TriggerRules({ kind, draft, problems, onChange }: TriggerRulesProps) {
  const { looksInto, fields, values, attributes } = triggerAbouts[kind];
  return (
    <>
      {looksInto && (
        <Rules title={t("triggerRules.conditions")}>
          <ConditionList
            looksInto={looksInto}
            fields={fields}
            values={values}
            conditions={draft.conditions}
            problems={problemsIn(problems, "/conditions")}
            onChange={(conditions) => onChange({ conditions })}
          />
        </Rules>
      )}
      {attributes && (
        <Rules title={t("triggerRules.filters")}>
          <EventFilterEditor
            label={t("triggerRules.filtersTrigger", { word: triggerLooks[kind].word })}
            text={draft.filters}
            attributes={attributes}
            problems={problemsIn(problems, "/filters")}
            onChange={(filters) => onChange({ filters })}
          />
        </Rules>
      )}
      {kind === "codehost" && (
        <Switch
          label={t("triggerRules.reportRunsCommit")}
          description={t("triggerRules.reportRunsCommitHelp")}
          checked={draft.reportStatus}
          onChange={(event) => onChange({ reportStatus: event.currentTarget.checked })}
        />
      )}
      {kind === "webhook" && (
        <Switch
          label={t("triggerRules.requireSignature")}
          description={t("triggerRules.requireSignatureHelp")}
          checked={draft.requireSignature}
          onChange={(event) => onChange({ requireSignature: event.currentTarget.checked })}
        />
      )}
    </>
  );
}

function Rules({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      {children}
    </Stack>
  );
}
