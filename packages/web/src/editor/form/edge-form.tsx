import { Button, SegmentedControl, Text, Textarea, Title } from "@mantine/core";
import { markerOf } from "../../graph/node-size.ts";
import { t } from "../../texts/workflow/designer.ts";
import { typeOf, useSelection } from "../canvas/flow-elements.ts";
import type { Condition, Dependency } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { changeEdge, disconnect, findTask } from "../draft/graph-edits.ts";
import classes from "./side-panel.module.css";

interface EdgeFormProps {
  from: string;
  to: string;
  dependency: Dependency;
}

const conditions: { value: Condition; label: string; meaning: string }[] = [
  { value: "always", label: t("edgeForm.always"), meaning: t("edgeForm.followedWhenTaskBefore") },
  { value: "success", label: t("edgeForm.success"), meaning: t("edgeForm.followedWhenTaskBeforeMeaning") },
  { value: "failure", label: t("edgeForm.failure"), meaning: t("edgeForm.followedWhenTaskBefore2") },
];

/** The condition of a link. */
export function EdgeForm({ from, to, dependency }: EdgeFormProps) {
  const { history, change, catalog, whyNotEdit } = useDraft();
  const { select } = useSelection();
  const source = findTask(history.present, from);
  const isFromDecision = source !== undefined && typeOf(source, catalog) === "decision";
  return (
    <div className={classes.body}>
      <Title order={2}>
        {from} → {to}
      </Title>
      <fieldset className={classes.plain} disabled={whyNotEdit !== undefined}>
        {isFromDecision ? (
          <DecisionField from={from} to={to} dependency={dependency} />
        ) : (
          <ConditionField from={from} to={to} dependency={dependency} isOff={source !== undefined && markerOf(source) === "start"} />
        )}
        <div>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              change((draft) => disconnect(draft, from, to));
              select([to]);
            }}
          >
            {t("edgeForm.removeLink")}
          </Button>
        </div>
      </fieldset>
    </div>
  );
}

/** Always, success or failure. A link from the start has no choice. */
export function ConditionField({ from, to, dependency, isOff = false }: EdgeFormProps & { isOff?: boolean }) {
  const { change, whyNotEdit } = useDraft();
  const value = dependency.executionCondition ?? "always";
  return (
    <div>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t("edgeForm.conditionLink", { from, to })}
        data={conditions.map(({ value: key, label }) => ({ value: key, label }))}
        value={value}
        disabled={isOff || whyNotEdit !== undefined}
        onChange={(chosen) => change((draft) => changeEdge(draft, from, to, { executionCondition: chosen as Condition }))}
      />
      <Text size="xs" className="quiet" mt={4}>
        {isOff ? t("edgeForm.startAlwaysSucceeds") : conditions.find((each) => each.value === value)?.meaning}
      </Text>
    </div>
  );
}

/** The patterns that are compared with the decided value. */
export function DecisionField({ from, to, dependency }: EdgeFormProps) {
  const { change } = useDraft();
  return (
    <Textarea
      label={t("edgeForm.conditionValueMatches")}
      description={t("edgeForm.conditionValueMatchesHelp")}
      placeholder={t("edgeForm.conditionValueMatchesPlaceholder")}
      autosize
      minRows={2}
      styles={{ input: { fontFamily: "var(--font-code)", fontSize: 12 } }}
      value={dependency.decisionCondition ?? ""}
      onChange={(event) => {
        const text = event.currentTarget.value;
        change((draft) => changeEdge(draft, from, to, { decisionCondition: text || null }), `decision ${from} ${to}`);
      }}
    />
  );
}
