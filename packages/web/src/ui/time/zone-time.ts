import { locale } from "../../texts/language.ts";

/** Days and times in a time zone. A day is `YYYY-MM-DD`: such texts compare like the days. */

const dayMs = 86_400_000;

/** The IANA name of the browser's time zone. */
export function viewerZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format is slow, and a month needs hundreds. */
function formatOf(timeZone: string, name: string, options: Intl.DateTimeFormatOptions, inLocale = locale): Intl.DateTimeFormat {
  const key = `${timeZone} ${name}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(inLocale, { ...options, timeZone });
  formats.set(key, known);
  return known;
}

function wallClock(timeZone: string, at: number): number {
  const options = { hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;
  const parts = formatOf(timeZone, "parts", { ...options, second: "numeric" }, "en-US").formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
}

/** The zone's offset from UTC, in milliseconds. */
export function offsetAt(timeZone: string, at: number): number {
  return wallClock(timeZone, at) - Math.floor(at / 1000) * 1000;
}

/** The day in the time zone. */
export function dayOf(timeZone: string, at: number | string): string {
  return new Date(wallClock(timeZone, new Date(at).getTime())).toISOString().slice(0, 10);
}

/** `YYYY-MM-DDTHH:mm` in the time zone, in the format of date input fields. */
export function localText(timeZone: string, at: string): string {
  return new Date(wallClock(timeZone, new Date(at).getTime())).toISOString().slice(0, 16);
}

/** The first moment of a day: midnight, or later if the clocks skip it. */
export function startOfDay(timeZone: string, day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const candidates = [-dayMs, dayMs].map((away) => midnight - offsetAt(timeZone, midnight + away)).sort((a, b) => a - b);
  for (const at of candidates) if (wallClock(timeZone, at) === midnight) return at;
  // Midnight is skipped: the day begins at the later candidate.
  return candidates.at(-1) as number;
}

/** The last moment of a day; some days have 23 or 25 hours. */
export function endOfDay(timeZone: string, day: string): number {
  return startOfDay(timeZone, addDays(day, 1)) - 1;
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10);
}

/** `08:00`, with seconds if there are any. */
export function clockText(timeZone: string, at: string): string {
  const withSeconds = new Date(at).getUTCSeconds() !== 0;
  const options: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  return formatOf(timeZone, `clock ${withSeconds}`, withSeconds ? { ...options, second: "2-digit" } : options, "en-GB").format(
    new Date(at),
  );
}

/** `Mon 30 Mar 2031`, `Mo., 30. März 2031`. */
export function dateText(timeZone: string, at: string | number): string {
  const options: Intl.DateTimeFormatOptions = { weekday: "short", day: "numeric", month: "short", year: "numeric" };
  return formatOf(timeZone, "date", options).format(new Date(at));
}

/** Each language has abbreviations only for the time zones of its own countries: `CET` is British English, `EST` American. */
const languages = ["en-GB", "en-US", "en-AU", "en-CA", "en-IN"];

/** `CET`, or `GMT+9` if the zone has no abbreviation. */
export function zoneShort(timeZone: string, at: string | number): string {
  const names = languages.map((language) => {
    const parts = formatOf(timeZone, `zone ${language}`, { timeZoneName: "short" }, language).formatToParts(new Date(at));
    return parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
  });
  return names.find((name) => /^[A-Z]+$/.test(name)) ?? names[0] ?? timeZone;
}
