import { shorten } from "../../base/text/shorten.ts";
import { offsetSpans } from "./zone-offsets.ts";

/**
 * Converts between the local times of a zone and instants. A local (wall) time is written as the seconds since 1970-01-01 00:00 on that
 * clock, ignoring all changes of the clock.
 *
 * Each local time has one instant: the first one if it occurs twice, and the instant of the change if it is skipped. So later local times
 * never have earlier instants, and the next firing is that of the next matching local time.
 */

/** Names that Intl accepts from old systems. Most stand for several zones (IST: India, Israel, Ireland), so none is accepted here. */
const abbreviations = new Set(
  "ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST".split(" "),
);
const example = "give the name of a place, such as Europe/Berlin, or UTC";

/**
 * Why this is not a time zone for a schedule, with an alternative; undefined if it is one. Names of the IANA database, including old ones.
 */
export function timeZoneFault(zone: string): string | undefined {
  if (zone.trim() === "") return `The time zone is empty; ${example}`;
  const shown = JSON.stringify(shorten(zone, 64));
  // An offset would be right for only half of the year. Users who really want one can use Etc/GMT-2.
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

/** No change moves a clock by more than a day, and no local time is more than a day from UTC. */
const reachSeconds = 2 * 86_400;

/**
 * The instant that belongs to a local time.
 *
 * @returns seconds since the epoch
 * @throws RangeError for an unknown zone
 */
export function toInstant(timeZone: string, wallTime: number): number {
  const spans = offsetSpans(timeZone, wallTime - reachSeconds, wallTime + reachSeconds);
  for (const { start, end, offset } of spans) {
    // The local time is before the first second of this span, but after the last one of the span before: the change skipped it.
    if (wallTime - offset < end) return Math.max(wallTime - offset, start);
  }
  throw new RangeError(`The wall time ${wallTime} lies beyond every offset of ${timeZone}`);
}

/**
 * The earliest local time whose instant is later than the given one.
 *
 * @param instant seconds since the epoch
 * @throws RangeError for an unknown zone
 */
export function firstWallTimeAfter(timeZone: string, instant: number): number {
  let wallTime = Number.NEGATIVE_INFINITY;
  for (const { end, offset } of offsetSpans(timeZone, instant - reachSeconds, instant)) {
    // Times that the clock showed before it was set back are in the past, although it now shows them again.
    wallTime = Math.max(wallTime, Math.min(end, instant + 1) + offset);
  }
  return wallTime;
}
