import { shorten } from "../../base/text/shorten.ts";
import { offsetSpans } from "./zone-offsets.ts";

/**
 * Between a zone's wall clock and the instants. A wall time is written as the seconds since 1970-01-01 00:00 on that clock,
 * whatever it was set to.
 *
 * Each wall time has one instant: when it comes twice the first one, and when a shift skips it the instant of the shift. So later
 * wall times never have earlier instants, and the next firing is that of the next wall time.
 */

/** Names that Intl knows from old systems. Most stand for several zones (IST: India, Israel, Ireland), so none of them is taken. */
const abbreviations = new Set(
  "ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST".split(" "),
);
const example = "give the name of a place, such as Europe/Berlin, or UTC";

/**
 * Why that is not a time zone for a schedule, and what would be; undefined when it is one. Names of the IANA database, old ones included.
 */
export function timeZoneFault(zone: string): string | undefined {
  if (zone.trim() === "") return `The time zone is empty; ${example}`;
  const shown = JSON.stringify(shorten(zone, 64));
  // An offset would be right for half of the year only. If you really want one, use Etc/GMT-2.
  if (/^(UTC|GMT)?[+-]\d/i.test(zone)) return `The time zone ${shown} is an offset, which knows no daylight saving time; ${example}`;
  if (abbreviations.has(zone.toUpperCase())) return `The time zone ${shown} has several meanings; ${example}`;
  if (!isKnown(zone)) return `There is no time zone ${shown}; ${example}`;
  return undefined;
}

function isKnown(zone: string): boolean {
  if (!/^[a-z][\w+-]*(\/[a-z][\w+-]*)*$/i.test(zone) || /^SystemV\//i.test(zone)) return false;
  try {
    offsetSpans(zone, 0, 0);
    return true;
  } catch {
    return false;
  }
}

/** No shift moves the clock by more than a day, and no clock is further than a day from UTC. */
const reachSeconds = 2 * 86_400;

/**
 * The instant at which a wall time counts.
 *
 * @returns seconds since the epoch
 * @throws RangeError for an unknown zone
 */
export function toInstant(timeZone: string, wallTime: number): number {
  const spans = offsetSpans(timeZone, wallTime - reachSeconds, wallTime + reachSeconds);
  for (const { start, end, offset } of spans) {
    // Before the first second of the span, though it comes after the last one of the span before: the shift skipped it.
    if (wallTime - offset < end) return Math.max(wallTime - offset, start);
  }
  throw new RangeError(`The wall time ${wallTime} lies beyond every offset of ${timeZone}`);
}

/**
 * The earliest wall time whose instant is later than the given one.
 *
 * @param instant seconds since the epoch
 * @throws RangeError for an unknown zone
 */
export function firstWallTimeAfter(timeZone: string, instant: number): number {
  let wallTime = Number.NEGATIVE_INFINITY;
  for (const { end, offset } of offsetSpans(timeZone, instant - reachSeconds, instant)) {
    // What the clock has shown before it was set back counts as over, though it shows it now once more.
    wallTime = Math.max(wallTime, Math.min(end, instant + 1) + offset);
  }
  return wallTime;
}
