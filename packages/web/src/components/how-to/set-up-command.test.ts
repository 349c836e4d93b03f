import { expect, test } from "vitest";
import { curlCommand, setUpCommand } from "./set-up-command.ts";

test("the shell asks for the token, so that it is neither on the page nor in the shell history", () => {
  expect(setUpCommand("https://mill.example.com")).toBe("MILLRACE=https://mill.example.com\nread -rs TOKEN");
});

test.each([
  [
    "GET",
    "/api/v2/team/query?limit=10&page=0",
    undefined,
    'curl -sS --fail-with-body "$MILLRACE/api/v2/team/query?limit=10&page=0" -H "Authorization: Bearer $TOKEN"',
  ],
  [
    "DELETE",
    "/api/v2/token/1",
    undefined,
    'curl -sS --fail-with-body -X DELETE "$MILLRACE/api/v2/token/1" -H "Authorization: Bearer $TOKEN"',
  ],
])("%s %s as curl makes it", (method, path, body, command) => expect(curlCommand(method, path, body)).toBe(command));

test("a body is quoted for the shell, apostrophes too", () => {
  expect(curlCommand("POST", "/x", { name: "it's" })).toContain(`-d '{"name":"it'\\''s"}'`);
});
