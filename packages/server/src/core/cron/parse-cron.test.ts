import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { nextFiring } from "./next-firing.ts";
import { type Cron, parseCron } from "./parse-cron.ts";

function parsed(text: string): Cron {
  const result = parseCron(text);
  if ("fault" in result) throw new Error(`${text}: ${result.fault.message}`);
  return result.cron;
}

const upTo = (last: number, first = 0) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe("a Unix expression has the values of", () => {
  test.each<[text: string, values: Partial<Cron>]>([
    ["* * * * *", { seconds: [0], minutes: upTo(59), hours: upTo(23), months: upTo(12, 1), years: null }],
    ["5,1,5 00 * * *", { minutes: [1, 5], hours: [0] }],
    ["*/20 */23 * */5 *", { minutes: [0, 20, 40], hours: [0, 23], months: [1, 6, 11] }],
    ["*/60 * * * *", { minutes: [0] }],
    ["50/5 20/2 * 11/1 *", { minutes: [50, 55], hours: [20, 22], months: [11, 12] }],
    ["50-10/10 22-4 * NOV-FEB *", { minutes: [0, 10, 50], hours: [0, 1, 2, 3, 4, 22, 23], months: [1, 2, 11, 12] }],
    ["10-10 *,5 * jan,Dec-3 *", { minutes: [10], hours: upTo(23), months: [1, 2, 3, 12] }],
  ])("%s", (text, values) => {
    expect(parsed(text)).toMatchObject(values);
  });
});

describe("the days of", () => {
  const everyDay = upTo(31, 1);
  const everyWeekday = upTo(6);
  test.each<[text: string, days: Partial<Cron["days"]>]>([
    ["* * * * *", { must: "both", monthDays: everyDay, weekdays: everyWeekday }],
    ["* * ? * ?", { must: "both", monthDays: everyDay, weekdays: everyWeekday }],
    ["* * 13 * 5", { must: "either", monthDays: [13], weekdays: [5] }],
    ["* * */2 * 1", { must: "both", monthDays: upTo(15).map((half) => 2 * half + 1), weekdays: [1] }],
    ["* * 13 * */3", { must: "both", monthDays: [13], weekdays: [0, 3, 6] }],
    ["* * 28-3 * *", { monthDays: [1, 2, 3, 28, 29, 30, 31] }],
    ["* * * * 0", { weekdays: [0] }],
    ["* * * * 7", { weekdays: [0] }],
    ["* * * * 0-7", { weekdays: everyWeekday }],
    ["* * * * 7-7", { weekdays: [0] }],
    ["* * * * 7-2", { weekdays: [0, 1, 2] }],
    ["* * * * 5-7", { weekdays: [0, 5, 6] }],
    ["* * * * 1-7/2", { weekdays: [0, 1, 3, 5] }],
    ["* * * * 7/3", { weekdays: [0, 3, 6] }],
    ["* * * * fri-Mon", { weekdays: [0, 1, 5, 6] }],
    ["* * * * SUN-SAT", { weekdays: everyWeekday }],
    ["* * L,1W,l-3,LW,L-2w,20 * *", { monthDays: [20], beforeLast: [0, 3], nearWeekdays: [1], nearWeekdaysBeforeLast: [0, 2] }],
    [
      "* * ? * 7L,fril,1#1,WED#5,2",
      {
        weekdays: [2],
        lastWeekdays: [0, 5],
        countedWeekdays: [
          { weekday: 1, count: 1 },
          { weekday: 3, count: 5 },
        ],
      },
    ],
    ["* * * ? * 1", { must: "both", weekdays: [0] }],
    ["* * * ? * 7", { weekdays: [6] }],
    ["* * * ? * 6-2", { weekdays: [0, 1, 5, 6] }],
    ["* * * ? * L", { weekdays: [6] }],
    ["* * * ? * 6L,1#3", { lastWeekdays: [5], countedWeekdays: [{ weekday: 0, count: 3 }] }],
    ["* * * 15 * *", { must: "both", monthDays: [15], weekdays: everyWeekday }],
    ["* * * ? * ?", { must: "both", monthDays: everyDay, weekdays: everyWeekday }],
  ])("%s", (text, days) => {
    expect(parsed(text).days).toMatchObject(days);
  });
});

test("a Quartz expression has seconds, and years if wanted", () => {
  expect(parsed("*/30 1 2 3 4 ?")).toMatchObject({ seconds: [0, 30], minutes: [1], hours: [2], months: [4], years: null });
  expect(parsed("0 0 0 1 1 ? *")).toMatchObject({ years: null });
  expect(parsed("0 0 0 1 1 ? 2030,2027-2029/2,2198/1")).toMatchObject({ years: [2027, 2029, 2030, 2198, 2199] });
});

test("white space and case make no difference", () => {
  expect(parsed("\t 0  9 \n* * mon-fri ")).toEqual(parsed("0 9 * * MON-FRI"));
  expect(parsed(" @DAILY ")).toEqual(parsed("0 0 * * *"));
});

test("a parsed expression is plain data", () => {
  for (const text of ["0 0 L,15W 1 FRI#2,5L", "1 2 3 ? * MON 2030"]) {
    expect(JSON.parse(JSON.stringify(parsed(text)))).toEqual(parsed(text));
  }
});

describe("what is wrong, and where", () => {
  test.each<[text: string, position: number, message: RegExp]>([
    ["", 0, /^The expression is empty; it needs 5 \(.*\), 6 \(.*\) or 7 \(.*\)$/],
    ["  \t", 0, /is empty/],
    ["5", 1, /^The expression has 1 field; it needs 5/],
    ["0 9 * * ", 7, /^The expression has 4 fields; it needs 5/],
    ["0 0 0 1 1 ? 2030 UTC", 17, /^The expression has 8 fields/],
    [`0 0 * * ${"1,".repeat(150)}1`, 250, /^The expression has 309 characters; it can have 250$/],
    ["60 * * * *", 0, /^minute 60 is out of range; it can be 0 to 59$/],
    ["0,1,99 * * * *", 4, /^minute 99 is out of range/],
    ["0 24 * * *", 2, /^hour 24 is out of range; it can be 0 to 23$/],
    ["0 0 0 * *", 4, /^day of month 0 is out of range; it can be 1 to 31$/],
    ["0 0 1-32 * *", 6, /^day of month 32 is out of range/],
    ["0 0 1 13 *", 6, /^month 13 is out of range; it can be 1 to 12 or JAN to DEC$/],
    ["0 0 1 JANUARY *", 6, /^month "JANUARY" is invalid; it can be \* or 1 to 12 or JAN to DEC$/],
    ["0 0 * * 8", 8, /^day of week 8 is out of range; it can be 0 \(Sunday\) to 6 \(Saturday\), 7 \(Sunday\) or SUN to SAT$/],
    ["0 0 0 ? * 0", 10, /^day of week 0 is out of range; it can be 1 \(Sunday\) to 7 \(Saturday\) or SUN to SAT$/],
    ["0 0 * * Mo", 8, /^day of week "MO" is invalid/],
    ["99 0 0 * * ?", 0, /^second 99 is out of range/],
    ["0 0 0 1 1 ? 1969", 12, /^year 1969 is out of range; it can be 1970 to 2199$/],
    ["0 0 0 1 1 ? 2200", 12, /^year 2200 is out of range/],
    ["0 0 0 1 1 ? 2030-2020", 12, /^year 2030-2020 ends before it starts; write 2020-2030$/],
    ["0 0 0 1 1 ? 99999999999999999999999999", 12, /^year 9{26} is out of range/],
    ["-5 * * * *", 0, /^minute lacks a value/],
    ["5- * * * *", 2, /^minute lacks a value; it can be \* or 0 to 59$/],
    ["1-2-3 * * * *", 3, /^minute "1-2-3" has two hyphens/],
    ["1,,2 * * * *", 2, /^minute lacks a value/],
    ["1, * * * *", 2, /^minute lacks a value/],
    ["*/0 * * * *", 2, /^minute has the step 0; it can be 1 to 60$/],
    ["*/61 * * * *", 2, /^minute has the step 61; it can be 1 to 60$/],
    ["* */25 * * *", 4, /^hour has the step 25; it can be 1 to 24$/],
    ["*/ * * * *", 2, /^minute has no step after \/; it can be 1 to 60$/],
    ["*/x * * * *", 2, /^minute has the step "X"/],
    ["*/1.5 * * * *", 2, /^minute has the step "1\.5"/],
    ["/5 * * * *", 0, /^minute lacks a value/],
    ["1/2/3 * * * *", 4, /^minute "1\/2\/3" has two steps/],
    ["*-5 * * * *", 0, /^minute "\*" is invalid/],
    ["? * * * *", 0, /^minute can't hold \? here; write \*$/],
    ["* * * ? *", 6, /^month can't hold \?/],
    ["* * ?,5 * *", 4, /^day of month can't hold \?/],
    ["H * * * *", 0, /^minute "H" is invalid/],
    ["0x10 * * * *", 0, /^minute "0X10" is invalid/],
    ["١ * * * *", 0, /^minute "١" is invalid/],
    ["ßß-1 99 * * *", 0, /^minute "ßß" is invalid/],
    ["1-ß 99 * * *", 2, /^minute "ß" is invalid/],
    ["0 0 W * *", 4, /^day of month "W" is invalid; W must follow a single day, such as 15W, or L, as in LW$/],
    ["0 0 1-5W * *", 7, /^day of month "1-5W" is invalid; W must follow/],
    ["0 0 15W/2 * *", 6, /W must follow a single day/],
    ["0 0 32W * *", 4, /^day of month 32 is out of range/],
    ["0 0 WL * *", 4, /W must follow/],
    ["0 0 5L * *", 5, /^day of month "5L" is invalid; L must be L, LW, or/],
    ["0 0 L-31 * *", 6, /^day of month L-31 is out of range; it can be L-1 to L-30$/],
    ["0 0 L-L * *", 4, /L must be L/],
    ["0 0 5#2 * *", 5, /^day of month "5#2" is invalid; # belongs in day of week/],
    ["0 0 * * 5#6", 10, /^day of week: after # give its number in the month, 1 to 5/],
    ["0 0 * * 5#0", 10, /1 to 5/],
    ["0 0 * * 5#", 10, /1 to 5/],
    ["0 0 * * 5#1#1", 10, /1 to 5/],
    ["0 0 * * #1", 8, /^day of week lacks a value/],
    ["0 0 * * 8#1", 8, /^day of week 8 is out of range/],
    ["0 0 * * 8L", 8, /^day of week 8 is out of range/],
    ["0 0 * * MON-FRIL", 15, /^day of week "MON-FRIL" is invalid; L must follow a day of the week/],
    ["0 0 * * L", 8, /L must follow a day of the week, such as FRIL for the last Friday$/],
    ["0 0 * * 1W", 8, /^day of week "1W" is invalid/],
    ["0 5L * * *", 2, /^hour "5L" is invalid/],
    ["0 0 0 13 * FRI", 11, /^day of week: with six or seven fields only one of .* can be set; write \? for the other$/],
    ["0 0 0 */2 * FRI", 12, /only one of/],
    ["0 0 30 2 *", 4, /^The expression never fires: day of month 30, month 2 and day of week \* never occur together; give a day/],
    ["0 0 31 2,4,6,9,11 *", 4, /never fires/],
    ["0 0 31W 4 *", 4, /never fires/],
    ["0 0 L-29 2 *", 4, /never fires/],
    ["0 0 */31 * MON#2", 4, /never fires/],
    ["0 0 0 29 2 ? 2026,2027,2100", 13, /^The expression never fires: year 2026,2027,2100 has no such day; give other years, or \*$/],
    ["0 0 0 ? 2 SUN#5 2028", 16, /^The expression never fires: year 2028 has no such day/],
    ["0 0 0 30 2 ? 2028", 6, /never occur together/],
    ["@reboot", 0, /^"@reboot" is not supported; a schedule knows times only; submit the workflow when/],
    [" @Every 1h30m", 1, /^"@every" is not supported; write the interval as fields, such as \*\/5/],
    ["@often", 0, /^"@often" is not supported; it can be @yearly, @annually, .* @hourly$/],
    ["@daily 5", 7, /^A macro such as @daily must be the whole expression; leave out what follows$/],
    ["CRON_TZ=Asia/Tokyo 0 9 * * *", 0, /^An expression can't contain a time zone/],
    [" tz=Asia/Tokyo 0 9 * * *", 1, /^An expression can't contain a time zone/],
  ])("%j", (text, position, message) => {
    expect(parseCron(text)).toEqual({ fault: { position, message: expect.stringMatching(message) } });
  });
});

test("days that come up rarely, but do, are valid", () => {
  const leapDays = [1, 2, 3, 4, 5, 6, 7].map((weekday) => `0 0 0 ? 2 ${weekday}#5`);
  for (const text of [...leapDays, "0 0 29 2 *", "0 0 L-28 2 *", "0 0 */31 * MON", "0 0 0 29 2 ? 2028", "0 0 29W 2 *", "0 0 30 2 1"]) {
    expect([text, nextFiring(parsed(text), "UTC", new Date("2026-01-01T00:00Z"))]).toEqual([text, expect.any(Date)]);
  }
});

describe("any text", () => {
  const character = fc.constantFrom(..."0123456789**  ,,-/?LW#@JANMONFRIsun\t");
  const word = fc.string({ unit: character, minLength: 1, maxLength: 8 });
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.string({ unit: character, maxLength: 60 }),
    fc.array(fc.oneof(word, fc.constantFrom("*", "?", "1", "L", "5")), { minLength: 4, maxLength: 8 }).map((fields) => fields.join(" ")),
  );

  test("is either read, and then fires, or refused with a place in it", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const result = parseCron(text);
        if ("fault" in result) {
          expect(result.fault.message).toMatch(/\w/);
          expect(() => encodeURIComponent(result.fault.message), "no halves of characters").not.toThrow();
          expect(result.fault.position).toBeGreaterThanOrEqual(0);
          expect(result.fault.position).toBeLessThanOrEqual(text.length);
        } else {
          expect(nextFiring(result.cron, "UTC", new Date(-1))).toBeInstanceOf(Date);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test("made to be expensive takes milliseconds", () => {
    const hostile = [
      "*".repeat(250),
      "1-".repeat(125),
      "9".repeat(250),
      " ".repeat(250),
      "@".repeat(250),
      `* * * * ${"*/1,".repeat(60)}*`,
      `${"1-59/1,".repeat(33)}1 * * * *`,
      `0 0 ${"L-30W,".repeat(38)}L 2 *`,
      `0 0 0 29 2 ? ${"1970-2199,".repeat(23)}2000`,
      "0 0 */31 2 SUN#5",
      "0 0 31 2,4,6,9,11 *",
      "59 59 23 31 12 ? 2199",
      "59 59 23 29 2 ? 2196",
    ];
    const expectWithin = startWork();
    for (const text of hostile) {
      const result = parseCron(text);
      for (let year = 1970; year < 2200 && "cron" in result; year += 10)
        nextFiring(result.cron, "America/New_York", new Date(Date.UTC(year, 0)));
    }
    // Takes about 30 ms on an idle machine.
    expectWithin(2000);
  });
});
