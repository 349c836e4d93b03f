import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { PageSearch } from "../../paths.ts";
import { t } from "../../texts/schedules.ts";
import { dateFormat } from "../../ui/format.ts";
import { PlaceLink } from "../../ui/page-header.tsx";
import { dayByKey, monthWeeks } from "../../ui/time/month-grid.ts";
import { dayOf } from "../../ui/time/zone-time.ts";
import { itemsOfDay } from "./calendar-entries.ts";
import { DayItemLink } from "./entry-parts.tsx";
import classes from "./schedules.module.css";
import type { CalendarData } from "./use-calendar.ts";

interface MonthCalendarProps {
  team: string;
  /** `YYYY-MM-DD`: the day with the keyboard focus; its month is shown. */
  date: string;
  onDate: (date: string) => void;
  calendar: CalendarData;
  timeZone: string;
  weekStart: number;
}

/** The number of lines per day; the agenda shows the rest. */
const mostLines = 3;
const weekday = dateFormat({ weekday: "short", timeZone: "UTC" });
const longDay = dateFormat({ weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });

/** A month as whole weeks. Arrow keys move between days, Page Up and Page Down between months, Tab moves into the times of a day. */
export function MonthCalendar({ team, date, onDate, calendar, timeZone, weekStart }: MonthCalendarProps) {
  const weeks = monthWeeks(date.slice(0, 7), weekStart);
  const grid = useRef<HTMLTableElement>(null);
  const isByKeyboard = useRef(false);
  // Focuses the day selected by keyboard once it is rendered.
  useEffect(() => {
    if (isByKeyboard.current) grid.current?.querySelector<HTMLElement>(`[data-day="${date}"]`)?.focus();
    isByKeyboard.current = false;
  }, [date]);
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const day = event.target instanceof HTMLElement ? event.target.dataset.day : undefined;
    const next = day === undefined ? undefined : dayByKey(event.key, day, weekStart);
    if (next === undefined) return;
    event.preventDefault();
    isByKeyboard.current = true;
    onDate(next);
  };
  return (
    <section className={classes.monthBox} aria-label={t("monthCalendar.month")}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a calendar is a grid of days */}
      <table className={classes.month} role="grid" ref={grid} onKeyDown={press} aria-label={date.slice(0, 7)}>
        <thead>
          <tr>
            {(weeks[0] ?? []).map((day) => (
              <th key={day} scope="col">
                {weekday.format(new Date(day))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <Day key={day} day={day} isChosen={day === date} month={date.slice(0, 7)} {...{ team, calendar, timeZone }} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface DayProps {
  team: string;
  day: string;
  isChosen: boolean;
  month: string;
  calendar: CalendarData;
  timeZone: string;
}

function Day({ team, day, isChosen, month, calendar, timeZone }: DayProps) {
  const isNarrow = useMediaQuery("(max-width: 48em)");
  const items = itemsOfDay(calendar.days.get(day) ?? []);
  const shown = items.slice(0, items.length > mostLines ? mostLines - 1 : mostLines);
  const today = dayOf(timeZone, Date.now());
  const toAgenda = (before: PageSearch): PageSearch => ({ ...before, view: "agenda", date: day });
  return (
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a day of the grid, one of which is selected
      role="gridcell"
      tabIndex={isChosen ? 0 : -1}
      data-day={day}
      data-other={!day.startsWith(month) || undefined}
      data-today={day === today || undefined}
      aria-selected={isChosen}
    >
      <Link
        to="."
        search={toAgenda}
        className={classes.dayNumber}
        tabIndex={-1}
        aria-label={t(day === today ? "monthCalendar.agendaToday" : "monthCalendar.agenda", { day: longDay.format(new Date(day)) })}
      >
        {Number(day.slice(8))}
      </Link>
      {!isNarrow &&
        shown.map((item) => (
          <DayItemLink key={item.one?.at ?? `${item.bunch?.first} all`} {...{ team, item, timeZone }} runs={calendar.runs} />
        ))}
      {(isNarrow ? items.length > 0 : items.length > shown.length) && (
        <Button component={PlaceLink} to="." search={toAgenda} size="compact-xs" variant="subtle" className={classes.more}>
          {isNarrow ? items.length : t("monthCalendar.more", { count: items.length - shown.length })}
        </Button>
      )}
    </td>
  );
}
