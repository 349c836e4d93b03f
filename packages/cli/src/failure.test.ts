import { ApiError } from "@millrace/client/api-error.ts";
import { expect, test } from "vitest";
import { describeFailure, exitCodeOf, exitCodes, Failure } from "./failure.ts";

test.each([
  [400, "VALIDATION_FAILED", 2],
  [401, "UNAUTHENTICATED", 3],
  [403, "PERMISSION_DENIED", 3],
  [404, "WORKFLOW_INVALID_REFERENCE", 4],
  [409, "CONFLICT", 5],
  [422, "WORKFLOW_NON_UNIQUE_NAME", 5],
  [429, "QUOTA_EXCEEDED", 5],
  [429, "TOO_MANY_REQUESTS", 6],
  [503, "NOT_READY", 6],
  [500, "INTERNAL", 6],
  [0, "NO_ANSWER", 6],
  [307, "REDIRECTED", 6],
])("%d %s has the exit code %d", (status, reason, code) => {
  expect(exitCodeOf(new ApiError(status, reason, "says"))).toBe(code);
});

test("a failure is one line with reason and remedy, then one line per field; escapes and tokens are removed", () => {
  const refused = new ApiError(400, "VALIDATION_FAILED", "The request is invalid: \u001b[2J", undefined, [
    { path: "/name", message: "mrt_abcdefgh" },
  ]);
  expect(describeFailure(refused)).toBe("millrace: The request is invalid: <U+001B>[2J\n  /name: mrt_***\n");
  expect(describeFailure(new Failure(exitCodes.failed, "It is full", "Make room"))).toBe("millrace: It is full. Make room\n");
  expect(describeFailure(new ApiError(500, "INTERNAL", "Internal error", "r1"))).toContain("\n  request ID: r1\n");
});
