import { t } from "../../texts/ui.ts";
import { dateFormat, decimalText, distanceFormat } from "../format.ts";

/** Times and durations for display, in the viewer's language and time zone. */

const exact = dateFormat({ dateStyle: "medium", timeStyle: "long" });
const relative = distanceFormat({ numeric: "auto", style: "short" });
/** "next yr" is no time to go by. */
const counted = distanceFormat({ numeric: "always", style: "short" });

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** @param at ISO 8601 */
export function exactTime(at: string): string {
  return exact.format(new Date(at));
}

/** A sentence from the service with its times converted to the viewer's time zone. */
export function withOwnTimes(sentence: string): string {
  return sentence.replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, exactTime);
}

/** @param nowMs milliseconds since the epoch */
export function relativeTime(at: string, nowMs: number): string {
  const distance = new Date(at).getTime() - nowMs;
  const unit = units.find(([, size]) => Math.abs(distance) >= size);
  if (unit === undefined) return distance > 10_000 ? t("timeFormat.lessThanMinute") : t("timeFormat.justNow");
  // "5 min. ago": without the full stop of the abbreviation, which reads as the end of a sentence.
  const format = unit[0] === "month" || unit[0] === "year" ? counted : relative;
  return format.format(Math.round(distance / unit[1]), unit[0]).replace(/\.(?= |$)/g, "");
}

/** `820 ms`, `4.2 s`, `3 min 5 s`, `2 h 4 min`, `3 d 2 h`. */
export function durationText(ms: number): string {
  if (ms < 1000) return t("timeFormat.ms", { ms: Math.round(ms) });
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds < 10 ? decimalText(seconds, 1) : Math.round(seconds)} s`;
  const pair = (big: number, bigUnit: string, small: number, smallUnit: string) =>
    small === 0 ? `${big} ${bigUnit}` : `${big} ${bigUnit} ${small} ${smallUnit}`;
  const whole = Math.round(seconds);
  if (whole < 3600) return pair(Math.floor(whole / 60), "min", whole % 60, "s");
  if (whole < 86_400) return pair(Math.floor(whole / 3600), "h", Math.floor((whole % 3600) / 60), "min");
  return pair(Math.floor(whole / 86_400), "d", Math.floor((whole % 86_400) / 3600), "h");
}
