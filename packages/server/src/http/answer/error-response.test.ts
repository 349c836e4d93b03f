import { expect, test } from "vitest";
import { toAppError } from "./error-response.ts";

const thrown = (message: string, members: object) => Object.assign(new Error(message), members);

test.each([
  ["the caller went away", thrown("aborted", { code: "ECONNRESET" }), "BAD_REQUEST"],
  ["the database went away", thrown("read ECONNRESET", { code: "ECONNRESET", syscall: "read" }), "NOT_READY"],
  ["the database closed the connection", thrown("write CONNECTION_CLOSED", { code: "CONNECTION_CLOSED" }), "NOT_READY"],
  ["the database is shutting down", thrown("terminating connection", { code: "57P01" }), "NOT_READY"],
  ["a pooler has no free connection", thrown("query_wait_timeout", { code: "08P01" }), "NOT_READY"],
  ["a value that no column takes", thrown("value too long", { code: "22001" }), "BAD_REQUEST"],
  ["a bug", thrown("x is not a function", {}), "INTERNAL"],
])("%s", (_, error, reason) => {
  expect(toAppError(error).reason).toBe(reason);
});
