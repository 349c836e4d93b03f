import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { quartzFields } from "../../../src/core/cron/cron-field.ts";
import { firingsBetween } from "../../../src/core/cron/next-firing.ts";
import { type Cron, parseCron } from "../../../src/core/cron/parse-cron.ts";
import { timeZoneFault } from "../../../src/core/cron/time-zone.ts";

/** Users rely on docs/cron.md, so each row of its tables is run as a test. */
const page = readFileSync(new URL("../../../../../docs/cron.md", import.meta.url), "utf8");

/** The rows of all tables whose first columns are these, each as the texts of its cells without backticks. */
function rows(...columns: string[]): string[][] {
  const tables = page.split("\n\n").filter((block) => block.startsWith(`| ${columns.join(" | ")} |`));
  expect(tables).not.toEqual([]);
  return tables.flatMap((table) =>
    table
      .trim()
      .split("\n")
      .slice(2)
      .map((line) =>
        line
          .slice(1, -1)
          .split("|")
          .map((cell) => cell.trim()),
      ),
  );
}

const code = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text as string);
const firstCode = (cell: string | undefined) => code(cell as string)[0] as string;

function parsed(expression: string): Cron {
  const result = parseCron(expression);
  if ("fault" in result) throw new Error(`${expression}: ${result.fault.message}`);
  return result.cron;
}

describe("the firings of the examples", () => {
  const examples = rows("Expression", "Time zone", "After", "Next firings").map((cells) => [
    firstCode(cells[0]),
    firstCode(cells[1]),
    ...cells.slice(2, 4),
  ]) as [string, string, string, string][];

  test.each(examples)("%s in %s after %s", (expression, zone, after, firings) => {
    const wanted = firings.split(", ");
    const from = new Date(Date.parse(after) + 1);
    const found = firingsBetween(parsed(expression), zone, from, new Date("2199-12-31T00:00Z"), wanted.length);
    expect(found.map(Number)).toEqual(wanted.map((time) => Date.parse(time)));
    for (const time of [after, ...wanted]) expect([zone, time, offsetOf(time)]).toEqual([zone, time, offsetIn(zone, time)]);
  });
});

/** The page shows each time in local time, so the offset must be the zone's. */
function offsetOf(time: string): string {
  return time.endsWith("Z") ? "+00:00" : time.slice(-6);
}

function offsetIn(zone: string, time: string): string {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  return /GMT(.*)$/.exec(format.format(Date.parse(time)))?.[1] || "+00:00";
}

test.each(rows("Macro", "Stands for"))("%s stands for %s", (names, expansion) => {
  for (const name of code(names)) expect(parseCron(name)).toEqual(parseCron(firstCode(expansion)));
});

test.each(rows("Written", "Means", "Example", "Fires on").map((cells) => [firstCode(cells[2])]))("%s is understood", (expression) => {
  expect(parsed(expression)).toBeDefined();
});

test.each(rows("Field", "Written", "Means").map(([field, written]) => [field as string, firstCode(written)]))(
  "%s can be %s",
  (field, text) => {
    const inQuartz = field === "day of month" ? `0 0 0 ${text} * ?` : `0 0 0 ? * ${text}`;
    const inUnix = field === "day of month" ? `0 0 ${text} * *` : `0 0 * * ${text}`;
    expect(parsed(inQuartz)).toBeDefined();
    if (text === "L" && field === "day of week") expect(parseCron(inUnix)).toHaveProperty("fault");
    else expect(parsed(inUnix)).toEqual(parsed(inQuartz));
  },
);

test("the table of fields says what the parser accepts", () => {
  const fields = Object.values(quartzFields).map(({ name, min, max }) => `${name}: ${min} to ${max}`);
  const documented = rows("Field", "Values", "Names").map(([name, values]) => `${name}: ${values?.replace(/^.*, (.*) \(Quartz\)$/, "$1")}`);
  expect(documented).toEqual(fields);
});

test.each(rows("Refused", "Reason").map(([expression]) => [firstCode(expression)]))("%s is refused", (expression) => {
  const result = parseCron(expression);
  const hasFirings = "cron" in result && firingsBetween(result.cron, "UTC", new Date("2026-01-01"), new Date("2199-12-31"), 1).length > 0;
  expect(hasFirings).toBe(false);
});

test("the time zones of the page are accepted and refused as it says", () => {
  for (const zone of ["UTC", "Europe/Berlin", "Europe/Kiev", "Etc/GMT-2"]) expect([zone, timeZoneFault(zone)]).toEqual([zone, undefined]);
  for (const zone of ["+02:00", "IST"]) expect([zone, timeZoneFault(zone)]).toEqual([zone, expect.any(String)]);
});
