import { expect, test } from "vitest";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("the versions of a workflow", async () => {
  const site = await openSite();

  test("two of them are compared as a graph, in words and as text, and an old one is restored as a new one", async () => {
    const team = await site.make.team();
    const at = `/api/v2/team/${team.name}/workflow`;
    await site.call(site.adminToken, "POST", at, {
      name: "report",
      tasks: [{ name: "wait a bit", taskRef: "sleep", params: [{ name: "duration", value: 1 }] }],
    });
    const task = (name: string, more: object) => ({ name, taskRef: "sleep", params: [{ name: "duration", value: 2 }], ...more });
    await site.call(site.adminToken, "PUT", at, {
      name: "report",
      params: [{ name: "city" }],
      tasks: [task("wait a bit", {}), task("wait again", { dependencies: [{ taskRef: "wait a bit", executionCondition: "success" }] })],
      changelog: { reason: "Waits longer" },
    });
    const page = await site.openAs("editor", team, `/${team.name}/workflows/report/versions`);
    const list = page.getByRole("list", { name: "Differences" });
    await list.getByText("wait again", { exact: true }).waitFor();
    await list.getByText(": duration").waitFor();
    await takePictures(page, "versions-graph");
    await expectAccessible(page);
    await page.getByRole("tab", { name: "YAML" }).click();
    await page.getByRole("textbox", { name: /Differences between version 1/ }).waitFor();
    await takePictures(page, "versions-text");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Restore version 1" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByText("Version 3", { exact: false }).first().waitFor();
    await page.getByText("Restored version 1").waitFor();
    expect(await site.call(site.adminToken, "GET", `${at}/report`)).toMatchObject({ version: 3, params: [] });
  });

  test("removed tasks are drawn where they were, and listed in words", async () => {
    const team = await site.make.team();
    const at = `/api/v2/team/${team.name}/workflow`;
    const task = (name: string, after: string[], more: object = {}, value = 1) => ({
      name,
      taskRef: "sleep",
      params: [{ name: "duration", value }],
      dependencies: after.map((taskRef) => ({ taskRef, ...more })),
    });
    const fetch = task("fetch", []);
    await site.call(site.adminToken, "POST", at, {
      name: "release",
      tasks: [
        fetch,
        task("check", ["fetch"]),
        task("publish", ["check"]),
        task("tell", ["publish", "fetch"], { executionCondition: "failure" }),
      ],
    });
    await site.call(site.adminToken, "PUT", at, {
      name: "release",
      tasks: [
        fetch,
        task("publish", ["fetch"], {}, 2),
        task("sign", ["fetch"]),
        task("tell", ["publish"], { executionCondition: "success" }),
      ],
    });
    const page = await site.openAs("reader", team, `/${team.name}/workflows/release/versions?before=1&after=2`);
    const picture = page.getByRole("img", { name: /check \(removed\)/ });
    await picture.waitFor();
    const words = await picture.getByText(/^(?:added|removed|changed)/).allTextContents();
    expect([...words].sort()).toEqual([
      ...["added", "added", "added", "added"],
      ...["changed", "changed · on success"],
      ...["removed", "removed", "removed", "removed · on failure"],
    ]);
    await expectAccessible(page);
    await takePictures(page, "versions-graph-removed");
  });
});
