import { Anchor, Stack, Switch, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Workflow } from "../../api/queries/workflows.ts";
import { type TriggerKind, triggerLooks } from "../../components/trigger-look.ts";
import { paths } from "../../paths.ts";
import { CodeEditor } from "../../ui/code-editor.tsx";
import { Fold } from "../../ui/fold.tsx";
import { ConditionList } from "./condition-list.tsx";
import classes from "./configure.module.css";
import { EventTrial } from "./event-trial.tsx";
import { ManualTrial } from "./manual-trial.tsx";
import { filtersOf, type TriggerDraft } from "./trigger-draft.ts";
import { triggerAbouts } from "./trigger-words.ts";
import { WebhookAccess } from "./webhook-access.tsx";

interface TriggerPanelProps {
  team: string;
  workflow: Workflow;
  kind: TriggerKind;
  draft: TriggerDraft;
  /** Something of the section is not saved yet. */
  isChanged: boolean;
  /** What the service refused of it. */
  fault: string | undefined;
  onChange: (draft: TriggerDraft) => void;
}

/** One kind of trigger: what it is, on which conditions, and how to try it. */
export function TriggerPanel({ team, workflow, kind, draft, isChanged, fault, onChange }: TriggerPanelProps) {
  const { word, icon: Icon } = triggerLooks[kind];
  const { about, looksInto, fields, hasFilters } = triggerAbouts[kind];
  const set = (part: Partial<TriggerDraft>) => onChange({ ...draft, ...part });
  const whyNot = isChanged ? "Save what you changed first: what is tried is what is saved." : undefined;
  const ways = { team, workflow, whyNot };
  return (
    <section className={classes.panel} aria-label={`Trigger: ${word}`}>
      <div className={classes.panelHead}>
        <Icon size={20} stroke={1.75} aria-hidden />
        <Switch
          label={word}
          description={about}
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
          {kind === "manual" && <ManualTrial {...ways} />}
          {kind === "schedule" && (
            <Anchor component={Link} to={paths.workflowConfigure(team, workflow.name, "schedules")}>
              Its schedules
            </Anchor>
          )}
          {looksInto && (
            <ConditionList
              looksInto={looksInto}
              fields={fields}
              conditions={draft.conditions}
              onChange={(conditions) => set({ conditions })}
            />
          )}
          {hasFilters && <Filters word={word} text={draft.filters} onChange={(filters) => set({ filters })} />}
          {kind === "codehost" && (
            <Switch
              label="Show runs at the commit"
              description="The course of the run is shown at the commit that the event is about, as a check or a status."
              checked={draft.reportStatus}
              onChange={(event) => set({ reportStatus: event.currentTarget.checked })}
            />
          )}
          {kind === "webhook" && (
            <Switch
              label="Only signed requests"
              description="A token alone lets nothing in any more; what is sent has to be signed with the secret of the workflow."
              checked={draft.requireSignature}
              onChange={(event) => set({ requireSignature: event.currentTarget.checked })}
            />
          )}
          {kind === "webhook" && <WebhookAccess {...ways} />}
          {kind === "event" && <EventTrial {...ways} conditions={draft.conditions} />}
        </Stack>
      )}
    </section>
  );
}

/** Filters of CloudEvents Subscriptions, as JSON. */
function Filters({ word, text, onChange }: { word: string; text: string; onChange: (text: string) => void }) {
  const isBad = filtersOf(text) === undefined;
  return (
    <Fold title={text.trim() === "" ? "Filters on attributes (none)" : "Filters on attributes"}>
      <Stack gap="xs">
        <span className="quiet">
          A list in the words of CloudEvents Subscriptions: exact, prefix, suffix, all, any, not, sql. All of them must hold.
        </span>
        <CodeEditor
          label={`Filters of the trigger ${word}`}
          language="json"
          minHeight="80px"
          maxHeight="240px"
          placeholder={'[{ "exact": { "type": "order.placed" } }, { "sql": "EXISTS region" }]'}
          value={text}
          onChange={onChange}
        />
        {isBad && (
          <span role="alert" style={{ color: "var(--status-failed)" }}>
            This is no list in JSON.
          </span>
        )}
      </Stack>
    </Fold>
  );
}
