import { expect, test } from "vitest";
import { eventWords } from "./event-words.ts";

test.each([
  [{ type: "dev.millrace.workflowrun.timedout", workflow: "nightly" }, "Runs: timed out · nightly"],
  [{ type: "dev.millrace.action.submitted" }, "Approvals and manual tasks: opened"],
  [{ type: "dev.millrace.subscription.test" }, "Test event"],
  [{ type: "dev.millrace.moon.full" }, "moon: full"],
])("%j", (event, words) => expect(eventWords(event)).toBe(words));
