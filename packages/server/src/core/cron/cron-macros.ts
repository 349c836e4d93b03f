import { CronSyntaxError, type Piece } from "./cron-field.ts";

const macros = new Map([
  ["@YEARLY", "0 0 1 1 *"],
  ["@ANNUALLY", "0 0 1 1 *"],
  ["@MONTHLY", "0 0 1 * *"],
  ["@WEEKLY", "0 0 * * 0"],
  ["@DAILY", "0 0 * * *"],
  ["@MIDNIGHT", "0 0 * * *"],
  ["@HOURLY", "0 * * * *"],
]);

/** What other programs understand and this one can't: each with the way out. */
const refused = new Map([
  ["@REBOOT", "a schedule knows times only; submit the workflow when your machine starts"],
  ["@EVERY", "write the interval as fields, such as */5 * * * * for every five minutes"],
]);

/** The five fields that a macro stands for; what is not a macro comes back as it is. */
export function expandMacro(pieces: readonly Piece[]): readonly Piece[] {
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
