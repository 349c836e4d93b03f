import { type CronField, CronSyntaxError, type Piece, splitPiece } from "./cron-field.ts";
import type { DayRules } from "./month-days.ts";
import { ascending, parseItem, parseValue } from "./parse-values.ts";

type DateRules = Pick<DayRules, "monthDays" | "nearWeekdays" | "beforeLast" | "nearWeekdaysBeforeLast">;
type WeekdayRules = Pick<DayRules, "weekdays" | "lastWeekdays" | "countedWeekdays">;

/** The day of month: values, and also `L`, `L-3`, `LW`, `L-3W` and `15W`, alone or in a list. `?` is the same as `*`. */
export function parseDayOfMonth(field: CronField, piece: Piece): DateRules {
  const rules: DateRules = { monthDays: [], nearWeekdays: [], beforeLast: [], nearWeekdaysBeforeLast: [] };
  for (const item of items(piece)) addDayOfMonth(rules, field, item);
  return { ...rules, monthDays: ascending(rules.monthDays) };
}

function addDayOfMonth(rules: DateRules, field: CronField, item: Piece): void {
  const last = /^L(?:-(\d+))?(W?)$/.exec(item.text);
  const near = /^(\d+)W$/.exec(item.text);
  if (last) {
    const before = parseDaysBefore(last[1], item);
    (last[2] ? rules.nearWeekdaysBeforeLast : rules.beforeLast).push(before);
  } else if (near) {
    rules.nearWeekdays.push(parseValue(field, { text: near[1] as string, position: item.position }));
  } else {
    refuseMisplaced(field, item, "W", "must follow a single day, such as 15W, or L, as in LW");
    refuseMisplaced(field, item, "L", "must be L, LW, or L with a number of days, such as L-3");
    refuseMisplaced(field, item, "#", "belongs in day of week, such as FRI#2");
    rules.monthDays.push(...parseItem(field, item));
  }
}

function parseDaysBefore(digits: string | undefined, { text, position }: Piece): number {
  const days = Number(digits ?? 0);
  if (days <= 30) return days;
  throw new CronSyntaxError(`day of month ${text} is out of range; it can be L-1 to L-30`, position + 2);
}

/** The day of week: values, and also `6L` or `FRIL` and `6#3` or `FRI#3`, alone or in a list. `?` is the same as `*`. */
export function parseDayOfWeek(field: CronField, piece: Piece): WeekdayRules {
  const rules: WeekdayRules = { weekdays: [], lastWeekdays: [], countedWeekdays: [] };
  for (const item of items(piece)) addDayOfWeek(rules, field, item);
  return { ...rules, weekdays: ascending(rules.weekdays) };
}

function addDayOfWeek(rules: WeekdayRules, field: CronField, item: Piece): void {
  const weekday = (value: number) => (value - field.min) % 7;
  const [day, count, tooMuch] = splitPiece(item, "#") as [Piece, Piece?, Piece?];
  if (count !== undefined) {
    if (!/^[1-5]$/.test(count.text) || tooMuch) throw badCount(count);
    rules.countedWeekdays.push({ weekday: weekday(parseValue(field, day)), count: Number(count.text) });
  } else if (/^\w+L$/.test(item.text)) {
    rules.lastWeekdays.push(weekday(parseValue(field, { text: item.text.slice(0, -1), position: item.position })));
  } else if (item.text === "L" && field.min === 1) {
    rules.weekdays.push(6);
  } else {
    refuseMisplaced(field, item, "L", "must follow a day of the week, such as FRIL for the last Friday");
    rules.weekdays.push(...parseItem(field, item).map(weekday));
  }
}

function badCount({ position }: Piece): CronSyntaxError {
  return new CronSyntaxError("day of week: after # give its number in the month, 1 to 5, such as FRI#2 for the second Friday", position);
}

function items(piece: Piece): Piece[] {
  return piece.text === "?" ? [{ ...piece, text: "*" }] : splitPiece(piece, ",");
}

function refuseMisplaced(field: CronField, { text, position }: Piece, letter: string, place: string): void {
  const index = text.indexOf(letter);
  if (index >= 0) throw new CronSyntaxError(`${field.name} ${JSON.stringify(text)} is invalid; ${letter} ${place}`, position + index);
}
