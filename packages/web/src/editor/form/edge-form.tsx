import { Button, SegmentedControl, Text, Textarea, Title } from "@mantine/core";
import { typeOf } from "../canvas/flow-elements.ts";
import { useSelection } from "../canvas/selection.ts";
import { type Condition, type Dependency, markerOf } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { changeEdge, disconnect, findTask } from "../draft/graph-edits.ts";
import classes from "./side-panel.module.css";

interface EdgeFormProps {
  from: string;
  to: string;
  dependency: Dependency;
}

const conditions: { value: Condition; label: string; meaning: string }[] = [
  { value: "always", label: "Always", meaning: "Followed when the task before it ends, whatever the outcome." },
  { value: "success", label: "Success", meaning: "Followed when the task before it succeeds." },
  { value: "failure", label: "Failure", meaning: "Followed when the task before it fails, times out or is invalid." },
];

/** When a link is taken. */
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
            Remove link
          </Button>
        </div>
      </fieldset>
    </div>
  );
}

/** Always, success or failure; from the start there is nothing to choose. */
export function ConditionField({ from, to, dependency, isOff = false }: EdgeFormProps & { isOff?: boolean }) {
  const { change, whyNotEdit } = useDraft();
  const value = dependency.executionCondition ?? "always";
  return (
    <div>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={`Condition of the link from ${from} to ${to}`}
        data={conditions.map(({ value: key, label }) => ({ value: key, label }))}
        value={value}
        disabled={isOff || whyNotEdit !== undefined}
        onChange={(chosen) => change((draft) => changeEdge(draft, from, to, { executionCondition: chosen as Condition }))}
      />
      <Text size="xs" className="quiet" mt={4}>
        {isOff ? "The start always succeeds." : conditions.find((each) => each.value === value)?.meaning}
      </Text>
    </div>
  );
}

/** Patterns that the decided value is compared with. */
export function DecisionField({ from, to, dependency }: EdgeFormProps) {
  const { change } = useDraft();
  return (
    <Textarea
      label="Condition (value matches)"
      description="One regular expression per line. The link is followed if any of them matches the whole value. Leave empty for the default branch."
      placeholder={"gold\nsilver.*"}
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
