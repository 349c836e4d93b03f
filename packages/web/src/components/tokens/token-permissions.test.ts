import { expect, test } from "vitest";
import { everyPermission, presetOf, toWildcards } from "./token-permissions.ts";

test.each([
  ["nothing", [], []],
  ["single ones as they are", ["workflow/read", "task/write"], ["workflow/read", "task/write"]],
  ["a whole resource", ["workflow/read", "workflow/write", "workflow/action", "workflow/delete", "workflow/grant"], ["workflow/**"]],
  ["a whole operation", everyPermission.filter((one) => one.endsWith("/read")), ["**/read"]],
  [
    "a whole operation and one more",
    [...everyPermission.filter((one) => one.endsWith("/read")), "workflow/action"],
    ["**/read", "workflow/action"],
  ],
  ["everything", everyPermission, ["**/**"]],
])("%s is sent in its shortest form", (_, chosen, sent) => expect(toWildcards(new Set(chosen))).toEqual(sent));

test("a preset leaves out permissions that its creator can't grant", () => {
  const given = presetOf("Everything I can do", (permission) => !/\/(?:delete|grant)$/.test(permission));
  expect([...given].some((one) => one.endsWith("/delete"))).toBe(false);
  expect(toWildcards(given)).toEqual(["**/read", "**/write", "**/action"]);
});
