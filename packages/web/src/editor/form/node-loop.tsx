import { Checkbox, NumberInput, Select, Switch, Text, Textarea } from "@mantine/core";
import { t } from "../../texts/workflow/designer.ts";
import type { DraftTask } from "../draft/draft.ts";
import { loopExpression } from "../node/expressions.ts";
import { useAvailable } from "./node-parameters.tsx";
import { ReferenceField } from "./reference-field.tsx";
import { LoopPreview } from "./repeat-preview.tsx";

type Loop = NonNullable<DraftTask["loop"]>;

/** How the task is repeated on a condition. */
export function LoopFields({ task, set }: { task: DraftTask; set: (change: Partial<DraftTask>, key?: string) => void }) {
  const available = useAvailable(task);
  const { loop } = task;
  const setLoop = (change: Partial<Loop>, key?: string) => set({ loop: { ...loop, ...change } }, key);
  return (
    <>
      <Switch
        label={t("nodeLoop.repeat")}
        checked={loop != null}
        onChange={(event) => set(event.currentTarget.checked ? { loop: newLoop, forEach: null } : { loop: null })}
      />
      {loop && <ConditionFields {...{ loop, setLoop, available }} />}
      {loop && <LimitFields {...{ loop, setLoop }} />}
    </>
  );
}

const newLoop: Loop = { until: { value: "$(loop.previous.results.state)", matches: "done" } };

interface LoopProps {
  loop: Loop;
  setLoop: (change: Partial<Loop>, key?: string) => void;
}

function ConditionFields({ loop, setLoop, available }: LoopProps & { available: ReturnType<typeof useAvailable> }) {
  const kind = loop.while ? "while" : "until";
  const condition = loop[kind] ?? { value: "", matches: "" };
  const setCondition = (change: Partial<typeof condition>, key: string) => setLoop({ [kind]: { ...condition, ...change } }, key);
  return (
    <>
      <Select
        label={t("nodeLoop.goesOn")}
        data={[
          { value: "until", label: t("nodeLoop.until") },
          { value: "while", label: t("nodeLoop.while") },
        ]}
        value={kind}
        allowDeselect={false}
        onChange={(value) => setLoop(value === "while" ? { while: condition, until: null } : { until: condition, while: null })}
      />
      <ReferenceField
        label={t("nodeLoop.value")}
        description={t("nodeLoop.valueHelp")}
        value={condition.value}
        available={available}
        param={loopExpression}
        onChange={(value) => setCondition({ value }, "loopValue")}
      />
      <Textarea
        label={t("nodeLoop.matches")}
        description={t("nodeLoop.matchesHelp")}
        autosize
        value={condition.matches}
        onChange={(event) => setCondition({ matches: event.currentTarget.value }, "loopMatches")}
      />
      <LoopPreview />
    </>
  );
}

function LimitFields({ loop, setLoop }: LoopProps) {
  const numberOf = (value: string | number) => (value === "" ? null : Number(value));
  return (
    <>
      <NumberInput
        label={t("nodeLoop.maxRounds")}
        min={1}
        max={10_000}
        placeholder="100"
        allowDecimal={false}
        value={loop.maxRounds ?? ""}
        onChange={(value) => setLoop({ maxRounds: numberOf(value) }, "maxRounds")}
      />
      <Select
        label={t("nodeLoop.onLimit")}
        data={[
          { value: "fail", label: t("nodeLoop.fail") },
          { value: "succeed", label: t("nodeLoop.succeed") },
        ]}
        value={loop.onLimit ?? "fail"}
        allowDeselect={false}
        onChange={(value) => setLoop({ onLimit: value === "succeed" ? value : null })}
      />
      <NumberInput
        label={t("nodeLoop.pauseSeconds")}
        min={0}
        max={604_800}
        placeholder="0"
        allowDecimal={false}
        value={loop.pauseSeconds ?? ""}
        onChange={(value) => setLoop({ pauseSeconds: numberOf(value) }, "pauseSeconds")}
      />
      <Checkbox
        label={t("nodeLoop.stopAtFailure")}
        checked={loop.stopAtFailure ?? true}
        onChange={(event) => setLoop({ stopAtFailure: event.currentTarget.checked ? null : false })}
      />
      <Text size="xs" className="quiet">
        {t("nodeLoop.resultsHelp")}
      </Text>
    </>
  );
}
