import { Stack, Switch, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { EventFilterEditor } from "../../../components/event-filters/event-filter-editor.tsx";
import { type TriggerKind, triggerLooks } from "../../../components/trigger-look.ts";
import { t } from "../../../texts/triggers.ts";
import { ConditionList } from "./condition-list.tsx";
import type { TriggerDraft } from "./trigger-draft.ts";
import { problemsIn, type TriggerProblem } from "./trigger-problems.ts";
import { triggerAbouts } from "./trigger-words.ts";

interface TriggerRulesProps {
  kind: TriggerKind;
  draft: TriggerDraft;
  problems: readonly TriggerProblem[];
  onChange: (part: Partial<TriggerDraft>) => void;
}

/** What arrives starts a run only on these conditions and filters; and what else is said of its kind. */
export function TriggerRules({ kind, draft, problems, onChange }: TriggerRulesProps) {
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
