import { SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { maxCalendarSchedules, schedulesQuery } from "../../api/queries/schedules.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { NothingFound } from "../../ui/list/nothing-found.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { CalendarView } from "./calendar-view.tsx";
import { EditPanel } from "./edit-panel.tsx";
import { ScheduleFilters, wireTypes } from "./schedule-filters.tsx";
import { SchedulePanel } from "./schedule-panel.tsx";
import { ScheduleTable } from "./schedule-table.tsx";
import classes from "./schedules.module.css";
import { type ChangePlace, type Place, useSchedulesPlace, views } from "./use-schedules-place.ts";

const viewNames = { list: "List", agenda: "Agenda", month: "Month" } as const;

/** The schedules of a team: as a list, day by day, or as a month; one of them, or its form, in a panel at the right. */
export function SchedulesPage() {
  const team = useTeam();
  const [place, change] = useSchedulesPlace();
  const rights = useRights(team);
  return (
    <>
      <PageHeader title="Schedules" detail="Scheduled runs and their history">
        <ActionButton size="xs" whyNot={rights.whyNot("schedule/write")} onClick={() => change({ edit: "new", schedule: "" })}>
          Create schedule
        </ActionButton>
      </PageHeader>
      <div className={classes.bar}>
        <SegmentedControl
          size="xs"
          aria-label="View"
          data={views.map((value) => ({ value, label: viewNames[value] }))}
          value={place.view}
          onChange={(view) => change({ view })}
        />
        <div className={classes.grow} />
        <ScheduleFilters team={team} place={place} onPlace={change} />
      </div>
      <Content team={team} place={place} onPlace={change} />
      <SchedulePanel team={team} scheduleId={place.edit === "" ? place.schedule : ""} onPlace={change} />
      <EditPanel team={team} edit={place.edit} workflow={place.workflow} onPlace={change} />
    </>
  );
}

function Content({ team, place, onPlace }: { team: string; place: Place; onPlace: ChangePlace }) {
  const isList = place.view === "list";
  const { workflows, statuses, q } = place;
  const filter = { workflows, statuses, types: wireTypes(place.types), search: q };
  const query = useQuery(schedulesQuery(team, { ...filter, limit: isList ? 50 : maxCalendarSchedules, page: isList ? place.page : 0 }));
  const { data } = query;
  if (data === undefined) return <NotLoaded query={query} label="Loading schedules" />;
  const isFiltered = q !== "" || workflows.length + statuses.length + place.types.length > 0;
  if (data.totalElements === 0 && isFiltered)
    return (
      <NothingFound things="schedules" search={q} onClear={() => onPlace({ q: "", workflows: [], statuses: [], types: [], page: 0 })} />
    );
  if (data.totalElements === 0) return <Nothing onPlace={onPlace} team={team} />;
  if (!isList) return <CalendarView team={team} schedules={data.content} total={data.totalElements} place={place} onPlace={onPlace} />;
  return <ScheduleTable team={team} schedules={data.content} pageCount={data.totalPages} page={place.page} onPlace={onPlace} />;
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
