import { describe, expect, test } from "vitest";
import type { Schedule } from "../../api/queries/schedules.ts";
import { byDay, type CalendarEntry, comingEntries, itemsOfDay, pastEntries, shownRuns } from "./calendar-entries.ts";

const schedule = (id: string, status: Schedule["status"] = "active") => ({ id, name: id, status }) as Schedule;
const [one, other] = [schedule("one"), schedule("other", "inactive")];

describe("the days of a calendar", () => {
  test("are those of the zone, each with its times in order", () => {
    const entries = [
      ...comingEntries(one, ["2031-03-30T22:30:00.000Z", "2031-03-29T23:30:00.000Z"]),
      ...comingEntries(other, ["2031-03-30T01:00:00.000Z"]),
    ];
    const days = byDay(entries, "Europe/Berlin");
    expect([...days].map(([day, list]) => [day, list.map(({ at, kind }) => [at.slice(11, 16), kind])])).toEqual([
      [
        "2031-03-30",
        [
          ["23:30", "coming"],
          ["01:00", "planned"],
        ],
      ],
      ["2031-03-31", [["22:30", "coming"]]],
    ]);
  });

  test("show a past time only once", () => {
    const at = "2031-03-30T08:00:00.000Z";
    const done = pastEntries(one, [{ scheduledDate: at, date: at, outcome: "submitted", count: 1, workflowRunRef: "run" }]);
    const days = byDay([...comingEntries(one, [at]), ...done], "UTC");
    expect(days.get("2031-03-30")).toMatchObject([{ kind: "submitted", runId: "run" }]);
    expect(shownRuns(days)).toEqual(["run"]);
  });
});

test("a schedule with many times a day is one item per day, with the outcomes of its times", () => {
  const hourly = Array.from({ length: 24 }, (_, hour) => `2031-03-30T${String(hour).padStart(2, "0")}:00:00.000Z`);
  const entries: CalendarEntry[] = [
    ...pastEntries(one, [{ scheduledDate: hourly[0] as string, date: "", outcome: "missed", count: 3 }]),
    ...comingEntries(one, hourly.slice(3)),
    ...comingEntries(other, ["2031-03-30T05:00:00.000Z"]),
  ].sort((a, b) => a.at.localeCompare(b.at));
  expect(itemsOfDay(entries)).toEqual([
    { bunch: { schedule: one, first: hourly[0], last: hourly[23], count: 24, kinds: { missed: 3, coming: 21 } } },
    { one: expect.objectContaining({ schedule: other, kind: "planned" }) },
  ]);
});
