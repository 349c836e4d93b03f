/** Which days of a month fire, from day of month and day of week together. Plain data; weekdays count from 0 = Sunday. */
export interface DayRules {
  monthDays: number[];
  /** `15W`: the weekday (Monday to Friday) nearest to these days, never in another month. */
  nearWeekdays: number[];
  /** `L` is 0, `L-3` is 3: so many days before the last day. */
  beforeLast: number[];
  /** `LW` is 0: the weekday (Monday to Friday) nearest to the day that is so many days before the last one. */
  nearWeekdaysBeforeLast: number[];
  weekdays: number[];
  /** `FRIL`: the last such day of the month. */
  lastWeekdays: number[];
  /** `FRI#2`: the second such day of the month. */
  countedWeekdays: { weekday: number; count: number }[];
  /** Whether a day must match both the day of month and the day of week, or only one of them. */
  must: "both" | "either";
}

/**
 * The days of a month that fire, as bits: bit 0 is the first day.
 *
 * @param month 1 to 12
 */
export function matchingDays(rules: DayRules, year: number, month: number): number {
  const shape = monthShape(year, month);
  const byDate = dateBits(rules, shape);
  const byWeekday = weekdayBits(rules, shape);
  return rules.must === "both" ? byDate & byWeekday : byDate | byWeekday;
}

interface MonthShape {
  /** 28 to 31. */
  length: number;
  /** The weekday of the first day. */
  firstWeekday: number;
}

function monthShape(year: number, month: number): MonthShape {
  return {
    length: new Date(Date.UTC(year, month, 0)).getUTCDate(),
    firstWeekday: new Date(Date.UTC(year, month - 1, 1)).getUTCDay(),
  };
}

function dateBits(rules: DayRules, shape: MonthShape): number {
  let bits = 0;
  for (const day of rules.monthDays) bits |= dayBit(day, shape);
  for (const before of rules.beforeLast) bits |= dayBit(shape.length - before, shape);
  for (const day of rules.nearWeekdays) bits |= nearWeekdayBit(day, shape);
  for (const before of rules.nearWeekdaysBeforeLast) bits |= nearWeekdayBit(shape.length - before, shape);
  return bits;
}

function weekdayBits(rules: DayRules, shape: MonthShape): number {
  let bits = 0;
  for (const weekday of rules.weekdays) {
    for (let day = firstDayOn(weekday, shape); day <= shape.length; day += 7) bits |= dayBit(day, shape);
  }
  for (const weekday of rules.lastWeekdays) {
    const first = firstDayOn(weekday, shape);
    bits |= dayBit(first + 28 <= shape.length ? first + 28 : first + 21, shape);
  }
  for (const { weekday, count } of rules.countedWeekdays) bits |= dayBit(firstDayOn(weekday, shape) + 7 * (count - 1), shape);
  return bits;
}

/** No bit for a day that the month does not have. */
function dayBit(day: number, { length }: MonthShape): number {
  return day >= 1 && day <= length ? 1 << (day - 1) : 0;
}

function firstDayOn(weekday: number, { firstWeekday }: MonthShape): number {
  return 1 + ((weekday - firstWeekday + 7) % 7);
}

function nearWeekdayBit(day: number, shape: MonthShape): number {
  if (dayBit(day, shape) === 0) return 0;
  const weekday = (shape.firstWeekday + day - 1) % 7;
  if (weekday === 6) return dayBit(day > 1 ? day - 1 : day + 2, shape);
  if (weekday === 0) return dayBit(day < shape.length ? day + 1 : day - 2, shape);
  return dayBit(day, shape);
}
