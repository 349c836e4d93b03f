import { expect, test } from "vitest";
import { insidePath } from "./inside-path.ts";

test.each([
  [undefined, "/home"],
  ["", "/home"],
  ["/owls/activity?status=failed#x", "/owls/activity?status=failed#x"],
  ["//evil.example.com/x", "/home"],
  ["/\\evil.example.com", "/home"],
  ["/\t/evil.example.com", "/home"],
  ["/..//evil.example.com", "/home"],
  ["/.//evil.example.com", "/home"],
  ["/%2e%2e//evil.example.com", "/home"],
  ["https://evil.example.com", "/home"],
  ["javascript:alert(1)", "/home"],
  ["owls", "/home"],
])("after signing in with returnTo %j the browser goes to %s", (wanted, path) => expect(insidePath(wanted)).toBe(path));
