import { expect, test } from "vitest";
import { until } from "../../../server/test/kit/until.ts";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { after, approval, runSite, shell } from "../kit/run-site.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("the page of a run", async () => {
  const site = await openSite();
  const runs = runSite(site);

  test("a run is followed live to its end without a reload, with the lines that its task writes", async () => {
    const team = await runs.team();
    const { id, path } = await runs.start(team.owner.token, team, [
      { name: "gate", type: "eventwait", taskRef: "wait-for-event", params: [{ name: "topic", value: "go" }] },
      shell("build", 'for i in 1 2 3 4 5 6; do echo "line $i"; sleep 0.5; done', after("gate")),
      shell("deploy", "echo deployed", after("build")),
    ]);
    const page = await site.open(path, team.owner.token);
    const head = page.locator("main header");
    await head.getByText("Waiting for an event", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Not started build" }).click();
    await page.getByRole("region", { name: "Task build" }).getByText("Waiting for task").waitFor();
    await takePictures(page, "run-waiting");
    await page.getByText("Log", { exact: true }).click();
    await site.call(team.owner.token, "POST", `/api/v2/callback?ref=${id}&topic=go&status=succeeded`, {});
    await page.getByRole("log").getByText("line 2").waitFor();
    await page.getByRole("log").getByText("line 6").waitFor();
    await head.getByText("Succeeded").waitFor();
    await page.getByRole("button", { name: /Succeeded deploy/ }).waitFor();
    expect(new URL(page.url()).searchParams.get("task")).toBeTruthy();
    await expectAccessible(page);
    await takePictures(page, "run-graph");
  });

  test("a failed run says which task failed and why, leads to its first error, and is rerun from what failed", async () => {
    const team = await runs.team();
    const noise = 'i=0; while [ $i -lt 300 ]; do echo "step $i is fine"; i=$((i+1)); done';
    const { id, path } = await runs.start(
      team.owner.token,
      team,
      [
        shell("prepare", "echo $(params.nope) prepared"),
        shell("test", `${noise}; echo "Error: expected 1 to be 2"; ${noise}; exit 3`, {
          ...{ retry: { count: 1, backoffMs: 100 } },
          ...after("prepare"),
        }),
        shell("publish", "echo never", after("test")),
      ],
      { unresolvedReferences: "keep" },
    );
    await runs.over(team.owner.token, team, id);
    const page = await site.openAs("editor", team, path);
    await page.locator("main header").getByText("1 warning").waitFor();
    await page.getByRole("button", { name: /prepare .*1 warning/ }).waitFor();
    // A request for the next error before the log is loaded is fulfilled when it arrives.
    const isLog = /\/log\?/;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(isLog, async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest(isLog);
    await page.getByRole("button", { name: "Show log" }).click();
    await asked;
    await page.getByRole("button", { name: "Next error" }).click();
    release();
    await page.getByRole("log").getByText("Error: expected 1 to be 2").waitFor();
    await page.waitForURL(/line=301\b/);
    await takePictures(page, "run-failed");
    await expectAccessible(page);

    await page.getByText("Details", { exact: true }).click();
    const panel = page.getByRole("region", { name: "Task test" });
    await panel.getByText("Exit code").first().waitFor();
    expect(await panel.getByText("Attempts").count()).toBe(1);
    await takePictures(page, "run-details");

    await page.getByText("List", { exact: true }).click();
    await page.getByRole("button", { name: "publish", exact: true }).click();
    await page.getByRole("region", { name: "Task publish" }).getByText("ended as failed, and the link from it requires success").waitFor();
    await takePictures(page, "run-list");
    await expectAccessible(page);

    await page.getByRole("button", { name: "Rerun from failed" }).click();
    await page.getByText(/^Reuses \d tasks? of run /).waitFor();
    const again = new URL(page.url()).pathname.split("/").at(-1) as string;
    const over = await runs.over(team.owner.token, team, again);
    expect(over.tasks.find(({ name }) => name === "prepare")?.status).toBe("succeeded");
  });

  test("a second person decides in place and does one manual task, but not another; the first one sees the run continue", async () => {
    const team = await runs.team();
    const approver = await site.make.member(team.id, "editor");
    const chore = (name: string, instructions: string, before: string) => ({
      ...{ name, type: "manual", taskRef: "manual-task", params: [{ name: "instructions", value: instructions }] },
      ...after(before),
    });
    const { path } = await runs.start(team.owner.token, team, [
      approval("release", { requesterMayNotApprove: "true" }),
      chore("unplug", "Unplug the **old** rack. <script>document.title='x'</script>", "release"),
      chore("plug", "Plug the new one.", "unplug"),
      shell("mourn", "echo never mind", { dependencies: [{ taskRef: "plug", executionCondition: "failure" }] }),
    ]);
    const first = await site.open(path, team.owner.token);
    const second = await site.open(path, approver.token);
    await first.getByRole("button", { name: "Decide" }).click();
    const own = first.getByRole("region", { name: "Task release" });
    await own.getByRole("button", { name: "Approve", exact: true }).waitFor();
    await second.getByRole("button", { name: "Decide" }).click();
    const panel = second.getByRole("region", { name: "Task release" });
    await panel.getByLabel("Comment").fill("Looks good");
    await takePictures(second, "run-approval");
    await panel.getByRole("button", { name: "Approve", exact: true }).click();
    await own.getByText("Looks good").first().waitFor();
    await second.getByText("Waiting for a person to do this task and confirm it", { exact: true }).waitFor();
    await second.getByRole("button", { name: "Decide" }).click();
    const unplug = second.getByRole("region", { name: "Task unplug" });
    await unplug.getByRole("button", { name: "Mark as done" }).waitFor();
    // The Markdown renderer is loaded on first use.
    await unplug.locator("strong").getByText("old").waitFor();
    await takePictures(second, "run-manual");
    await expectAccessible(second);
    await unplug.getByRole("button", { name: "Mark as done" }).click();
    await unplug.getByText("Done", { exact: true }).waitFor();
    await second.getByRole("button", { name: "Decide" }).click();
    const plug = second.getByRole("region", { name: "Task plug" });
    await plug.getByLabel("Comment").fill("No plug fits");
    await plug.getByRole("button", { name: "Can't be done" }).click();
    await plug.getByText("No plug fits").first().waitFor();
    await first.getByRole("button", { name: /Succeeded mourn/ }).waitFor();
  });

  test("an editor cancels a run, runs it again as a new one that names the first, and with other parameters", async () => {
    const team = await runs.team();
    const params = [{ name: "city", type: "text", label: "City" }];
    const values = [{ name: "city", value: "Oslo" }];
    const { id, path } = await runs.start(team.owner.token, team, [approval("ask")], { params, values });
    const page = await site.openAs("editor", team, path);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
    await page.getByText("Cancelled", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Run again" }).click();
    await page.getByText(/^Rerun of /).waitFor();
    expect(page.url()).not.toContain(id);
    await page.getByRole("link", { name: id.slice(-8) }).click();
    await page.waitForURL(`**${path}`);
    const views = page.getByRole("radiogroup", { name: "View" });
    await views.getByText("Parameters").click();
    const shown = page.getByRole("region", { name: "Parameters and results of the run" });
    await shown.getByText("Oslo").waitFor();
    await takePictures(page, "run-parameters");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Run with changes…" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("City").inputValue()).toBe("Oslo");
    await dialog.getByLabel("City").fill("Bergen");
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL((url) => url.pathname.includes("/activity/") && !url.pathname.endsWith(id));
    await views.getByText("Parameters").click();
    await shown.getByText("Bergen").waitFor();
  });

  test("the timeline shows queue, retries and items, and a narrow screen does not scroll sideways", async () => {
    const team = await runs.team();
    const { id, path } = await runs.start(team.owner.token, team, [
      shell("each", "", {
        forEach: { items: [1, 2, 3, 4], parallel: 2 },
        params: [
          { name: "script", value: "sleep 0.$PARAM_NUMBER" },
          { name: "number", value: "$(params.item)" },
        ],
      }),
      shell("retried", 'if [ "$(cat state 2>/dev/null)" ]; then exit 0; fi; exit 1', {
        retry: { count: 1, backoffMs: 300 },
        ...after("each"),
      }),
    ]);
    await runs.over(team.owner.token, team, id);
    const page = await site.open(`${path}?view=timeline`, team.owner.token);
    await page.getByRole("button", { name: "4 items of each" }).waitFor();
    await page.getByRole("button", { name: "each[2]" }).click();
    await takePictures(page, "run-timeline");
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await takePictures(page, "run-narrow");
    await page.getByRole("button", { name: "each[3]" }).click();
    await page.getByRole("region", { name: "Task each[3]" }).getByLabel("Search the log").waitFor();
    await until(async () => Number(await page.evaluate("window.scrollY")) > 100, "the page shows the task");
    await takePictures(page, "run-narrow-task");
    await expectAccessible(page);
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });
});
