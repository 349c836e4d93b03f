import { Button, MultiSelect, Select, TagsInput, TextInput } from "@mantine/core";
import { phases, triggers } from "@millrace/contract/status.ts";
import { useQuery } from "@tanstack/react-query";
import { workflowNamesQuery } from "../../api/queries/activity.ts";
import type { components } from "../../api/schema.generated.ts";
import { triggerWords } from "../../components/run-words.ts";
import { useCaller } from "../../hooks/use-caller.ts";
import { t } from "../../texts/activity.ts";
import classes from "./activity.module.css";
import { type ActivityState, isFiltered, noFilter, spans, toRunsFilter } from "./activity-filter.ts";

interface ActivityFiltersProps {
  team: string;
  state: ActivityState;
  members: readonly components["schemas"]["TeamMember"][];
  onChange: (change: Partial<ActivityState>) => void;
}

/** What is looked for. Each change is in the address at once. */
export function ActivityFilters({ team, state, members, onChange }: ActivityFiltersProps) {
  const names = useQuery(workflowNamesQuery(team)).data ?? [];
  return (
    <search className={classes.filters} aria-label={t("activityFilters.filters")}>
      <MultiSelect
        aria-label={t("activityFilters.workflows")}
        placeholder={state.workflows.length === 0 ? t("activityFilters.workflowPlaceholder") : ""}
        size="xs"
        searchable
        clearable
        data-list-filter
        data={names.map(({ name, displayName }) => ({ value: name, label: displayName }))}
        value={[...state.workflows]}
        onChange={(workflows) => onChange({ workflows })}
        nothingFoundMessage={t("activityFilters.noWorkflowName")}
        maxDropdownHeight={320}
      />
      <MultiSelect
        aria-label={t("activityFilters.triggers")}
        placeholder={state.triggers.length === 0 ? t("activityFilters.triggerPlaceholder") : ""}
        size="xs"
        clearable
        data={triggers.map((value) => ({ value, label: triggerWords[value] }))}
        value={[...state.triggers]}
        onChange={(chosen) => onChange({ triggers: chosen })}
      />
      <MultiSelect
        aria-label={t("activityFilters.phases")}
        placeholder={state.phase.length === 0 ? t("activityFilters.phasePlaceholder") : ""}
        size="xs"
        clearable
        data={phases.map((value) => ({ value, label: t(`phaseWords.${value}`) }))}
        value={[...state.phase]}
        onChange={(phase) => onChange({ phase })}
      />
      <Who state={state} members={members} onChange={onChange} />
      <TagsInput
        openOnFocus={false}
        aria-label={t("activityFilters.labels")}
        placeholder={state.labels.length === 0 ? t("activityFilters.labelKeyValuePlaceholder") : ""}
        size="xs"
        value={[...state.labels]}
        onChange={(labels) => onChange({ labels })}
        error={state.labels.some((pair) => pair.indexOf("=") < 1) ? t("activityFilters.writeKeyValue") : undefined}
      />
      <Span state={state} onChange={onChange} />
      {isFiltered(toRunsFilter(state)) && (
        <Button size="xs" variant="subtle" onClick={() => onChange(noFilter)}>
          {t("activityFilters.clear")}
        </Button>
      )}
    </search>
  );
}

function Who({ state, members, onChange }: Omit<ActivityFiltersProps, "team">) {
  const caller = useCaller();
  const others = members.filter(({ id }) => `user:${id}` !== caller.id);
  const data = [
    { value: caller.id, label: t("activityFilters.me") },
    ...others.map(({ id, name, email }) => ({ value: `user:${id}`, label: name || email || "" })),
  ];
  if (state.who !== "" && !data.some(({ value }) => value === state.who)) data.push({ value: state.who, label: state.who });
  return (
    <Select
      aria-label={t("activityFilters.started")}
      placeholder={t("activityFilters.started")}
      size="xs"
      searchable
      clearable
      data={data}
      value={state.who || null}
      onChange={(who) => onChange({ who: who ?? "" })}
    />
  );
}

function Span({ state, onChange }: Pick<ActivityFiltersProps, "state" | "onChange">) {
  const end = (name: "from" | "to", label: string) => (
    <TextInput
      aria-label={label}
      size="xs"
      type="datetime-local"
      value={state[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <Select
        aria-label={t("activityFilters.when")}
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
