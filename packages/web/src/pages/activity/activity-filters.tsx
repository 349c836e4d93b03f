import { Button, MultiSelect, Select, TagsInput, TextInput } from "@mantine/core";
import { phases, triggers } from "@millrace/contract/status.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { workflowNamesQuery } from "../../api/queries/activity.ts";
import { membersQuery } from "../../api/queries/members.ts";
import { triggerWords } from "../../components/run-words.ts";
import { useCaller } from "../../hooks/use-caller.ts";
import { useMemberChoices } from "../../hooks/use-member-choices.ts";
import { t } from "../../texts/activity.ts";
import classes from "./activity.module.css";
import { type ActivityState, isFiltered, noFilter, spans, toRunsFilter } from "./activity-filter.ts";

interface ActivityFiltersProps {
  team: string;
  state: ActivityState;
  onChange: (change: Partial<ActivityState>) => void;
}

/** What is looked for. Each change is in the address at once. */
export function ActivityFilters({ team, state, onChange }: ActivityFiltersProps) {
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
      <Who team={team} state={state} onChange={onChange} />
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

/** Who started the runs: the caller, or a member, whom the service looks for. */
function Who({ team, state: { who }, onChange }: ActivityFiltersProps) {
  const caller = useCaller();
  const [typed, setTyped] = useState("");
  const me = { value: caller.id, label: t("activityFilters.me") };
  const userId = who.startsWith("user:") && who !== caller.id ? who.slice("user:".length) : undefined;
  const { data: named } = useQuery({ ...membersQuery(team, { ids: [userId ?? ""], limit: 1 }), enabled: userId !== undefined });
  const [member] = named?.content ?? [];
  const label = member?.id === userId ? member?.name || member?.email : undefined;
  const chosen = who === "" || who === caller.id ? [me] : [me, { value: who, label: label ?? who }];
  const { data, filter } = useMemberChoices(team, typed, ({ id }) => `user:${id}`, chosen);
  return (
    <Select
      aria-label={t("activityFilters.started")}
      placeholder={t("activityFilters.started")}
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
