import { MultiSelect, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import { phases, triggers } from "@millrace/contract/status.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { workflowNamesQuery } from "../../api/queries/run/activity.ts";
import { triggerWords } from "../../components/run-words.ts";
import { useCaller } from "../../hooks/use-caller.ts";
import { useMemberChoices } from "../../hooks/use-member-choices.ts";
import { t } from "../../texts/run/activity.ts";
import { type ActivityState, spans } from "./activity-filter.ts";
import { useFilterNames, useStarterName } from "./filter-names.ts";

export interface ActivityFiltersProps {
  team: string;
  state: ActivityState;
  onChange: (change: Partial<ActivityState>) => void;
}

/** Clicks on an option must count as clicks inside the popover that contains the fields. */
const inside = { comboboxProps: { withinPortal: false } } as const;

/** All filters for runs. Each change is written to the URL at once. */
export function ActivityFilters({ team, state, onChange }: ActivityFiltersProps) {
  const names = useQuery(workflowNamesQuery(team)).data ?? [];
  const nameOf = useFilterNames(team, state);
  const unlisted = state.workflows.filter((value) => !names.some(({ name }) => name === value));
  return (
    <Stack gap="xs">
      <Span state={state} onChange={onChange} />
      <MultiSelect
        {...inside}
        label={t("activityFilters.workflows")}
        placeholder={state.workflows.length === 0 ? t("activityFilters.anyPlaceholder") : ""}
        size="xs"
        searchable
        clearable
        data={[
          ...names.map(({ name, displayName }) => ({ value: name, label: displayName })),
          ...unlisted.map((value) => ({ value, label: nameOf("workflow", value) })),
        ]}
        value={[...state.workflows]}
        onChange={(workflows) => onChange({ workflows })}
        nothingFoundMessage={t("activityFilters.noWorkflowName")}
        maxDropdownHeight={240}
      />
      <Who team={team} state={state} onChange={onChange} />
      <MultiSelect
        {...inside}
        label={t("activityFilters.triggers")}
        placeholder={state.triggers.length === 0 ? t("activityFilters.anyPlaceholder") : ""}
        size="xs"
        clearable
        data={triggers.map((value) => ({ value, label: triggerWords[value] }))}
        value={[...state.triggers]}
        onChange={(chosen) => onChange({ triggers: chosen })}
      />
      <MultiSelect
        {...inside}
        label={t("activityFilters.phases")}
        placeholder={state.phase.length === 0 ? t("activityFilters.anyPlaceholder") : ""}
        size="xs"
        clearable
        data={phases.map((value) => ({ value, label: t(`phaseWords.${value}`) }))}
        value={[...state.phase]}
        onChange={(phase) => onChange({ phase })}
      />
      <Select
        {...inside}
        label={t("activityFilters.acknowledged")}
        placeholder={t("activityFilters.anyPlaceholder")}
        size="xs"
        clearable
        data={[
          { value: "no", label: t("activityFilters.isNotAcknowledged") },
          { value: "yes", label: t("activityFilters.isAcknowledged") },
        ]}
        value={state.acknowledged || null}
        onChange={(acknowledged) => onChange({ acknowledged: acknowledged ?? "" })}
      />
      <TagsInput
        {...inside}
        openOnFocus={false}
        label={t("activityFilters.labels")}
        placeholder={state.labels.length === 0 ? t("activityFilters.labelKeyValuePlaceholder") : ""}
        size="xs"
        value={[...state.labels]}
        onChange={(labels) => onChange({ labels })}
        error={state.labels.some((pair) => pair.indexOf("=") < 1) ? t("activityFilters.writeKeyValue") : undefined}
      />
    </Stack>
  );
}

/** Filters by who started the runs: the caller, or a member found by searching. */
function Who({ team, state: { who }, onChange }: ActivityFiltersProps) {
  const caller = useCaller();
  const [typed, setTyped] = useState("");
  const label = useStarterName(team, who);
  const me = { value: caller.id, label: t("activityFilters.me") };
  const chosen = who === "" || who === caller.id ? [me] : [me, { value: who, label }];
  const { data, filter } = useMemberChoices(team, typed, ({ id }) => `user:${id}`, chosen);
  return (
    <Select
      {...inside}
      label={t("activityFilters.started")}
      placeholder={t("activityFilters.anyonePlaceholder")}
      size="xs"
      searchable
      clearable
      data={[...chosen, ...data.filter(({ value }) => !chosen.some((one) => one.value === value))]}
      filter={filter}
      value={who || null}
      onSearchChange={setTyped}
      nothingFoundMessage={t("activityFilters.noMemberName")}
      onChange={(next) => onChange({ who: next ?? "" })}
    />
  );
}

function Span({ state, onChange }: Pick<ActivityFiltersProps, "state" | "onChange">) {
  const end = (name: "from" | "to", label: string) => (
    <TextInput
      label={label}
      size="xs"
      type="datetime-local"
      step={1}
      value={state[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <Select
        {...inside}
        label={t("activityFilters.when")}
        placeholder={t("activityFilters.anyTimePlaceholder")}
        size="xs"
        clearable
        data={Object.entries(spans).map(([value, { label }]) => ({ value, label }))}
        value={state.span || null}
        onChange={(span) => onChange({ span: span ?? "", ...(span !== "custom" && { from: "", to: "" }) })}
      />
      {state.span === "custom" && end("from", t("activityFilters.from"))}
      {state.span === "custom" && end("to", t("activityFilters.until"))}
    </>
  );
}
