import { expect, test } from "vitest";
import { triggerProblems } from "./trigger-draft.ts";

const reason = "VALIDATION_FAILED";

test.each([
  ["/triggers/event/filters/0/sql", "sql is not an expression", [{ path: "/filters/0/sql", message: "sql is not an expression" }]],
  ["triggers/event/filters/0", "must be object", [{ path: "/filters/0", message: "must be object" }]],
  ["/triggers/event/filters/0", "0 has no dialect", [{ path: "/filters/0", message: "It has no dialect" }]],
  ["/triggers/eventual", "is unknown", []],
  ["/triggers/codehost/filters/0", "is wrong", []],
  [undefined, "another name", []],
])("what is wrong at %s with %j", (path, message, problems) => {
  expect(triggerProblems([{ severity: "error", reason, path, message }], "event")).toEqual(problems);
});
