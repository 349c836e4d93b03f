import { MultiSelect, SegmentedControl, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { workflowChoicesQuery } from "../../api/queries/schedules.ts";
import { ZoneSelect } from "../../forms/schedule-form/zone-select.tsx";
import { t } from "../../texts/run/insights.ts";
import { dayOf, viewerZone } from "../../ui/time/zone-time.ts";
import { daysOfPlace, type InsightPlace, rangeChoices } from "./insight-place.ts";
import classes from "./insights.module.css";

interface InsightFiltersProps {
  /** The team whose workflows can be selected; undefined: no selection. */
  team: string | undefined;
  place: InsightPlace;
  timezone: string;
  onPlace: (change: Partial<InsightPlace>) => void;
}

/** Selects the runs to include. */
export function InsightFilters({ team, place, timezone, onPlace }: InsightFiltersProps) {
  const chooseRange = (range: string) => {
    const { first, last } = daysOfPlace(place, dayOf(timezone, Date.now()));
    onPlace(range === "custom" ? { range, from: first, to: last } : { range, from: "", to: "" });
  };
  return (
    <div className={classes.filters}>
      <SegmentedControl size="xs" aria-label={t("insightFilters.period")} data={rangeChoices} value={place.range} onChange={chooseRange} />
      {place.range === "custom" && (
        <>
          <TextInput
            size="xs"
            type="date"
            label={t("insightFilters.firstDay")}
            value={place.from}
            onChange={(event) => onPlace({ from: event.currentTarget.value })}
          />
          <TextInput
            size="xs"
            type="date"
            label={t("insightFilters.lastDay")}
            value={place.to}
            onChange={(event) => onPlace({ to: event.currentTarget.value })}
          />
        </>
      )}
      <div className={classes.grow} />
      {team !== undefined && <WorkflowFilter team={team} value={place.workflows} onChange={(workflows) => onPlace({ workflows })} />}
      <div className={classes.zone}>
        <ZoneSelect
          size="xs"
          label={t("insightFilters.timeZone")}
          value={timezone}
          onChange={(zone) => onPlace({ timezone: zone === viewerZone() ? "" : zone })}
        />
      </div>
    </div>
  );
}

function WorkflowFilter({ team, value, onChange }: { team: string; value: string[]; onChange: (value: string[]) => void }) {
  const { data = [] } = useQuery(workflowChoicesQuery(team));
  return (
    <MultiSelect
      size="xs"
      w={192}
      label={t("insightFilters.workflows")}
      placeholder={value.length === 0 ? t("insightFilters.workflowsPlaceholder") : ""}
      searchable
      clearable
      data={data}
      value={value}
      onChange={onChange}
      nothingFoundMessage={t("insightFilters.noWorkflowName")}
    />
  );
}
