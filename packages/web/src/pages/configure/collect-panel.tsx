import { NumberInput, Select, TextInput } from "@mantine/core";
import { t } from "../../texts/workflow/configure.ts";
import { KeyField, LimitPanel } from "./limit-panel.tsx";
import { type LimitsValue, newCollect } from "./limits-draft.ts";

type Collect = NonNullable<LimitsValue["collect"]>;

interface CollectPanelProps {
  value: LimitsValue["collect"];
  /** The names of the parameters that can receive the list of a batch. */
  params: readonly string[];
  faultAt: (path: string) => string | undefined;
  onChange: (value: LimitsValue["collect"]) => void;
}

const kinds: { value: Collect["kind"]; label: string }[] = [
  { value: "debounce", label: t("collectPanel.debounce") },
  { value: "batch", label: t("collectPanel.batch") },
];

/** Which events share a run: a debounce or a batch. A workflow can have only one of them. */
export function CollectPanel({ value, params, faultAt, onChange }: CollectPanelProps) {
  const change = (more: Partial<Collect>) => onChange({ ...newCollect, ...value, ...more });
  return (
    <LimitPanel
      word={t("collectPanel.collect")}
      about={t("collectPanel.collectHelp")}
      isOn={value !== undefined}
      onSwitch={(isOn) => onChange(isOn ? { ...newCollect, param: params[0] ?? "" } : undefined)}
    >
      {value && (
        <>
          <Select
            label={t("collectPanel.kind")}
            data={kinds}
            allowDeselect={false}
            value={value.kind}
            onChange={(kind) => change({ kind: kind as Collect["kind"] })}
          />
          <TextInput
            label={t(value.kind === "batch" ? "collectPanel.batchPeriod" : "collectPanel.quietPeriod")}
            description={t("limitsSection.periodHelp")}
            error={faultAt(`/${value.kind}/period`)}
            value={value.period}
            onChange={(event) => change({ period: event.currentTarget.value })}
          />
          {value.kind === "batch" ? (
            <BatchFields value={value} params={params} faultAt={faultAt} change={change} />
          ) : (
            <TextInput
              label={t("collectPanel.maxWait")}
              description={t("collectPanel.maxWaitHelp")}
              error={faultAt("/debounce/maxWait")}
              value={value.maxWait}
              onChange={(event) => change({ maxWait: event.currentTarget.value })}
            />
          )}
          <KeyField
            value={value.key}
            about={t("collectPanel.keyHelp")}
            error={faultAt(`/${value.kind}/key`)}
            onChange={(key) => change({ key })}
          />
        </>
      )}
    </LimitPanel>
  );
}

interface BatchFieldsProps extends Pick<CollectPanelProps, "params" | "faultAt"> {
  value: Collect;
  change: (more: Partial<Collect>) => void;
}

function BatchFields({ value, params, faultAt, change }: BatchFieldsProps) {
  const choices = [...new Set([...params, ...(value.param === "" ? [] : [value.param])])];
  return (
    <>
      <NumberInput
        label={t("collectPanel.size")}
        min={1}
        max={1000}
        allowDecimal={false}
        error={faultAt("/batch/size")}
        value={value.size}
        onChange={(size) => change({ size })}
      />
      <Select
        label={t("collectPanel.param")}
        description={t(choices.length === 0 ? "collectPanel.noParam" : "collectPanel.paramHelp")}
        data={choices}
        allowDeselect={false}
        error={faultAt("/batch/param") ?? faultAt("/batch")}
        value={value.param === "" ? null : value.param}
        onChange={(param) => change({ param: param ?? "" })}
      />
    </>
  );
}
