import { Anchor, Table, Text } from "@mantine/core";
import { t } from "../../texts/schedules.ts";
import { PlaceLink } from "../../ui/page-header.tsx";
import { addDays, clockText, dateText, dayOf, offsetAt, startOfDay, zoneShort } from "../../ui/time/zone-time.ts";
import { type Bunch, type DayItem, itemsOfDay } from "./calendar-entries.ts";
import { bunchWords, EntryMark, Outcome, worstKind } from "./entry-parts.tsx";
import classes from "./schedules.module.css";
import type { CalendarData, RunEnd } from "./use-calendar.ts";

interface AgendaProps {
  team: string;
  /** The first day to show. */
  date: string;
  dayCount: number;
  calendar: CalendarData;
  timeZone: string;
}

/**
 * The scheduled times of several days, each with its outcome. Days without any are left out. Like the month and the tasks of a run, it
 * doesn't use the table of ui/: that table needs sortable columns, a name in each row and rows of one height.
 */
export function Agenda({ team, date, dayCount, calendar, timeZone }: AgendaProps) {
  const days = Array.from({ length: dayCount }, (_, index) => addDays(date, index)).filter((day) => calendar.days.has(day));
  const today = dayOf(timeZone, Date.now());
  if (days.length === 0)
    return (
      <Text p="md" className="quiet">
        {t("agenda.noScheduledTimesDays", { dayCount, date: dateText(timeZone, startOfDay(timeZone, date)) })}
      </Text>
    );
  return days.map((day) => (
    <section key={day} aria-label={dateText(timeZone, startOfDay(timeZone, day))}>
      <h2 className={classes.agendaDay} data-today={day === today || undefined}>
        {dateText(timeZone, startOfDay(timeZone, day))}
        {day === today && <span className="quiet"> {t("agenda.today")}</span>}
      </h2>
      <div className={classes.scroll}>
        <Table verticalSpacing={4} highlightOnHover>
          <Table.Tbody>
            {itemsOfDay(calendar.days.get(day) ?? [], 6).map((item) => (
              <AgendaRow key={rowKey(item)} {...{ team, item, timeZone }} runs={calendar.runs} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  ));
}

function rowKey({ one, bunch }: DayItem): string {
  return one ? `${one.schedule.id} ${one.at}` : bunch.schedule.id;
}

interface RowProps {
  team: string;
  item: DayItem;
  runs: ReadonlyMap<string, RunEnd>;
  timeZone: string;
}

function AgendaRow({ team, item, runs, timeZone }: RowProps) {
  const schedule = item.one?.schedule ?? item.bunch?.schedule;
  const at = item.one?.at ?? item.bunch?.first;
  if (schedule === undefined || at === undefined) return null;
  return (
    <Table.Tr className={classes.agendaRow}>
      <Table.Td className={classes.agendaClock}>
        <time dateTime={at}>
          {clockText(timeZone, at)}
          {item.bunch && `–${clockText(timeZone, item.bunch.last)}`}
        </time>
        <OwnZone at={at} zone={schedule.timezone} viewer={timeZone} />
      </Table.Td>
      <Table.Td className={classes.agendaName}>
        <Anchor inherit component={PlaceLink} to="." search={(before) => ({ ...before, schedule: schedule.id })}>
          {schedule.name}
        </Anchor>
        {schedule.name !== schedule.workflowRef && <span className="quiet"> {schedule.workflowDisplayName}</span>}
      </Table.Td>
      <Table.Td>{item.one ? <Outcome team={team} entry={item.one} runs={runs} /> : <BunchOutcome bunch={item.bunch} />}</Table.Td>
    </Table.Tr>
  );
}

/** The time in the schedule's time zone, if it differs from the viewer's. */
function OwnZone({ at, zone, viewer }: { at: string; zone: string; viewer: string }) {
  if (offsetAt(zone, Date.parse(at)) === offsetAt(viewer, Date.parse(at))) return null;
  return (
    <span className={`quiet ${classes.ownZone}`} title={zone}>
      {clockText(zone, at)} {zoneShort(zone, at)}
    </span>
  );
}

function BunchOutcome({ bunch }: { bunch: Bunch }) {
  return (
    <span className={classes.outcome}>
      <EntryMark kind={worstKind(bunch)} isBare />
      {bunchWords(bunch)}
    </span>
  );
}
