import { expect } from "vitest";
import { until } from "../../../server/test/kit/until.ts";
import { handAt } from "../kit/hand.ts";
import { asks } from "../kit/people-data.ts";
import { type Job, jobTeam } from "./job.ts";

/** Approves on a phone, from the page that is open there. */
const decide: Job = {
  name: "decide",
  async play(site) {
    const { call, team, token } = await jobTeam(site);
    await call("POST", "/workflow", asks("release"));
    const submit = `/api/v2/team/${team.name}/workflow/release/submit?start=true`;
    const { id } = await site.call<{ id: string }>(site.adminToken, "POST", submit, {});
    await until(async () => (await call<{ content: unknown[] }>("GET", "/action/query")).content.length === 1, "the approval waits");
    const page = await site.open("/nothing-yet", token);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${site.address}/home`);
    const hand = handAt(page);
    await hand.click(page.getByRole("link", { name: "Decide decide of release" }).first());
    await hand.click(page.getByRole("button", { name: "Approve", exact: true }));
    await page.getByText("Approved").first().waitFor();
    expect((await call<{ status: string }>("GET", `/workflowrun/${id}`)).status, team.name).toBe("succeeded");
    return hand;
  },
};

/** Invites a colleague, from the page of the team. */
const invite: Job = {
  name: "invite",
  async play(site) {
    const { call, open } = await jobTeam(site);
    const hand = await open("/workflows");
    const { page } = hand;
    await hand.click(page.getByRole("link", { name: "Manage team" }));
    await hand.click(page.getByRole("button", { name: "Invite people" }));
    await page.getByRole("dialog").getByLabel("Email addresses").waitFor();
    await hand.type("ada@example.com");
    await hand.press("Enter");
    await hand.press("Enter");
    await page.getByRole("dialog").getByText("/sign-in/invitation#").waitFor();
    expect(JSON.stringify(await call("GET", "/invitation/query?limit=10&page=0"))).toContain("ada@example.com");
    return hand;
  },
};

/** Every day at 02:30 New York time, which is skipped once a year. */
const schedule: Job = {
  name: "schedule",
  async play(site) {
    const { call, open } = await jobTeam(site);
    await call("POST", "/workflow", { name: "nightly", tasks: [], triggers: { schedule: { enabled: true } } });
    const hand = await open("/schedules");
    const { page } = hand;
    await hand.click(page.getByRole("button", { name: "Create schedule" }).first());
    const form = page.getByRole("dialog", { name: "Create schedule" });
    await hand.click(form.getByRole("combobox", { name: "Workflow" }));
    await hand.click(page.getByRole("option", { name: "nightly" }));
    await hand.click(form.getByLabel("Cron expression"));
    await hand.press("ControlOrMeta+a");
    await hand.type("30 2 * * *");
    await hand.click(form.getByRole("combobox", { name: "Time zone" }));
    await hand.type("New_York");
    await hand.click(page.getByRole("option", { name: /America\/New_York/ }));
    await hand.click(form.getByRole("button", { name: "Create schedule" }));
    await page.getByRole("dialog", { name: "nightly" }).getByRole("group", { name: "Upcoming runs" }).waitFor();
    const { content } = await call<{ content: object[] }>("GET", "/schedule/query");
    expect(content).toMatchObject([{ cronSchedule: "30 2 * * *", timezone: "America/New_York", status: "active" }]);
    return hand;
  },
};

export const peopleJobs: readonly Job[] = [decide, invite, schedule];
