import { Anchor, MultiSelect, SegmentedControl, Text } from "@mantine/core";
import { type ScheduleType, scheduleStatuses } from "@millrace/contract/schedule.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { maxCalendarSchedules, type Schedule, schedulesQuery, workflowChoicesQuery } from "../../api/queries/schedules.ts";
import { ScheduleMark, statusWord, whenWords } from "../../components/schedule-words.tsx";
import { useRights } from "../../hooks/use-caller.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/schedules.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ListPage, NothingFound } from "../../ui/list/list-page.tsx";
import { SearchField } from "../../ui/list/search-field.tsx";
import { QueryView } from "../../ui/state/not-loaded.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { RowLink } from "../../ui/table/scroll-box.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { CalendarView } from "./calendar-view.tsx";
import { EditPanel } from "./edit-panel.tsx";
import { ScheduleMenu } from "./schedule-menu.tsx";
import { SchedulePanel } from "./schedule-panel.tsx";
import classes from "./schedules.module.css";
import { type ChangePlace, type Place, useSchedulesPlace, views } from "./use-schedules-place.ts";

const pageSize = 50;
const viewNames = { list: t("schedulesPage.list"), agenda: t("schedulesPage.agenda"), month: t("schedulesPage.month") } as const;

/** The schedules of a team as a list, an agenda or a month. One of them, or its form, is shown in a panel at the right. */
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
      title={t("schedulesPage.schedules")}
      detail={t("schedulesPage.scheduledRunsTheirHistory")}
      actions={
        <ActionButton size="xs" whyNot={rights.whyNot("schedule/write")} onClick={() => change({ edit: "new", schedule: "" })}>
          {t("schedulesPage.createSchedule")}
        </ActionButton>
      }
      filters={
        <>
          <SegmentedControl
            size="xs"
            aria-label={t("schedulesPage.view")}
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
      <QueryView query={query} label={t("schedulesPage.loadingSchedules")}>
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
      <NothingFound
        things={t("schedulesPage.schedules2")}
        search={q}
        onClear={() => onPlace({ q: "", workflows: [], statuses: [], types: [], page: 0 })}
      />
    );
  if (totalElements === 0) return <Nothing onPlace={onPlace} team={team} />;
  if (place.view === "list") return <ScheduleList team={team} schedules={content} onPlace={onPlace} />;
  return <CalendarView team={team} schedules={content} total={totalElements} place={place} onPlace={onPlace} />;
}

function Nothing({ team, onPlace }: { team: string; onPlace: ChangePlace }) {
  const rights = useRights(team);
  return (
    <EmptyState title={t("schedulesPage.noSchedulesYet")}>
      <Text className="quiet" maw={440}>
        {t("schedulesPage.scheduleRunsWorkflow")}
      </Text>
      <ActionButton whyNot={rights.whyNot("schedule/write")} onClick={() => onPlace({ edit: "new" })}>
        {t("schedulesPage.createFirstSchedule")}
      </ActionButton>
    </EmptyState>
  );
}

const statuses = scheduleStatuses.map((status) => ({ value: status, label: statusWord(status) }));
/** `cron` and `advancedCron` mean the same, so they are one choice. */
const types = [
  { value: "cron", label: t("schedulesPage.recurring") },
  { value: "runOnce", label: t("schedulesPage.oneTime") },
];

/** The filters for schedules, in every view. */
function ScheduleFilters({ team, place, onPlace }: { team: string; place: Place; onPlace: ChangePlace }) {
  const { data: workflows = [] } = useQuery(workflowChoicesQuery(team));
  const shared = { size: "xs", clearable: true, className: classes.filter ?? "", comboboxProps: { withinPortal: true } } as const;
  return (
    <>
      <SearchField
        label={t("schedulesPage.searchSchedules")}
        placeholder={t("schedulesPage.searchSchedulesPlaceholder")}
        width={200}
        value={place.q}
        onSearch={(q) => onPlace({ q, page: 0 })}
      />
      <MultiSelect
        {...shared}
        aria-label={t("schedulesPage.workflows")}
        placeholder={place.workflows.length === 0 ? t("schedulesPage.anyWorkflowPlaceholder") : ""}
        searchable
        data={workflows}
        value={place.workflows}
        onChange={(chosen) => onPlace({ workflows: chosen, page: 0 })}
        nothingFoundMessage={t("schedulesPage.noWorkflowName")}
      />
      <MultiSelect
        {...shared}
        aria-label={t("schedulesPage.statuses")}
        placeholder={place.statuses.length === 0 ? t("schedulesPage.anyStatusPlaceholder") : ""}
        data={statuses}
        value={place.statuses}
        onChange={(chosen) => onPlace({ statuses: chosen, page: 0 })}
      />
      <MultiSelect
        {...shared}
        aria-label={t("schedulesPage.types")}
        placeholder={place.types.length === 0 ? t("schedulesPage.anyTypePlaceholder") : ""}
        data={types}
        value={place.types}
        onChange={(chosen) => onPlace({ types: chosen, page: 0 })}
      />
    </>
  );
}

/** The type names of the API. */
function wireTypes(types: readonly string[]): ScheduleType[] {
  return types.flatMap((type): ScheduleType[] => (type === "cron" ? ["cron", "advancedCron"] : type === "runOnce" ? ["runOnce"] : []));
}

interface ScheduleListProps {
  team: string;
  schedules: readonly Schedule[];
  onPlace: ChangePlace;
}

/** The schedules with their next times and last outcomes. */
function ScheduleList({ team, schedules, onPlace }: ScheduleListProps) {
  const columns: Column<Schedule>[] = [
    {
      title: t("scheduleList.schedule"),
      cell: ({ id, name }) => (
        <RowLink to="." search={(before) => ({ ...before, schedule: id })}>
          {name}
        </RowLink>
      ),
    },
    {
      title: t("scheduleList.workflow"),
      cell: ({ workflowRef, workflowDisplayName: name }) => <QuietLink to={paths.workflow(team, workflowRef)}>{name}</QuietLink>,
    },
    { title: t("scheduleList.when"), cell: (schedule) => <When schedule={schedule} /> },
    { title: t("scheduleList.status"), kind: "short", cell: (schedule) => <ScheduleMark schedule={schedule} /> },
    {
      title: t("scheduleList.nextRun"),
      kind: "short",
      cell: ({ status, nextScheduleDate }) => <TimeText at={status === "active" ? nextScheduleDate : undefined} />,
    },
    { title: t("scheduleList.lastRun"), kind: "short", cell: (schedule) => <LastRun team={team} schedule={schedule} /> },
    {
      title: t("scheduleList.actions"),
      kind: "actions",
      cell: (schedule) => <ScheduleMenu team={team} schedule={schedule} onEdit={() => onPlace({ edit: schedule.id, schedule: "" })} />,
    },
  ];
  return <DataTable label={t("scheduleList.schedules")} minWidth={880} columns={columns} rows={schedules} keyOf={({ id }) => id} />;
}

function QuietLink({ to, children }: { to: string; children: React.ReactNode }) {
  return (
    <Anchor component={Link} to={to} inherit c="inherit" underline="hover">
      {children}
    </Anchor>
  );
}

function When({ schedule }: { schedule: Schedule }) {
  const words = whenWords(schedule);
  return (
    <>
      {words}
      <Text size="xs" className="quiet">
        {words !== schedule.cronSchedule && schedule.cronSchedule && <code>{schedule.cronSchedule} · </code>}
        {schedule.timezone}
      </Text>
    </>
  );
}

function LastRun({ team, schedule: { lastRunRef, lastScheduleDate } }: { team: string; schedule: Schedule }) {
  if (lastRunRef === undefined) return <span className="quiet">–</span>;
  return (
    <QuietLink to={paths.run(team, lastRunRef)}>
      <TimeText at={lastScheduleDate} />
    </QuietLink>
  );
}
