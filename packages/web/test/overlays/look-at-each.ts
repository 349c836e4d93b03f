import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Site } from "../kit/site.ts";
import { filledIn, germanTexts, type Overlay, type Person, type Places, visitOverlay } from "./overlay.ts";

/** The team that the tables name, with an owner, a reader, and some content. */
export async function shop(site: Site) {
  const team = await site.make.team({ name: "shop" });
  const [owner, reader] = [await site.make.member(team.id, "owner"), await site.make.member(team.id, "reader")];
  return {
    ...team,
    reader,
    tokens: { admin: site.adminToken, owner: owner.token, reader: reader.token } satisfies Record<Person, string>,
    call: <Body = { id: string }>(method: string, path: string, body?: unknown) =>
      site.call<Body>(owner.token, method, `/api/v2/team/shop${path}`, body),
  };
}

/**
 * One test for each line of the table. The next line with the same URL and user continues where an overlay has closed: reloading the page
 * and the rules of axe takes longer than everything else. After a failure, or if the URL differs, the page is loaded.
 */
export function lookAtEach(site: Site, table: readonly Overlay[], tokens: Readonly<Record<Person, string>>, places: Places = {}): void {
  const persons = [...new Set(table.map(({ as = "admin" }) => as))];
  const pages: Partial<Record<Person, Page>> = {};
  /** The current URL of that user's page, if nothing failed there. */
  const shown: Partial<Record<Person, string>> = {};
  beforeAll(async () => {
    for (const as of persons) pages[as] = await site.open("/profile/appearance", tokens[as]);
  });
  const lines = table.map((overlay) => ({ overlay, title: titleOf(overlay) }));
  test.each(lines)("$title is opened by keyboard, violates nothing, keeps the focus and gives it back", async ({ overlay }) => {
    const as = overlay.as ?? "admin";
    const page = pages[as] as Page;
    const address = site.address + filledIn(overlay.path, places);
    const isThere = shown[as] === address && page.url() === address;
    delete shown[as];
    if (!isThere) {
      // Without the unsaved changes that the page before keeps when it is left.
      await page.goto(`${site.address}/api/v2/nothing`);
      await page.evaluate("sessionStorage.clear()");
      await page.goto(address);
    }
    // A drawer that the URL opens hides what is below it.
    await page.locator("h1").first().waitFor();
    await visitOverlay(page, overlay, places);
    shown[as] = address;
  });
  test("most of their texts have been seen in German", () => {
    expect(germanTexts).toBeGreaterThan(table.length);
  });
}

function titleOf({ name, path, as = "admin" }: Overlay): string {
  return `${typeof name === "string" ? `“${name}”` : `${name}`} above ${path} (${as})`;
}
