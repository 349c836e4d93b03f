import { expect, test } from "vitest";
import { setMembers } from "../../server/src/store/team/members.ts";
import { describeInBrowser } from "./kit/browser.ts";
import { asks, ends, startRuns } from "./kit/people-data.ts";
import { openSite } from "./kit/site.ts";

describeInBrowser("home and the administration follow what happens in all teams", async () => {
  const site = await openSite();
  const isStream = (url: URL) => url.pathname === "/api/v2/changes";
  const start = (team: string, name: string) =>
    site.call(site.adminToken, "POST", `/api/v2/team/${team}/workflow/${name}/submit?start=true`, {});

  test("runs and actions of others appear on home without a reload and without polling", async () => {
    const [one, two] = [await site.make.team({ name: "heron" }), await site.make.team({ name: "egret" })];
    const reader = await site.make.member(one.id, "reader");
    await setMembers(site.sql, two.id, [{ userId: reader.id, role: "editor" }]);
    const page = await site.open("/home", reader.token);
    await page.getByRole("link", { name: "heron", exact: true }).first().waitFor();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await startRuns(site, site.adminToken, "heron", ends("nightly", "succeeded"), 1);
    await page.getByRole("row", { name: /Import nightly/ }).waitFor();
    await startRuns(site, site.adminToken, "egret", asks("release"), 1);
    await page.getByRole("region", { name: "Needs your attention" }).getByRole("link", { name: "Decide decide of release" }).waitFor();
    await page.getByRole("link", { name: "1 open action of egret" }).waitFor();
    expect(asked.filter((path) => path === "/api/v2/overview").length).toBeLessThan(12);
  });

  test("a user who is removed from a team sees it disappear and gets no more of its changes; a user who is added sees it appear", async () => {
    const [stays, goes] = [await site.make.team({ name: "stork" }), await site.make.team({ name: "bittern" })];
    await site.make.team({ name: "crane" });
    const member = await site.make.member(stays.id, "reader");
    await setMembers(site.sql, goes.id, [{ userId: member.id, role: "reader" }]);
    await startRuns(site, site.adminToken, "bittern", ends("private", "succeeded"), 0);
    const page = await site.open("/home", member.token);
    await page.getByRole("link", { name: "bittern", exact: true }).first().waitFor();
    await site.call(site.adminToken, "DELETE", "/api/v2/team/bittern/members", [{ id: member.id }]);
    await expect.poll(() => page.getByRole("link", { name: "bittern", exact: true }).count(), { timeout: 15_000 }).toBe(0);
    await start("bittern", "private");
    await startRuns(site, site.adminToken, "stork", ends("public", "succeeded"), 1);
    await page.getByRole("row", { name: /Import public/ }).waitFor();
    expect(await page.getByText("Import private").count()).toBe(0);
    await site.call(site.adminToken, "PATCH", "/api/v2/team/crane", { members: [{ id: member.id, role: "reader" }] });
    await page.getByRole("link", { name: "crane", exact: true }).first().waitFor();
  });

  test("where a proxy cuts the stream, home asks every few seconds", async () => {
    const team = await site.make.team({ name: "avocet" });
    const { token } = await site.make.member(team.id, "reader");
    const page = await site.open("/home", token);
    await page.route(isStream, (route) => route.abort());
    await page.reload();
    await page.getByRole("link", { name: "avocet", exact: true }).first().waitFor();
    await startRuns(site, site.adminToken, "avocet", ends("cut-off", "succeeded"), 1);
    await page.getByRole("row", { name: /Import cut-off/ }).waitFor();
  });

  test("an administrator sees a new team and a changed user come", async () => {
    const teams = await site.open("/admin/teams", site.adminToken);
    await teams
      .getByText(/^\d+ teams$/)
      .first()
      .waitFor();
    await site.call(site.adminToken, "POST", "/api/v2/team", { name: "spoonbill", displayName: "Spoonbill" });
    await teams.getByRole("link", { name: "Spoonbill" }).waitFor();
    const user = await site.make.user({ email: "late@example.com" });
    const users = await site.open("/admin/users", site.adminToken);
    await users.getByRole("row", { name: /late@example.com/ }).waitFor();
    await site.call(site.adminToken, "PATCH", `/api/v2/user/${user.id}`, { displayName: "Late Comer" });
    await users.getByRole("row", { name: /Late Comer/ }).waitFor();
    const workers = await site.open("/admin/workers", site.adminToken);
    await workers.getByRole("heading", { level: 1, name: "Workers" }).waitFor();
  });
});
