import { expect, test } from "vitest";
import type { EventFilter } from "../../api/queries/integrations.ts";
import { choiceText, type EventChoice, eventWords, fromFilters, toFilters } from "./event-choice.ts";

const exact = (event: string) => ({ exact: { type: `dev.millrace.${event}` } });

test.each<[string, EventChoice, EventFilter[]]>([
  ["every event", { events: [], workflows: [] }, []],
  ["one event", { events: ["workflowrun.failed"], workflows: [] }, [exact("workflowrun.failed")]],
  ["all of a kind", { events: ["action."], workflows: [] }, [{ prefix: { type: "dev.millrace.action." } }]],
  [
    "several",
    { events: ["action.approved", "schedule.error"], workflows: [] },
    [{ any: [exact("action.approved"), exact("schedule.error")] }],
  ],
  [
    "of workflows",
    { events: ["workflowrun."], workflows: ["a", "b"] },
    [{ prefix: { type: "dev.millrace.workflowrun." } }, { any: [{ exact: { workflow: "a" } }, { exact: { workflow: "b" } }] }],
  ],
  ["alerts", { events: ["alert.run_late"], workflows: ["a"] }, [exact("alert.run_late"), { exact: { workflow: "a" } }]],
  ["of one workflow, whatever it is", { events: [], workflows: ["a"] }, [{ exact: { workflow: "a" } }]],
])("%s is written as filters and read again", (_, choice, filters) => {
  expect(toFilters(choice)).toEqual(filters);
  expect(fromFilters(filters)).toEqual(choice);
});

test.each<[string, EventFilter[]]>([
  ["an expression", [{ sql: "type LIKE '%failed'" }]],
  ["a negation", [{ not: exact("workflowrun.running") }]],
  ["an unknown event", [exact("workflowrun.exploded")]],
  ["two conditions on the type", [exact("workflowrun.failed"), { prefix: { type: "dev.millrace.workflowrun." } }]],
  ["another attribute beside it", [{ exact: { type: "dev.millrace.workflowrun.failed", workflow: "a" } }]],
  ["a prefix that is not a kind", [{ prefix: { type: "dev.millrace.workflowrun.f" } }]],
])("%s is more than the form says", (_, filters) => expect(fromFilters(filters)).toBeUndefined());

test("filters as the service writes them are read, too", () => {
  expect(fromFilters([{ any: [exact("action.submitted")] }])).toEqual({ events: ["action.submitted"], workflows: [] });
});

test("in words", () => {
  expect(choiceText({ events: ["workflowrun.failed", "workflowrun.timedout", "action."], workflows: ["nightly"] })).toBe(
    "Runs: failed, timed out · Approvals and manual tasks: all · of nightly",
  );
  expect(choiceText({ events: [], workflows: [] })).toBe("All events");
});

test.each([
  [{ type: "dev.millrace.workflowrun.timedout", workflow: "nightly" }, "Runs: timed out · nightly"],
  [{ type: "dev.millrace.action.submitted" }, "Approvals and manual tasks: opened"],
  [{ type: "dev.millrace.subscription.test" }, "Test event"],
  [{ type: "dev.millrace.moon.full" }, "moon: full"],
])("%j", (event, words) => expect(eventWords(event)).toBe(words));
