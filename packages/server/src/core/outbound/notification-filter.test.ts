import { notifications } from "@millrace/contract/outbound/subscription.ts";
import { expect, test } from "vitest";
import { eventFits } from "../event-filters/event-fits.ts";
import { filterFaults } from "../event-filters/filter-faults.ts";
import { notificationFilter } from "./wanted-kinds.ts";

const fits = (words: Parameters<typeof notificationFilter>[0], type: string) =>
  eventFits([notificationFilter(words)], { type: `dev.millrace.${type}` });

test("each word lets through exactly its events", () => {
  expect(fits(["run-failed", "approval-needed"], "workflowrun.timedout")).toBe(true);
  expect(fits(["run-failed", "approval-needed"], "action.submitted")).toBe(true);
  expect(fits(["run-failed", "approval-needed"], "workflowrun.succeeded")).toBe(false);
  expect(fits(["approval-reminder"], "action.submitted")).toBe(false);
});

test("all words together are a filter that may be saved", () => {
  expect(filterFaults([notificationFilter([...notifications, ...notifications])], "/filters")).toEqual([]);
});
