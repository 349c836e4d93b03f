import { test } from "vitest";
import type { Site } from "../site.ts";
import { filledIn, lookAt, type Overlay, type Person, type Places } from "./overlay.ts";

/** The team whose name the tables have, with an owner, a reader, and something in it. */
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

/** One test a line of the table. */
export function lookAtEach(site: Site, table: readonly Overlay[], tokens: Readonly<Record<Person, string>>, places: Places = {}): void {
  const lines = table.map((overlay) => ({ overlay, title: titleOf(overlay) }));
  test.each(lines)("$title is opened by keyboard, violates nothing, keeps the focus and gives it back", async ({ overlay }) => {
    const page = await site.open(filledIn(overlay.path, places), tokens[overlay.as ?? "admin"]);
    // A drawer that the address opens hides what is below it.
    await page.locator("h1").first().waitFor();
    await lookAt(page, overlay, places);
  });
}

function titleOf({ name, path, as = "admin" }: Overlay): string {
  return `${typeof name === "string" ? `“${name}”` : `${name}`} above ${path} (${as})`;
}
