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

  test("who opens a failed run is told which task failed and why, and comes to its first error", async () => {
    const team = await runs.team();
    const noise = 'i=0; while [ $i -lt 300 ]; do echo "step $i is fine"; i=$((i+1)); done';
    const { id, path } = await runs.start(team.owner.token, team, [
      shell("test", `${noise}; echo "Error: expected 1 to be 2"; ${noise}; exit 3`, { retry: { count: 1, backoffMs: 100 } }),
      shell("publish", "echo never", after("test")),
      shell("clean-up", "echo cleaned", { dependencies: [{ taskRef: "test", executionCondition: "failure" }] }),
    ]);
    await runs.over(team.owner.token, team, id);
    const page = await site.open(path, team.owner.token);
    await page.getByRole("button", { name: "Show log" }).click();
    await page.getByRole("button", { name: "Next error" }).click();
    await page.getByRole("log").getByText("Error: expected 1 to be 2").waitFor();
    await page.waitForURL(/line=301\b/);
    await takePictures(page, "run-failed");
    await expectAccessible(page);

    await page.getByText("Details", { exact: true }).click();
    const panel = page.getByRole("region", { name: "Task test" });
    await panel.getByText("Exit code").first().waitFor();
    expect(await panel.getByText("Attempts").count()).toBe(1);
    await takePictures(page, "run-details");
    await expectAccessible(page);
  });

  test("a request for the next error before the log is loaded is fulfilled when it arrives", async () => {
    const team = await runs.team();
    const { id, path } = await runs.start(team.owner.token, team, [shell("test", 'echo fine; echo "Error: too late"; echo bye; exit 3')]);
    await runs.over(team.owner.token, team, id);
    const page = await site.open(path, team.owner.token);
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
    await page.getByRole("log").getByText("Error: too late").waitFor();
    await page.waitForURL(/line=2\b/);
  });

  test("a task that was skipped says why, and names the task that kept it from running", async () => {
    const team = await runs.team();
    const { id, path } = await runs.start(team.owner.token, team, [shell("test", "exit 1"), shell("publish", "echo never", after("test"))]);
    await runs.over(team.owner.token, team, id);
    const page = await site.open(`${path}?view=list`, team.owner.token);
    await page.getByRole("button", { name: "publish", exact: true }).click();
    const panel = page.getByRole("region", { name: "Task publish" });
    await panel.getByText("ended as failed, and the link from it requires success").waitFor();
    await takePictures(page, "run-list");
    await expectAccessible(page);
    await panel.getByRole("button", { name: "test", exact: true }).click();
    await page.getByRole("region", { name: "Task test" }).waitFor();
  });

  test("a second person decides an approval in place, and the first one sees the run go on", async () => {
    const team = await runs.team();
    const approver = await site.make.member(team.id, "editor");
    const { path } = await runs.start(team.owner.token, team, [
      approval("release", { requesterMayNotApprove: "true" }),
      shell("publish", "echo out", after("release")),
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
    await expectAccessible(second);
    await panel.getByRole("button", { name: "Approve", exact: true }).click();
    await own.getByText("Looks good").first().waitFor();
    await first.getByText("Succeeded", { exact: true }).first().waitFor();
  });

  test("a reader sees why cancelling and deciding are not allowed", async () => {
    const team = await runs.team();
    const { path } = await runs.start(team.owner.token, team, [approval("release")]);
    const page = await site.openAs("reader", team, path);
    const cancel = page.getByRole("button", { name: "Cancel" });
    await cancel.focus();
    await page.getByRole("tooltip").getByText("workflowrun/action").waitFor();
    await page.getByRole("button", { name: "Decide" }).click();
    await page.getByText("To decide, you need the permission action/action").first().waitFor();
    expect(await page.getByRole("button", { name: "Approve", exact: true }).getAttribute("aria-disabled")).toBe("true");
    await expectAccessible(page);
  });

  test("an editor cancels a run, and runs it again as a new one that names the first", async () => {
    const team = await runs.team();
    const { id, path } = await runs.start(team.owner.token, team, [shell("long", "sleep 60")]);
    const page = await site.openAs("editor", team, path);
    await page.getByRole("button", { name: "Cancel" }).click();
    await expectAccessible(page);
    await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
    await page.getByText("Cancelled", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Run again" }).click();
    await page.getByText(/^Rerun of /).waitFor();
    expect(page.url()).not.toContain(id);
    await page.getByRole("link", { name: id.slice(-8) }).click();
    await page.waitForURL(`**${path}`);
  });

  test("an editor runs a failed run again from what failed, and what succeeded is taken over", async () => {
    const team = await runs.team();
    const { id, path } = await runs.start(team.owner.token, team, [
      shell("prepare", "echo prepared"),
      shell("flaky", "exit 1", after("prepare")),
    ]);
    await runs.over(team.owner.token, team, id);
    const page = await site.openAs("editor", team, path);
    await page.getByRole("button", { name: "Rerun from failed" }).click();
    await page.getByText(/^Reuses \d tasks? of run /).waitFor();
    const again = new URL(page.url()).pathname.split("/").at(-1) as string;
    const over = await runs.over(team.owner.token, team, again);
    expect(over.tasks.find(({ name }) => name === "prepare")?.status).toBe("succeeded");
  });

  test("a run is run again with other parameters, beginning with those that it had", async () => {
    const team = await runs.team();
    const params = [{ name: "city", type: "text", label: "City" }];
    const values = [{ name: "city", value: "Oslo" }];
    const { id, path } = await runs.start(team.owner.token, team, [shell("greet", "echo $(params.city)")], { params, values });
    await runs.over(team.owner.token, team, id);
    const page = await site.openAs("editor", team, `${path}?view=values`);
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
    await page.getByRole("radiogroup", { name: "View" }).getByText("Parameters").click();
    await shown.getByText("Bergen").waitFor();
  });

  test("the results of a run are visible when it opens, and all of them are one click away", async () => {
    const team = await runs.team();
    const keep = { name: "keep", type: "setwfproperty", taskRef: "set-result-parameter" };
    const { id, path } = await runs.start(team.owner.token, team, [
      {
        ...keep,
        params: [
          { name: "output", value: "total" },
          { name: "value", value: "forty-two" },
        ],
      },
    ]);
    await runs.over(team.owner.token, team, id);
    const page = await site.openAs("reader", team, path);
    await page.getByText("forty-two").waitFor();
    await expectAccessible(page);
    await takePictures(page, "run-results");
    await page.getByRole("button", { name: "Show results" }).click();
    await page.getByRole("region", { name: "Parameters and results of the run" }).getByText("forty-two").waitFor();
    expect(await page.getByRole("radio", { name: "Parameters and results" }).isChecked()).toBe(true);
  });

  test("warnings are counted in header and list, shown at the task, and told with their reasons", async () => {
    const team = await runs.team();
    const { id, path } = await runs.start(team.owner.token, team, [shell("greet", "echo $(params.nope) hello")], {
      unresolvedReferences: "keep",
      timeout: 10_000,
    });
    await runs.over(team.owner.token, team, id);
    const page = await site.open(path, team.owner.token);
    await page.locator("main header").getByText("2 warnings").waitFor();
    await page.getByRole("button", { name: /greet .*1 warning/ }).waitFor();
    const warnings = page.getByRole("region", { name: "Warnings" });
    await warnings.getByText("2 warnings").click();
    await warnings.getByText("maxWorkflowRunDuration").waitFor();
    await warnings.getByText("$(params.nope)").waitFor();
    await expectAccessible(page);
    await warnings.getByRole("button", { name: "greet" }).click();
    await page.getByRole("region", { name: "Details of greet" }).getByText("$(params.nope)").last().waitFor();

    const list = await site.open(`/${team.name}/activity`, team.owner.token);
    await list.locator(`[data-row="${id}"]`).getByText("2 warnings").waitFor();
    await expectAccessible(list);
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
