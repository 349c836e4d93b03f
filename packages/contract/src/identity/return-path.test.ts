import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxReturnPath, toReturnPath } from "./return-path.ts";

const ours = "https://millrace.example.com";

describe("a path to come back to", () => {
  test.each([
    ["/", "/"],
    ["/owls/activity?status=failed#x", "/owls/activity?status=failed#x"],
    ["/a/../b", "/b"],
    ["/owls//activity", "/owls//activity"],
    ["/owls?next=//evil.example", "/owls?next=//evil.example"],
    ["/%68awks", "/%68awks"],
  ])("%j leads to %s", (text, path) => expect(toReturnPath(text)).toBe(path));

  test.each([
    "",
    "owls",
    "https://evil.example/",
    "javascript:alert(1)",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/..//evil.example",
    "/.//evil.example",
    "/./%2e//evil.example",
    "/%2e%2e//evil.example",
    "/%2E%2e//evil.example",
    "/.%2e//evil.example",
    "/owls/..//evil.example",
    "/owls/../..//evil.example",
    "/..\\/evil.example",
    "/%2f/evil.example",
    "/%5cevil.example",
    "/%2F%2fevil.example",
    "/..%2f..%2f/../..//evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\nset-cookie:x",
    "/ /evil.example",
    "/\u0000/evil.example",
    "/\u202e",
    "/ö",
    `/${"x".repeat(maxReturnPath)}`,
  ])("%j leads nowhere", (text) => expect(toReturnPath(text)).toBeUndefined());

  const piece = fc.constantFrom(
    ...["/", "\\", ".", "..", "%2e", "%2E", "%2f", "%5C", "%", "?", "#", "@", ":", "evil.example", "owls", "https:", "\t", "\n", "\r", " "],
    ...["\u0000", "\u202e", "\uff0f", "\u2215", "\u3002", "é", "[", "]", "|", "~", "localhost", "%00", "%09", "%0a"],
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join("")}`),
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
    fc.string({ unit: "binary" }),
    fc.webUrl(),
  );

  test("any accepted path resolves to our own origin and to exactly the returned path", () => {
    const origins = fc.constantFrom(ours, "http://127.0.0.1:8080", "https://millrace.example.com:8443");
    // A browser resolves a path against the current page, whatever that is.
    const pages = fc.constantFrom("/", "/sign-in?returnTo=x", "/api/v2/auth/oidc/callback?code=x", "/a/b/c/d");
    fc.assert(
      fc.property(text, origins, pages, (wanted, origin, page) => {
        const path = toReturnPath(wanted);
        if (path === undefined) return;
        const url = new URL(path, origin + page);
        expect(url.origin).toBe(origin);
        expect(url.username + url.password).toBe("");
        expect(url.pathname + url.search + url.hash).toBe(path);
        expect(path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
        expect(toReturnPath(path)).toBe(path);
      }),
      { numRuns: 5000 },
    );
  });
});
