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

test.each([
  [
    "23503",
    'Key (team_id, user_id)=(t, u-1) is not present in table "app_user".',
    "The user u-1 has just been deleted; leave it out, or create it again",
  ],
  ["23503", 'Key (team_id, id)=(t, g-1) is not present in table "approver_group".', "The approver group g-1 has just been deleted"],
  ["23503", 'Key (id)=(p-1) is still referenced from table "token".', "Another request has just begun to use p-1; try again"],
  ["23505", "Key (team_id, lower(name))=(t, greet) already exists.", "Another request has just created the same object (greet)"],
  ["23503", undefined, "just been created or deleted; try again"],
])("a constraint (%s) names what another request has changed: %s", (code, detail, text) => {
  const error = toAppError(thrown("violates a constraint", { code, detail }));
  expect(error).toMatchObject({ reason: "CONFLICT", message: expect.stringContaining(text) });
});
