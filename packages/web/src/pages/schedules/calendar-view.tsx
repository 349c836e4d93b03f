import { ActionIcon, Button, Group, Text } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { maxCalendarSchedules, type Schedule } from "../../api/queries/schedules.ts";
import { t } from "../../texts/schedules.ts";
import { dateFormat } from "../../ui/format.ts";
import { ErrorState } from "../../ui/state/not-loaded.tsx";
import { addMonths, monthWeeks, viewerWeekStart } from "../../ui/time/month-grid.ts";
import { addDays, dateText, dayOf, endOfDay, startOfDay, viewerZone } from "../../ui/time/zone-time.ts";
import { Agenda } from "./agenda.tsx";
import { MonthCalendar } from "./month-calendar.tsx";
import { useCalendar } from "./use-calendar.ts";
import type { ChangePlace, Place } from "./use-schedules-place.ts";

interface CalendarViewProps {
  team: string;
  schedules: readonly Schedule[];
  total: number;
  place: Place;
  onPlace: ChangePlace;
}

const agendaDays = 14;
const monthName = dateFormat({ month: "long", year: "numeric", timeZone: "UTC" });

/** A month or an agenda in the viewer's time zone: past times with their outcomes, and coming ones. */
export function CalendarView({ team, schedules, total, place, onPlace }: CalendarViewProps) {
  const timeZone = viewerZone();
  const weekStart = viewerWeekStart();
  const [present] = useState(Date.now);
  const isMonth = place.view === "month";
  const date = /^\d{4}-\d{2}-\d{2}$/.test(place.date) ? place.date : dayOf(timeZone, present);
  const weeks = monthWeeks(date.slice(0, 7), weekStart);
  const first = isMonth ? ((weeks[0] ?? [])[0] ?? date) : date;
  const last = isMonth ? (weeks.at(-1)?.at(-1) ?? date) : addDays(date, agendaDays - 1);
  const range = { from: startOfDay(timeZone, first), to: endOfDay(timeZone, last), present };
  const calendar = useCalendar(team, schedules, range, timeZone);
  const move = (count: number) =>
    onPlace({ date: isMonth ? `${addMonths(date.slice(0, 7), count)}-01` : addDays(date, count * agendaDays) });
  const heading = isMonth
    ? monthName.format(new Date(date))
    : t("calendarView.to", { date: dateText(timeZone, range.from), date2: dateText(timeZone, startOfDay(timeZone, last)) });
  return (
    <>
      <Group px="md" pb="xs" gap="xs">
        <ActionIcon
          variant="default"
          aria-label={isMonth ? t("calendarView.previousMonth") : t("calendarView.previousTwoWeeks")}
          onClick={() => move(-1)}
        >
          <IconChevronLeft size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={isMonth ? t("calendarView.nextMonth") : t("calendarView.nextTwoWeeks")}
          onClick={() => move(1)}
        >
          <IconChevronRight size={16} />
        </ActionIcon>
        <Button size="compact-sm" variant="default" h={28} onClick={() => onPlace({ date: "" })}>
          {t("calendarView.today")}
        </Button>
        <Text fw={500} aria-live="polite">
          {heading}
        </Text>
        <Text size="sm" className="quiet">
          {calendar.isLoading ? t("calendarView.loading") : t("calendarView.times", { timeZone })}
        </Text>
      </Group>
      <Remarks isPastCut={calendar.isPastCut} isComingCut={calendar.isComingCut} total={total} />
      {calendar.error ? <ErrorState error={calendar.error} /> : null}
      {isMonth ? (
        <MonthCalendar {...{ team, date, calendar, timeZone, weekStart }} onDate={(next) => onPlace({ date: next })} />
      ) : (
        <Agenda {...{ team, date, calendar, timeZone }} dayCount={agendaDays} />
      )}
    </>
  );
}

/** Says what is left out, so that an empty day isn't mistaken for one without times. */
function Remarks({ isPastCut, isComingCut, total }: { isPastCut: boolean; isComingCut: boolean; total: number }) {
  const remarks = [
    total > maxCalendarSchedules && t("calendarView.onlyFirstSchedulesShown", { maxCalendarSchedules, total }),
    isPastCut && t("calendarView.schedulesMoreThan1"),
    isComingCut && t("calendarView.schedulesMoreThan12"),
  ].filter((remark) => remark !== false);
  if (remarks.length === 0) return null;
  return (
    <Text size="sm" className="quiet" px="md" pb="xs">
      {remarks.join(" ")}
    </Text>
  );
}
