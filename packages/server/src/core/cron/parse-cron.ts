import { CronSyntaxError, type Piece, quartzFields, unixFields } from "./cron-field.ts";
import { type DayRules, matchingDays } from "./month-days.ts";
import { parseDayOfMonth, parseDayOfWeek } from "./parse-days.ts";
import { parseValues } from "./parse-values.ts";

/** A parsed expression: plain data, which only next-firing.ts reads. All lists are in ascending order. */
export interface Cron {
  seconds: number[];
  minutes: number[];
  hours: number[];
  months: number[];
  days: DayRules;
  /** Null: every year. */
  years: number[] | null;
  /** Hour or minute begins with `*`: when clocks are changed, it follows elapsed time, as in Vixie cron. */
  isInterval: boolean;
}

/** Why an expression is refused: the field, the value and what is allowed. */
interface CronFault {
  message: string;
  /** Index of the error in the given text (0 is its first character). */
  position: number;
}

/** In characters; no legitimate expression comes near. */
const maximumLength = 250;

/**
 * Reads five fields as Unix cron does, six and seven as Quartz does, and the macros; docs/cron.md has the dialects. Never throws. An
 * expression for which no day exists is a fault. One whose years are all in the past is not, since the current time is unknown here: then
 * `nextFiring` finds nothing.
 */
export function parseCron(text: string): { cron: Cron } | { fault: CronFault } {
  try {
    return { cron: parse(text) };
  } catch (error) {
    if (error instanceof CronSyntaxError) return { fault: { message: error.message, position: error.position } };
    throw error;
  }
}

function parse(text: string): Cron {
  if (text.length > maximumLength) {
    throw new CronSyntaxError(`The expression has ${text.length} characters; it can have ${maximumLength}`, maximumLength);
  }
  const pieces = [...text.matchAll(/\S+/g)].map((match) => ({ text: toUpperCase(match[0]), position: match.index }));
  const fields = expandMacro(pieces);
  if (fields.length === 5) return parseUnix(fields);
  if (fields.length === 6 || fields.length === 7) return parseQuartz(fields);
  const found =
    fields.length === 0 ? "The expression is empty" : `The expression has ${fields.length} field${fields.length === 1 ? "" : "s"}`;
  const position = fields.length > 7 ? (fields[7] as Piece).position : text.trimEnd().length;
  throw new CronSyntaxError(
    `${found}; it needs 5 (minute, hour, day of month, month, day of week), 6 (a second before them) or 7 (a second before, a year after them)`,
    position,
  );
}

/** Converts only ASCII letters: others may become longer, and then positions would be wrong. */
function toUpperCase(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

function parseUnix(pieces: readonly Piece[]): Cron {
  const [minute, hour, dayOfMonth, month, dayOfWeek] = pieces as [Piece, Piece, Piece, Piece, Piece];
  // As in Vixie cron: a field that begins with a star, even with a step, restricts the other one instead of adding days to it.
  const must = /^[*?]/.test(dayOfMonth.text) || /^[*?]/.test(dayOfWeek.text) ? "both" : "either";
  const cron: Cron = {
    seconds: [0],
    minutes: parseValues(unixFields.minute, minute),
    hours: parseValues(unixFields.hour, hour),
    days: {
      ...parseDayOfMonth(unixFields.dayOfMonth, dayOfMonth),
      ...parseDayOfWeek(unixFields.dayOfWeek, dayOfWeek),
      must,
    },
    months: parseValues(unixFields.month, month),
    years: null,
    isInterval: isInterval(minute, hour),
  };
  refuseNeverFiring(cron, { dayOfMonth, month, dayOfWeek });
  return cron;
}

function parseQuartz(pieces: readonly Piece[]): Cron {
  const [second, minute, hour, dayOfMonth, month, dayOfWeek, year] = pieces as [Piece, Piece, Piece, Piece, Piece, Piece, Piece?];
  const cron: Cron = {
    seconds: parseValues(quartzFields.second, second),
    minutes: parseValues(quartzFields.minute, minute),
    hours: parseValues(quartzFields.hour, hour),
    days: {
      ...parseDayOfMonth(quartzFields.dayOfMonth, dayOfMonth),
      ...parseDayOfWeek(quartzFields.dayOfWeek, dayOfWeek),
      must: "both",
    },
    months: parseValues(quartzFields.month, month),
    years: year === undefined || year.text === "*" ? null : parseValues(quartzFields.year, year),
    isInterval: isInterval(minute, hour),
  };
  // Quartz refuses this too, and other programs differ in whether both or only one of them must match: a guess would fire on wrong days.
  if (!/^[*?]$/.test(dayOfMonth.text) && !/^[*?]$/.test(dayOfWeek.text)) {
    throw new CronSyntaxError(
      "day of week: with six or seven fields only one of day of month and day of week can be set; write ? for the other",
      dayOfWeek.position,
    );
  }
  refuseNeverFiring(cron, { dayOfMonth, month, dayOfWeek, year });
  return cron;
}

function isInterval(minute: Piece, hour: Piece): boolean {
  return minute.text.startsWith("*") || hour.text.startsWith("*");
}

/** 28 years in a row contain every length of a month starting on every weekday. */
const allShapesOfYears = Array.from({ length: 28 }, (_, index) => 2000 + index);

function refuseNeverFiring({ days, months, years }: Cron, { dayOfMonth, month, dayOfWeek, year }: DayPieces): void {
  const comesUp = (candidates: readonly number[]) =>
    candidates.some((year) => months.some((month) => matchingDays(days, year, month) !== 0));
  if (comesUp(years ?? allShapesOfYears)) return;
  if (year !== undefined && comesUp(allShapesOfYears)) {
    throw new CronSyntaxError(`The expression never fires: year ${year.text} has no such day; give other years, or *`, year.position);
  }
  throw new CronSyntaxError(
    `The expression never fires: day of month ${dayOfMonth.text}, month ${month.text} and day of week ${dayOfWeek.text} never occur together; ` +
      "give a day that exists, or L for the last one of a month",
    dayOfMonth.position,
  );
}

/** The fields that determine the days, as written. */
interface DayPieces {
  dayOfMonth: Piece;
  month: Piece;
  dayOfWeek: Piece;
  year?: Piece | undefined;
}

const macros = new Map([
  ["@YEARLY", "0 0 1 1 *"],
  ["@ANNUALLY", "0 0 1 1 *"],
  ["@MONTHLY", "0 0 1 * *"],
  ["@WEEKLY", "0 0 * * 0"],
  ["@DAILY", "0 0 * * *"],
  ["@MIDNIGHT", "0 0 * * *"],
  ["@HOURLY", "0 * * * *"],
]);

/** Syntax of other programs that is not supported here, each with an alternative. */
const refused = new Map([
  ["@REBOOT", "a schedule knows times only; submit the workflow when your machine starts"],
  ["@EVERY", "write the interval as fields, such as */5 * * * * for every five minutes"],
]);

/** The five fields that a macro stands for; anything that is not a macro is returned unchanged. */
function expandMacro(pieces: readonly Piece[]): readonly Piece[] {
  const [first, second] = pieces;
  if (first === undefined) return pieces;
  if (/^(CRON_)?TZ=/.test(first.text)) {
    throw new CronSyntaxError("An expression can't contain a time zone; set the time zone of the schedule instead", first.position);
  }
  if (!first.text.startsWith("@")) return pieces;
  const expansion = macros.get(first.text);
  if (expansion === undefined) throw unknownMacro(first);
  if (second !== undefined)
    throw new CronSyntaxError(
      `A macro such as ${first.text.toLowerCase()} must be the whole expression; leave out what follows`,
      second.position,
    );
  return expansion.split(" ").map((text) => ({ text, position: first.position }));
}

function unknownMacro({ text, position }: Piece): CronSyntaxError {
  const remedy = refused.get(text) ?? `it can be ${[...macros.keys()].join(", ").toLowerCase()}`;
  return new CronSyntaxError(`${JSON.stringify(text.toLowerCase())} is not supported; ${remedy}`, position);
}
