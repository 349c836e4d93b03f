import { MultiSelect, SegmentedControl, Text } from "@mantine/core";
import { type ScheduleType, scheduleStatuses } from "@millrace/contract/schedule.ts";
import { useQuery } from "@tanstack/react-query";
import { maxCalendarSchedules, type Schedule, schedulesQuery, workflowChoicesQuery } from "../../api/queries/schedules.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ListPage } from "../../ui/list/list-page.tsx";
import { NothingFound } from "../../ui/list/nothing-found.tsx";
import { SearchField } from "../../ui/list/search-field.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { QueryView } from "../../ui/state/query-view.tsx";
import { CalendarView } from "./calendar-view.tsx";
import { EditPanel } from "./edit-panel.tsx";
import { ScheduleList } from "./schedule-list.tsx";
import { SchedulePanel } from "./schedule-panel.tsx";
import { statusWord } from "./schedule-words.tsx";
import classes from "./schedules.module.css";
import { type ChangePlace, type Place, useSchedulesPlace, views } from "./use-schedules-place.ts";

const pageSize = 50;
const viewNames = { list: "List", agenda: "Agenda", month: "Month" } as const;

/** The schedules of a team: as a list, day by day, or as a month; one of them, or its form, in a panel at the right. */
export function SchedulesPage() {
  const team = useTeam();
  const [place, change] = useSchedulesPlace();
  const rights = useRights(team);
  const isList = place.view === "list";
  const { workflows, statuses, q, page } = place;
  const known = scheduleStatuses.filter((status) => statuses.includes(status));
  const filter = { workflows, statuses: known, types: wireTypes(place.types), search: q };
  const query = useQuery(schedulesQuery(team, { ...filter, limit: isList ? pageSize : maxCalendarSchedules, page: isList ? page : 0 }));
  const { data } = query;
  return (
    <ListPage
      title="Schedules"
      detail="Scheduled runs and their history"
      actions={
        <ActionButton size="xs" whyNot={rights.whyNot("schedule/write")} onClick={() => change({ edit: "new", schedule: "" })}>
          Create schedule
        </ActionButton>
      }
      filters={
        <>
          <SegmentedControl
            size="xs"
            aria-label="View"
            data={views.map((value) => ({ value, label: viewNames[value] }))}
            value={place.view}
            onChange={(view) => change({ view })}
          />
          <div className={classes.grow} />
          <ScheduleFilters team={team} place={place} onPlace={change} />
        </>
      }
      pages={
        isList && data !== undefined
          ? { page, size: pageSize, total: data.totalElements, onChange: (next) => change({ page: next }) }
          : undefined
      }
      isWide={!isList && data !== undefined && data.totalElements > 0}
    >
      <QueryView query={query} label="Loading schedules">
        {(answer) => <Content team={team} place={place} answer={answer} onPlace={change} />}
      </QueryView>
      <SchedulePanel team={team} scheduleId={place.edit === "" ? place.schedule : ""} onPlace={change} />
      <EditPanel team={team} edit={place.edit} workflow={place.workflow} onPlace={change} />
    </ListPage>
  );
}

interface ContentProps {
  team: string;
  place: Place;
  answer: { content: readonly Schedule[]; totalElements: number };
  onPlace: ChangePlace;
}

function Content({ team, place, answer: { content, totalElements }, onPlace }: ContentProps) {
  const { workflows, statuses, types, q } = place;
  const isFiltered = q !== "" || workflows.length + statuses.length + types.length > 0;
  if (totalElements === 0 && isFiltered)
    return (
      <NothingFound things="schedules" search={q} onClear={() => onPlace({ q: "", workflows: [], statuses: [], types: [], page: 0 })} />
    );
  if (totalElements === 0) return <Nothing onPlace={onPlace} team={team} />;
  if (place.view === "list") return <ScheduleList team={team} schedules={content} onPlace={onPlace} />;
  return <CalendarView team={team} schedules={content} total={totalElements} place={place} onPlace={onPlace} />;
}

function Nothing({ team, onPlace }: { team: string; onPlace: ChangePlace }) {
  const rights = useRights(team);
  return (
    <EmptyState title="No schedules yet">
      <Text className="quiet" maw={440}>
        A schedule runs a workflow repeatedly by a cron expression, or once at a date. The outcome of each scheduled time is recorded.
      </Text>
      <ActionButton whyNot={rights.whyNot("schedule/write")} onClick={() => onPlace({ edit: "new" })}>
        Create your first schedule
      </ActionButton>
    </EmptyState>
  );
}

const statuses = scheduleStatuses.map((status) => ({ value: status, label: statusWord(status) }));
/** `cron` and `advancedCron` mean the same. */
const types = [
  { value: "cron", label: "Recurring" },
  { value: "runOnce", label: "One time" },
];

/** Which schedules are shown, in each of the views. */
function ScheduleFilters({ team, place, onPlace }: { team: string; place: Place; onPlace: ChangePlace }) {
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
function wireTypes(types: readonly string[]): ScheduleType[] {
  return types.flatMap((type): ScheduleType[] => (type === "cron" ? ["cron", "advancedCron"] : type === "runOnce" ? ["runOnce"] : []));
}
