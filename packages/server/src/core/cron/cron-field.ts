/** One field of a cron expression: its name in messages, and its allowed values. */
export interface CronField {
  name: string;
  min: number;
  /** The last value of the cycle; after it a range that wraps continues with `min`. */
  max: number;
  /** The largest accepted number: 7 for Unix weekdays, where it also means Sunday; otherwise `max`. */
  highest: number;
  /** Upper case; the first word stands for `min`. */
  words: readonly string[];
  /** The allowed values, for messages. */
  allowed: string;
  /** Hours repeat, years do not. */
  isCircular: boolean;
}

/** A part of the expression in upper case, and its position in the given text. */
export interface Piece {
  text: string;
  position: number;
}

/** Thrown where the expression becomes invalid; parseCron turns it into a fault. */
export class CronSyntaxError extends Error {
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.name = "CronSyntaxError";
    this.position = position;
  }
}

/** The years that an expression may name; it never fires in any others. */
export const firstYear = 1970;
export const lastYear = 2199;

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const weekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

function numeric(name: string, min: number, max: number): CronField {
  return { name, min, max, highest: max, words: [], allowed: `${min} to ${max}`, isCircular: true };
}

const minute = numeric("minute", 0, 59);
const hour = numeric("hour", 0, 23);
const dayOfMonth = numeric("day of month", 1, 31);
const month: CronField = { ...numeric("month", 1, 12), words: months, allowed: "1 to 12 or JAN to DEC" };
const dayOfWeek = { name: "day of week", words: weekdays, isCircular: true };

/** Five fields: Sunday is 0 or 7. */
export const unixFields = {
  minute,
  hour,
  dayOfMonth,
  month,
  dayOfWeek: { ...dayOfWeek, min: 0, max: 6, highest: 7, allowed: "0 (Sunday) to 6 (Saturday), 7 (Sunday) or SUN to SAT" } as CronField,
};

/** Six and seven fields: Sunday is 1. */
export const quartzFields = {
  second: numeric("second", 0, 59),
  minute,
  hour,
  dayOfMonth,
  month,
  dayOfWeek: { ...dayOfWeek, min: 1, max: 7, highest: 7, allowed: "1 (Sunday) to 7 (Saturday) or SUN to SAT" } as CronField,
  year: { ...numeric("year", firstYear, lastYear), isCircular: false },
};

/** The parts between the separators, each with its position. */
export function splitPiece({ text, position }: Piece, separator: string): Piece[] {
  let next = position;
  return text.split(separator).map((part) => {
    const piece = { text: part, position: next };
    next += part.length + separator.length;
    return piece;
  });
}
