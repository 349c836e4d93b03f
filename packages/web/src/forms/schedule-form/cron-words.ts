import { listText } from "../../texts/language.ts";
import { t } from "../../texts/schedules.ts";
import { dateFormat } from "../../ui/format.ts";

/**
 * Describes common cron expressions in words; undefined where words would be longer or less exact than the expression itself. This is only
 * an explanation: the service decides what is valid and when it fires.
 */
export function cronWords(expression: string): string | undefined {
  const fields = expand(expression.trim());
  if (fields === undefined) return undefined;
  const [second, minute, hour, day, month, weekday] = fields;
  const clock = clockWords(second, minute, hour);
  const days = dayWords(day, month, weekday);
  if (clock === undefined || days === undefined) return undefined;
  if (clock.isTime) return capital(t("cronWords.onDaysAt", { days: days === "" ? t("cronWords.everyDay") : days, time: clock.words }));
  return capital(days === "" ? clock.words : t("cronWords.rhythmOnDays", { rhythm: clock.words, days }));
}

const macros: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

type Fields = [second: string, minute: string, hour: string, day: string, month: string, weekday: string];

/** Five fields are Unix cron; six or seven are Quartz, with seconds first and days of the week that begin with Sunday as 1. */
function expand(text: string): Fields | undefined {
  const parts = (macros[text.toLowerCase()] ?? text).toUpperCase().replaceAll("?", "*").split(/\s+/);
  if (parts.length === 5) return ["0", ...parts] as Fields;
  if (parts.length === 6 || (parts.length === 7 && parts[6] === "*")) {
    const [weekday = "*", ...rest] = [parts[5], ...parts.slice(0, 5)] as string[];
    return [...rest, weekday.replace(/\d/g, (digit) => String(Number(digit) - 1))] as Fields;
  }
  return undefined;
}

function clockWords(second: string, minute: string, hour: string): { words: string; isTime: boolean } | undefined {
  const every = (unit: "Second" | "Minute" | "Hour", step: string) => ({
    words: t(`cronWords.every${unit}`, { step: Number(step) }),
    isTime: false,
  });
  const stepOf = (field: string) => (field === "*" ? "1" : /^(?:\*|0)\/(\d+)$/.exec(field)?.[1]);
  if (second !== "0") {
    const step = stepOf(second);
    return step !== undefined && minute === "*" && hour === "*" ? every("Second", step) : undefined;
  }
  const minuteStep = stepOf(minute);
  if (minuteStep !== undefined) return hour === "*" ? every("Minute", minuteStep) : within(every("Minute", minuteStep).words, hour);
  if (!/^\d+$/.test(minute)) return undefined;
  const hourStep = stepOf(hour);
  if (hourStep !== undefined) {
    const words = every("Hour", hourStep).words;
    return { words: minute === "0" ? words : t("cronWords.minutesPast", { rhythm: words, minute }), isTime: false };
  }
  const hours = list(hour, 23);
  if (hours === undefined || hours.length > 4) return undefined;
  return { words: t("cronWords.atTimes", { times: listText(hours.map((one) => `${pad(one)}:${pad(Number(minute))}`)) }), isTime: true };
}

/** Steps of minutes limited to certain hours. */
function within(words: string, hour: string): { words: string; isTime: boolean } | undefined {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(hour) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const hours = { from: `${pad(Number(from))}:00`, to: `${pad(Number(to))}:59` };
  return { words: t("cronWords.between", { rhythm: words, ...hours }), isTime: false };
}

const shortWeekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const shortMonths = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

const weekdayFormat = dateFormat({ weekday: "long", timeZone: "UTC" });
const monthFormat = dateFormat({ month: "long", timeZone: "UTC" });
/** @param day both 0 and 7 are Sunday; 1 October 2023 was a Sunday */
const weekdayName = (day: number) => weekdayFormat.format(Date.UTC(2023, 9, 1 + day));
/** @param month from 1 */
const monthName = (month: number) => monthFormat.format(Date.UTC(2023, month - 1, 1));

/** Empty: every day. */
function dayWords(day: string, month: string, weekday: string): string | undefined {
  const months = monthWords(month);
  // Unix cron fires if either matches, and Quartz rejects the combination, so the expression itself is clearer.
  if (months === undefined || (day !== "*" && weekday !== "*")) return undefined;
  if (weekday !== "*") return withMonths(weekdayWords(weekday), months);
  if (day === "*") return months === "" ? "" : withMonths(t("cronWords.everyDay"), months);
  if (day === "L") return months === "" ? t("cronWords.lastOfMonth") : t("cronWords.lastOf", { months });
  const days = list(day, 31);
  if (days === undefined || days.length > 4) return undefined;
  const ordinals = listText(days.map((one) => t("cronWords.ordinal", { day: one })));
  return months === "" ? t("cronWords.daysOfMonth", { days: ordinals }) : t("cronWords.daysOf", { days: ordinals, months });
}

function weekdayWords(field: string): string | undefined {
  const numbers = field.replace(/SUN|MON|TUE|WED|THU|FRI|SAT/g, (word) => String(shortWeekdays.indexOf(word)));
  if (numbers === "1-5") return t("cronWords.weekdays");
  const days = list(numbers, 7);
  return days && t("cronWords.everyWeekday", { days: listText(days.map(weekdayName)) });
}

function withMonths(days: string | undefined, months: string): string | undefined {
  return days === undefined || months === "" ? days : t("cronWords.inMonths", { days, months });
}

/** Empty: every month. */
function monthWords(field: string): string | undefined {
  if (field === "*") return "";
  const numbers = field.replace(/[A-Z]{3}/g, (word) => {
    const index = shortMonths.indexOf(word);
    return index < 0 ? word : String(index + 1);
  });
  const chosen = list(numbers, 12);
  return chosen && chosen.length <= 4 ? listText(chosen.map(monthName)) : undefined;
}

/** `1,3-5` as numbers; undefined for anything else. */
function list(field: string, max: number): number[] | undefined {
  const values: number[] = [];
  for (const item of field.split(",")) {
    const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(item) ?? [];
    if (first === undefined) return undefined;
    for (let value = Number(first); value <= Number(last ?? first); value++) values.push(value);
  }
  return values.length > 0 && values.every((value) => value <= max) ? values : undefined;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
