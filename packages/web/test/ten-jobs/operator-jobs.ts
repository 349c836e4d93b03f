import { expect } from "vitest";
import { until } from "../../../server/test/kit/until.ts";
import { runSite, shell } from "../kit/run-site.ts";
import { type Job, jobTeam } from "./job.ts";
import { addManyRuns } from "./many-runs.ts";

interface RunOfList {
  id: string;
  status: string;
}

/** Finds one order of 100,000, by what the user knows of it. */
const find: Job = {
  name: "find",
  async play(site) {
    const { call, open, team } = await jobTeam(site);
    await call("POST", "/workflow", { name: "orders", params: [{ name: "order", type: "text" }], tasks: [] });
    const wanted = await addManyRuns(site.sql, team.id, 100_000, "A-2345");
    const hand = await open("/activity");
    const { page } = hand;
    await page.getByRole("row").nth(1).waitFor();
    await hand.press("/");
    await hand.type("A-2345");
    // The orders A-23450 to A-23459 are found with it.
    await page.getByText("1–11 of 11").waitFor();
    await hand.click(
      page
        .getByRole("row")
        .filter({ has: page.getByText(/^order A-2345 ?$/) })
        .getByRole("link")
        .first(),
    );
    await page.waitForURL(`**/activity/${wanted}`);
    return hand;
  },
};

/** From the failed run to a new one that succeeded, with the fault fixed and without repeating what had succeeded before. */
const fixAndRerun: Job = {
  name: "fix-and-rerun",
  async play(site) {
    const { open, team, token } = await jobTeam(site);
    const runs = runSite(site);
    const send = shell("send", "exit 3", { dependencies: [{ taskRef: "fetch", executionCondition: "success" }] });
    const { id } = await runs.start(token, team, [shell("fetch", "true"), send], { name: "orders" });
    expect((await runs.over(token, team, id)).status).toBe("failed");
    const hand = await open(`/activity/${id}`);
    const { page } = hand;
    await hand.click(page.getByRole("link", { name: "Edit task", exact: true }));
    // The form takes the focus once it is rendered.
    await page.locator("[aria-label=Script]:focus").waitFor();
    await hand.press("ControlOrMeta+a");
    await hand.type("true");
    await hand.click(page.getByRole("button", { name: "Save and rerun…" }));
    await hand.click(page.getByRole("dialog", { name: "Rerun" }).getByRole("button", { name: "Rerun", exact: true }));
    await page.waitForURL((url) => url.pathname.includes("/activity/") && !url.pathname.includes(id));
    const again = new URL(page.url()).pathname.split("/").at(-1) as string;
    expect(await runs.over(token, team, again)).toMatchObject({ status: "succeeded", workflowVersion: 2, rerunOf: { reused: 1 } });
    return hand;
  },
};

/** Finds the line of the log that gives the reason, from the page that is open all day. */
const readWhy: Job = {
  name: "read-why",
  async play(site) {
    const { open, team, token } = await jobTeam(site);
    const runs = runSite(site);
    const load = shell("load", "echo begins\necho 'the disk of db-7 is full' >&2\nexit 1");
    const { id } = await runs.start(token, team, [load], { name: "nightly" });
    await runs.over(token, team, id);
    const hand = await open("/../home");
    const { page } = hand;
    await hand.click(page.getByRole("region", { name: "Failed in the last day" }).getByRole("link", { name: /^Open run.*nightly/ }));
    await hand.click(page.getByRole("button", { name: "Show log" }));
    await page.getByText("the disk of db-7 is full").first().waitFor();
    return hand;
  },
};

/** Reruns everything that failed since yesterday, at once. */
const rerunAll: Job = {
  name: "rerun-all",
  async play(site) {
    const { call, open, team, token } = await jobTeam(site);
    const runs = runSite(site);
    const ends = (status: string) => ({
      name: "say",
      type: "setwfstatus",
      taskRef: "set-workflow-result-status",
      params: [{ name: "status", value: status }],
    });
    for (let index = 0; index < 20; index++) {
      if (index > 0) await call("POST", "/workflow/orders/submit?start=true", {});
      else await runs.start(token, team, [ends("failed")], { name: "orders" });
    }
    await runs.start(token, team, [ends("succeeded")], { name: "other" });
    const list = async () => (await call<{ content: RunOfList[] }>("GET", "/workflowrun/query?workflows=orders&limit=100")).content;
    await until(async () => (await list()).filter(({ status }) => status === "failed").length === 20, "20 runs failed");
    const hand = await open("/activity");
    const { page } = hand;
    await hand.click(page.getByRole("button", { name: "Failed 20" }));
    await hand.click(page.getByRole("button", { name: "Select all 20 that match" }));
    await hand.click(page.getByRole("button", { name: "Retry", exact: true }));
    await hand.click(page.getByRole("dialog").getByRole("button", { name: "Retry 20 runs" }));
    await until(async () => (await list()).length === 40, "each has a run again");
    return hand;
  },
};

export const operatorJobs: readonly Job[] = [find, fixAndRerun, readWhy, rerunAll];
