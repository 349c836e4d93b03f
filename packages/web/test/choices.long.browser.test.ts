import { beforeAll, expect, test } from "vitest";
import { expectChoicesAccessible } from "./kit/accessibility.ts";
import { describeInBrowser } from "./kit/browser.ts";
import { approval, runSite, shell } from "./kit/run-site.ts";
import { openSite } from "./kit/site.ts";

/**
 * The choices of a field are in the page only while it is open, so the tests of the screens do not see them. Those of dialogs check theirs.
 */
describeInBrowser("the choices of the fields of each screen", async () => {
  const site = await openSite();
  const runs = runSite(site);
  const team = await runs.team();
  const { token } = team.owner;
  const triggers = { schedule: { enabled: true }, webhook: { enabled: true } };
  const over = await runs.start(token, team, [shell("build", "echo built"), shell("test", "true")], { name: "build", triggers });
  await runs.over(token, team, over.id);
  await runs.start(token, team, [approval("vote")], { name: "release" });
  const workflow = `/${team.name}/workflows/build`;
  let page: Awaited<ReturnType<typeof site.open>>;
  beforeAll(async () => {
    page = await site.open("/profile/appearance", token);
  });

  const screens: [path: string, atLeast: number, tab?: string][] = [
    [`/${team.name}/workflows`, 1],
    [`${workflow}/design?node=build`, 1, "Settings"],
    [`/${team.name}/workflows/release/design?node=vote`, 1, "Settings"],
    [`${workflow}/configure/triggers`, 0],
    [`${workflow}/configure/limits`, 1],
    [`${workflow}/versions`, 0],
    [`/${team.name}/activity`, 1],
    [`${over.path}?view=list`, 1],
    [`/${team.name}/actions`, 1],
    [`/${team.name}/schedules`, 1],
    [`/${team.name}/insights`, 1],
    [`/${team.name}/task-manager`, 1],
    [`/${team.name}/manage/members`, 1],
    [`/${team.name}/manage/audit`, 1],
  ];

  test.each(screens)("%s violates nothing with its choices open", async (path, atLeast, tab) => {
    await page.goto(site.address + path);
    await page.locator("h1").first().waitFor();
    if (tab !== undefined) await page.getByRole("tab", { name: tab }).click();
    await page.waitForLoadState("networkidle");
    expect(await expectChoicesAccessible(page, page.locator("#root"))).toBeGreaterThanOrEqual(atLeast);
  });
});
