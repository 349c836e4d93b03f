/**
 * A cron expression in words, for the common ones; undefined where words would be longer or less exact than the expression itself. It only
 * explains: what is valid and when it fires is said by the service.
 */
export function cronWords(expression: string): string | undefined {
  const fields = expand(expression.trim());
  if (fields === undefined) return undefined;
  const [second, minute, hour, day, month, weekday] = fields;
  const clock = clockWords(second, minute, hour);
  const days = dayWords(day, month, weekday);
  if (clock === undefined || days === undefined) return undefined;
  if (clock.isTime) return days === "" ? `Every day ${clock.words}` : `${capital(days)} ${clock.words}`;
  return days === "" ? capital(clock.words) : `${capital(clock.words)}, ${days}`;
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

/** Five fields are Unix cron, six and seven Quartz: seconds first, and its days of the week begin with Sunday as 1. */
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
  const every = (unit: string, step: string) => ({ words: step === "1" ? `every ${unit}` : `every ${step} ${unit}s`, isTime: false });
  const stepOf = (field: string) => (field === "*" ? "1" : /^(?:\*|0)\/(\d+)$/.exec(field)?.[1]);
  if (second !== "0") {
    const step = stepOf(second);
    return step !== undefined && minute === "*" && hour === "*" ? every("second", step) : undefined;
  }
  const minuteStep = stepOf(minute);
  if (minuteStep !== undefined) return hour === "*" ? every("minute", minuteStep) : within(every("minute", minuteStep).words, hour);
  if (!/^\d+$/.test(minute)) return undefined;
  const hourStep = stepOf(hour);
  if (hourStep !== undefined) {
    const words = every("hour", hourStep).words;
    return { words: minute === "0" ? words : `${words} at ${minute} min past`, isTime: false };
  }
  const hours = list(hour, 23);
  if (hours === undefined || hours.length > 4) return undefined;
  return { words: `at ${join(hours.map((one) => `${pad(one)}:${pad(Number(minute))}`))}`, isTime: true };
}

/** Steps of minutes in some hours only. */
function within(words: string, hour: string): { words: string; isTime: boolean } | undefined {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(hour) ?? [];
  if (from === undefined || to === undefined) return undefined;
  return { words: `${words} from ${pad(Number(from))}:00 to ${pad(Number(to))}:59`, isTime: false };
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const shortWeekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

/** Empty: every day. */
function dayWords(day: string, month: string, weekday: string): string | undefined {
  const inMonth = monthWords(month);
  // Both together mean either in Unix cron and are refused by Quartz: better read as they are.
  if (inMonth === undefined || (day !== "*" && weekday !== "*")) return undefined;
  if (weekday !== "*") return withMonth(weekdayWords(weekday), inMonth);
  if (day === "*") return inMonth === "" ? "" : `every day${inMonth}`;
  if (day === "L") return `on the last day of${inMonth === "" ? " the month" : inMonth.replace(" in", "")}`;
  const days = list(day, 31);
  if (days === undefined || days.length > 4) return undefined;
  return inMonth === ""
    ? `on the ${join(days.map(ordinal))} of the month`
    : `on the ${join(days.map(ordinal))} of${inMonth.replace(" in", "")}`;
}

function weekdayWords(field: string): string | undefined {
  const numbers = field.replace(/SUN|MON|TUE|WED|THU|FRI|SAT/g, (word) => String(shortWeekdays.indexOf(word)));
  if (numbers === "1-5") return "Monday to Friday";
  const days = list(numbers, 7);
  return days && `every ${join(days.map((one) => weekdays[one] ?? ""))}`;
}

function withMonth(days: string | undefined, inMonth: string): string | undefined {
  return days === undefined ? undefined : `${days}${inMonth}`;
}

function monthWords(field: string): string | undefined {
  if (field === "*") return "";
  const numbers = field.replace(/[A-Z]{3}/g, (word) => {
    const index = months.findIndex((month) => month.slice(0, 3).toUpperCase() === word);
    return index < 0 ? word : String(index + 1);
  });
  const chosen = list(numbers, 12);
  return chosen && chosen.length <= 4 ? ` in ${join(chosen.map((one) => months[one - 1] ?? ""))}` : undefined;
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

function join(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function ordinal(value: number): string {
  const ending = value % 100 > 10 && value % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][value % 10] ?? "th");
  return `${value}${ending}`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
