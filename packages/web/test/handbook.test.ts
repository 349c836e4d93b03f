import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../server/src/base/file/repository-root.ts";
import { handbookAddress } from "../src/components/shell/handbook-address.ts";
import { screens } from "./kit/screens.ts";

/** Anchors as the service generates them. */
function anchors(markdown: string): string[] {
  return [...markdown.matchAll(/^##+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );
}

test("each page of the interface links to an existing page and section of the handbook", () => {
  const addresses = screens().map((path) => [path, handbookAddress(path)] as const);
  expect(addresses.length).toBeGreaterThan(40);
  expect(addresses.filter(([, address]) => address === "/docs")).toEqual([]);
  for (const [path, address] of addresses) {
    const [page, anchor] = address.slice("/docs/".length).split("#");
    const markdown = readFileSync(join(repositoryRoot, "docs", `${page}.md`), "utf8");
    if (anchor !== undefined) expect(anchors(markdown), `${path}: ${address}`).toContain(anchor);
  }
});

test.each([
  ["/hawks/activity/0198c1de", "/docs/runs"],
  ["/hawks/workflows/nightly/configure/schedules", "/docs/schedules"],
  ["/hawks/workflows/nightly/design", "/docs/workflows"],
  ["/admin/teams", "/docs/teams"],
  ["/hawks", "/docs"],
  ["/", "/docs"],
])("%s leads to %s", (path, address) => expect(handbookAddress(path)).toBe(address));
