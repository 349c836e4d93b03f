import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firingsBetween } from "./next-firing.ts";
import { parseCron } from "./parse-cron.ts";

/**
 * Compares the engine with an independent implementation: random expressions are generated together with their meaning, and each is tested
 * against every single minute (or second) of some weeks, with the local time read from Intl field by field.
 */

/** What a clock and a calendar show at a moment. */
interface Shown {
  second: number;
  minute: number;
  hour: number;
  day: number;
  month: number;
  /** 0 is Sunday. */
  weekday: number;
  year: number;
  monthLength: number;
}

/** A field and what it means. */
interface Meaning {
  text: string;
  holds(shown: Shown): boolean;
}

type Read = (shown: Shown) => number;

/** @param highest greater than `max` only for Unix weekdays, where 7 is Sunday, too */
function entry(min: number, max: number, highest: number, read: Read): fc.Arbitrary<Meaning> {
  const length = max - min + 1;
  const any = fc.integer({ min, max: highest });
  const step = fc.integer({ min: 1, max: length });
  const distance = (from: number, to: number) => (((to - from) % length) + length) % length;
  const reaches = (from: number, to: number, value: number) => distance(from, value) <= distance(from, to);
  const start = (value: number) => (value > max ? value - length : value);
  return fc.oneof(
    any.map((value) => ({ text: `${value}`, holds: (shown: Shown) => distance(value, read(shown)) === 0 })),
    fc
      .tuple(any, any)
      .filter(([from, to]) => to - from < length)
      .map(([from, to]) => ({ text: `${from}-${to}`, holds: (shown: Shown) => reaches(from, to, read(shown)) })),
    step.map((by) => ({ text: `*/${by}`, holds: (shown: Shown) => (read(shown) - min) % by === 0 })),
    fc.tuple(any, step).map(([from, by]) => ({
      text: `${from}/${by}`,
      holds: (shown: Shown) => read(shown) >= start(from) && (read(shown) - start(from)) % by === 0,
    })),
    fc
      .tuple(any, any, step)
      .filter(([from, to]) => to - from < length)
      .map(([from, to, by]) => ({
        text: `${from}-${to}/${by}`,
        holds: (shown: Shown) => reaches(from, to, read(shown)) && distance(from, read(shown)) % by === 0,
      })),
  );
}

/** A whole expression. */
interface Expression extends Meaning {
  /** It follows elapsed time, since its hour or minute begins with a star. */
  isInterval: boolean;
}

const begins = (...fields: Meaning[]) => fields.some(({ text }) => text.startsWith("*"));

const star: Meaning = { text: "*", holds: () => true };

function listOf(entries: fc.Arbitrary<Meaning>): fc.Arbitrary<Meaning> {
  const list = fc.array(entries, { minLength: 1, maxLength: 3 }).map((parts) => ({
    text: parts.map(({ text }) => text).join(","),
    holds: (shown: Shown) => parts.some((part) => part.holds(shown)),
  }));
  return fc.oneof({ weight: 2, arbitrary: fc.constant(star) }, { weight: 3, arbitrary: list });
}

const field = (min: number, max: number, read: Read) => listOf(entry(min, max, max, read));

const weekdayOn = (day: number, shown: Shown) => (((shown.weekday + day - shown.day) % 7) + 7) % 7;

function isNearestWeekday(wanted: number, shown: Shown): boolean {
  if (wanted < 1 || wanted > shown.monthLength) return false;
  let nearest = Number.POSITIVE_INFINITY;
  for (let day = 1; day <= shown.monthLength; day += 1) {
    const isWorkday = weekdayOn(day, shown) !== 0 && weekdayOn(day, shown) !== 6;
    if (isWorkday && Math.abs(day - wanted) < Math.abs(nearest - wanted)) nearest = day;
  }
  return nearest === shown.day;
}

const dayOfMonth = listOf(
  fc.oneof(
    { weight: 3, arbitrary: entry(1, 31, 31, ({ day }) => day) },
    fc.constant<Meaning>({ text: "L", holds: ({ day, monthLength }) => day === monthLength }),
    fc.constant<Meaning>({ text: "LW", holds: (shown) => isNearestWeekday(shown.monthLength, shown) }),
    fc
      .integer({ min: 1, max: 27 })
      .map((before): Meaning => ({ text: `L-${before}`, holds: ({ day, monthLength }) => day === monthLength - before })),
    fc.integer({ min: 1, max: 31 }).map((day): Meaning => ({ text: `${day}W`, holds: (shown) => isNearestWeekday(day, shown) })),
  ),
);

/** @param sunday its number in the dialect */
function dayOfWeek(sunday: 0 | 1): fc.Arbitrary<Meaning> {
  const weekday = fc.integer({ min: 0, max: 6 });
  return listOf(
    fc.oneof(
      { weight: 3, arbitrary: entry(sunday, sunday + 6, 7, (shown) => shown.weekday + sunday) },
      weekday.map(
        (wanted): Meaning => ({
          text: `${wanted + sunday}L`,
          holds: (shown) => shown.weekday === wanted && shown.day + 7 > shown.monthLength,
        }),
      ),
      fc.tuple(weekday, fc.integer({ min: 1, max: 5 })).map(
        ([wanted, count]): Meaning => ({
          text: `${wanted + sunday}#${count}`,
          holds: ({ weekday, day }) => weekday === wanted && Math.floor((day - 1) / 7) + 1 === count,
        }),
      ),
    ),
  );
}

const minute = field(0, 59, (shown) => shown.minute);
const hour = field(0, 23, (shown) => shown.hour);
const month = field(1, 12, (shown) => shown.month);

const unix: fc.Arbitrary<Expression> = fc.tuple(minute, hour, dayOfMonth, month, dayOfWeek(0)).map(([minute, hour, dom, month, dow]) => {
  const isEither = !dom.text.startsWith("*") && !dow.text.startsWith("*");
  const isDay = (shown: Shown) => (isEither ? dom.holds(shown) || dow.holds(shown) : dom.holds(shown) && dow.holds(shown));
  return {
    text: [minute, hour, dom, month, dow].map(({ text }) => text).join(" "),
    isInterval: begins(minute, hour),
    holds: (shown) => shown.second === 0 && minute.holds(shown) && hour.holds(shown) && month.holds(shown) && isDay(shown),
  };
});

const question: Meaning = { ...star, text: "?" };
const days = fc.oneof(
  dayOfMonth.map((day) => [day, question] as const),
  dayOfWeek(1).map((day) => [question, day] as const),
);
const quartz: fc.Arbitrary<Expression> = fc
  .tuple(
    field(0, 59, (shown) => shown.second),
    minute,
    hour,
    days,
    month,
  )
  .map(([second, minute, hour, [dom, dow], month]) => {
    const all = [second, minute, hour, dom, month, dow];
    const holds = (shown: Shown) => all.every((part) => part.holds(shown));
    return { text: all.map(({ text }) => text).join(" "), isInterval: begins(minute, hour), holds };
  });

/** One moment of the walk: what the clock shows, and which times it has skipped since the last moment. */
interface Moment {
  ms: number;
  now: Shown;
  /** Empty while the clock shows times for the second time. */
  news: Shown[];
}

function walk(zone: string, from: string, to: string, stepMs: number): Moment[] {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    ...({ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" } as const),
  });
  const read = (ms: number) => {
    const [month, day, year, hour, minute, second] = format.format(ms).match(/\d+/g)!.map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  const moments: Moment[] = [];
  let latest = read(Date.parse(from)) - stepMs;
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += stepMs) {
    const news: Shown[] = [];
    for (const now = read(ms); latest < now; latest += stepMs) news.push(show(latest + stepMs));
    moments.push({ ms, now: show(read(ms)), news });
  }
  return moments;
}

function show(wallMs: number): Shown {
  const date = new Date(wallMs);
  return {
    second: date.getUTCSeconds(),
    minute: date.getUTCMinutes(),
    hour: date.getUTCHours(),
    day: date.getUTCDate(),
    month: date.getUTCMonth() + 1,
    weekday: date.getUTCDay(),
    year: date.getUTCFullYear(),
    monthLength: new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate(),
  };
}

function compare(meaning: Expression, zone: string, moments: readonly Moment[]): void {
  const fires = meaning.isInterval
    ? ({ now }: Moment) => meaning.holds(now)
    : ({ news }: Moment) => news.some((shown) => meaning.holds(shown));
  const wanted = moments.filter(fires).map(({ ms }) => ms);
  const result = parseCron(meaning.text);
  if ("fault" in result) {
    expect([meaning.text, result.fault.message, wanted]).toEqual([meaning.text, expect.stringMatching(/never fires/), []]);
    return;
  }
  const [from, to] = [moments[0], moments.at(-1)].map((moment) => new Date(moment!.ms)) as [Date, Date];
  const found = firingsBetween(result.cron, zone, from, to, Number.POSITIVE_INFINITY).map(Number);
  expect({ text: meaning.text, found }).toEqual({ text: meaning.text, found: wanted });
}

describe("minute by minute, Unix expressions fire as they mean", () => {
  test.each([
    ["UTC", "2028-02-26T00:00Z", "2028-03-04T00:00Z"],
    ["Europe/Berlin", "2026-03-27T12:00Z", "2026-04-01T12:00Z"],
    ["Europe/Berlin", "2026-10-23T12:00Z", "2026-10-28T00:00Z"],
    ["America/New_York", "2026-10-30T00:00Z", "2026-11-03T00:00Z"],
    ["Australia/Lord_Howe", "2026-04-03T00:00Z", "2026-04-07T00:00Z"],
    ["Australia/Lord_Howe", "2026-10-02T00:00Z", "2026-10-06T00:00Z"],
    ["Pacific/Apia", "2011-12-28T00:00Z", "2012-01-02T00:00Z"],
    ["America/Sao_Paulo", "2018-11-02T00:00Z", "2018-11-06T00:00Z"],
    ["America/Recife", "2000-10-06T00:00Z", "2000-10-17T00:00Z"],
  ])("in %s from %s to %s", (zone, from, to) => {
    const moments = walk(zone, from, to, 60_000);
    fc.assert(
      fc.property(unix, (meaning) => compare(meaning, zone, moments)),
      { numRuns: 50 },
    );
  });
});

describe("second by second, Quartz expressions fire as they mean", () => {
  test.each([
    ["Europe/Berlin", "2026-03-28T23:30Z", "2026-03-29T02:30Z"],
    ["Europe/Berlin", "2026-10-24T23:30Z", "2026-10-25T02:30Z"],
    ["Australia/Lord_Howe", "2026-10-03T14:30Z", "2026-10-03T17:30Z"],
    ["UTC", "2026-12-31T22:30Z", "2027-01-01T01:30Z"],
  ])("in %s from %s to %s", (zone, from, to) => {
    const moments = walk(zone, from, to, 1000);
    fc.assert(
      fc.property(quartz, (meaning) => compare(meaning, zone, moments)),
      { numRuns: 50 },
    );
  });
});
