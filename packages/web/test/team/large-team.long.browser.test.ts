import { beforeAll, expect, test } from "vitest";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { asks, startRuns } from "../kit/people-data.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("a team with ten thousand members", async () => {
  const site = await openSite();
  const team = await site.make.team();
  const owner = await site.make.member(team.id, "owner");
  const late = "person-09999@example.com";

  beforeAll(async () => {
    await site.sql`
      with people as (
        insert into app_user (email, name, status)
        select 'person-' || lpad(n::text, 5, '0') || '@example.com', 'Person ' || n, 'active' from generate_series(1, 9999) n
        returning id, email)
      insert into team_member (team_id, user_id, role, created_at)
      select ${team.id}, id, 'editor', now() + make_interval(secs => substr(email, 8, 5)::int / 1000.0) from people`;
  });

  /** As somebody who joined after nearly all others. */
  async function openLate(path: string) {
    const [user] = await site.sql<{ id: string }[]>`select id from app_user where email = ${late}`;
    return site.open(`/${team.name}/${path}`, await site.make.userToken(user!.id));
  }

  test("all members are found by page and by name, and one on a late page can leave", async () => {
    const page = await openLate("manage/members");
    await page.getByText(/^10,?000 members \(1 owner\)/).waitFor();
    await page.getByRole("button", { name: "Page 2", exact: true }).click();
    await page.getByText("person-00050@example.com").waitFor();
    await page.getByLabel("Find members").fill("person 9999");
    await page.getByText(late).waitFor();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await expectAccessible(page);
    await takePictures(page, "manage-members-large");
    const leave = page.getByRole("button", { name: "Leave team" });
    expect(await leave.getAttribute("aria-description")).toBeNull();
    await page.getByLabel("Find members").fill("nobody");
    await page.getByRole("button", { name: "Show all members" }).waitFor();
  });

  test("an approver is searched among all members", async () => {
    const page = await site.open(`/${team.name}/manage/approvers`, owner.token);
    await page.getByRole("button", { name: "Create group" }).click();
    await page.getByLabel("Name").fill("late");
    const field = page.getByPlaceholder("Choose members");
    await field.fill("9998");
    await page.getByRole("option", { name: "Person 9998 (person-09998@example.com)" }).click();
    await page.keyboard.type(late);
    await page.getByRole("option", { name: `Person 9999 (${late})` }).click();
    // Closes the choices. If they are closed already, Escape would close the dialog.
    await page.keyboard.press("Tab");
    await page.getByRole("dialog").getByRole("button", { name: "Create group" }).click();
    const row = page.getByRole("row").filter({ hasText: "late" });
    await row.getByText("Person 9998, Person 9999").waitFor();
  });

  test("runs are filtered by any member, whom the address names", async () => {
    const page = await openLate("activity");
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByLabel("Started by").first().fill("person-0900");
    await page.getByRole("option", { name: "Person 9001 (person-09001@example.com)" }).click();
    await page.waitForURL(/who=user/);
    await page.reload();
    await page.getByRole("button", { name: "Started by Person 9001", exact: true }).waitFor();
  });

  test("the page of an approval shows some who can decide, and how many more there are", async () => {
    await startRuns(site, owner.token, team.name, asks("asks"), 1);
    const { content } = await site.call<{ content: { id: string }[] }>(owner.token, "GET", `/api/v2/team/${team.name}/action/query`);
    const page = await site.open(`/${team.name}/actions/${content[0]!.id}`, owner.token);
    await page.getByText(/^and 9,?950 more$/).waitFor();
    await expectAccessible(page);
  });
});
