import { MultiSelect } from "@mantine/core";
import { scheduleStatuses } from "@millrace/contract/schedule.ts";
import { useQuery } from "@tanstack/react-query";
import { workflowChoicesQuery } from "../../api/queries/schedules.ts";
import { SearchField } from "../../ui/list/search-field.tsx";
import { statusWord } from "./schedule-words.tsx";
import classes from "./schedules.module.css";
import type { ChangePlace, Place } from "./use-schedules-place.ts";

const statuses = scheduleStatuses.map((status) => ({ value: status, label: statusWord(status) }));
/** `cron` and `advancedCron` mean the same. */
const types = [
  { value: "cron", label: "Recurring" },
  { value: "runOnce", label: "One time" },
];

/** Which schedules are shown, in each of the views. */
export function ScheduleFilters({ team, place, onPlace }: { team: string; place: Place; onPlace: ChangePlace }) {
  const { data: workflows = [] } = useQuery(workflowChoicesQuery(team));
  const shared = { size: "xs", clearable: true, className: classes.filter ?? "", comboboxProps: { withinPortal: true } } as const;
  return (
    <>
      <SearchField
        label="Search schedules"
        placeholder="Name or description"
        width={200}
        value={place.q}
        onSearch={(q) => onPlace({ q, page: 0 })}
      />
      <MultiSelect
        {...shared}
        aria-label="Workflows"
        placeholder={place.workflows.length === 0 ? "Any workflow" : ""}
        searchable
        data={workflows}
        value={place.workflows}
        onChange={(chosen) => onPlace({ workflows: chosen, page: 0 })}
        nothingFoundMessage="No workflow with this name"
      />
      <MultiSelect
        {...shared}
        aria-label="Statuses"
        placeholder={place.statuses.length === 0 ? "Any status" : ""}
        data={statuses}
        value={place.statuses}
        onChange={(chosen) => onPlace({ statuses: chosen, page: 0 })}
      />
      <MultiSelect
        {...shared}
        aria-label="Types"
        placeholder={place.types.length === 0 ? "Any type" : ""}
        data={types}
        value={place.types}
        onChange={(chosen) => onPlace({ types: chosen, page: 0 })}
      />
    </>
  );
}

/** As the service knows them. */
export function wireTypes(types: readonly string[]): string[] {
  return types.flatMap((type) => (type === "cron" ? ["cron", "advancedCron"] : [type]));
}
