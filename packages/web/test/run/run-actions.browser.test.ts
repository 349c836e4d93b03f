import { expect, test } from "vitest";
import { until } from "../../../server/test/kit/until.ts";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { after, approval, runSite, shell, type TestNode } from "../kit/run-site.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("what is done to a run, and what a run does", async () => {
  const site = await openSite();
  const runs = runSite(site);

  const gate = { name: "gate", type: "eventwait", taskRef: "wait-for-event", params: [{ name: "topic", value: "go" }] };
  const chore = (name: string, instructions: string) => ({
    name,
    type: "manual",
    taskRef: "manual-task",
    params: [{ name: "instructions", value: instructions }],
  });

  /** Submits a run that is queued instead of rejected if there is no free slot. */
  async function queue(team: Awaited<ReturnType<typeof runs.team>>, ...tasks: TestNode[]) {
    await site.call(team.owner.token, "POST", `${team.api}/workflow`, { name: "queued", tasks });
    const { id } = await site.call<{ id: string }>(team.owner.token, "POST", `${team.api}/workflow/queued/submit`, {});
    return `/${team.name}/activity/${id}`;
  }

  test("a run that waits for its quota says so, is refused when started now, and begins by itself when there is room", async () => {
    const team = await runs.team();
    await site.call(site.adminToken, "PATCH", team.api, { quotas: { maxConcurrentRuns: 1 } });
    const first = await runs.start(team.owner.token, team, [shell("hold", "sleep 300")]);
    await until(async () => (await runs.run(team.owner.token, team, first.id)).status === "running", "the first runs");
    const path = await queue(team, shell("work", "echo done"));
    const page = await site.openAs("editor", team, path);
    await page.getByText("1 of 1 runs are active").waitFor();
    await page.getByRole("button", { name: "Start now" }).click();
    await page.getByRole("alert").getByText("maxConcurrentRuns").waitFor();
    await takePictures(page, "run-queued");
    await expectAccessible(page);
    await site.call(team.owner.token, "DELETE", `${team.api}/workflowrun/${first.id}/cancel`);
    await page.locator("main header").getByText("Succeeded").waitFor();
    await page.getByRole("alert").waitFor({ state: "detached" });
    const reader = await site.openAs("reader", team, path);
    expect(await reader.getByRole("button", { name: "Run again" }).getAttribute("aria-description")).toContain("workflowrun/action");
  });

  test("a run that is over is finalized after a question; before, and to a reader, the menu says why not", async () => {
    const team = await runs.team();
    const { id, path } = await runs.start(team.owner.token, team, [gate]);
    const page = await site.openAs("editor", team, path);
    const item = page.getByRole("menuitem", { name: /Release workspaces/ });
    await page.getByRole("button", { name: "More actions" }).click();
    expect(await item.getAttribute("aria-description")).toContain("has not ended yet");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await site.call(team.owner.token, "POST", `/api/v2/callback?ref=${id}&topic=go&status=succeeded`, {});
    await page.locator("main header").getByText("Succeeded").waitFor();
    const reader = await site.openAs("reader", team, path);
    await reader.getByRole("button", { name: "More actions" }).click();
    expect(await reader.getByRole("menuitem", { name: /Release workspaces/ }).getAttribute("aria-description")).toContain(
      "workflowrun/action",
    );

    await page.getByRole("button", { name: "More actions" }).click();
    await item.click();
    const dialog = page.getByRole("dialog", { name: "Release the workspaces of this run?" });
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Release workspaces" }).click();
    await page.getByText("Workspaces released", { exact: true }).waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    expect(await item.getAttribute("aria-description")).toContain("already released");
    await takePictures(page, "run-finalized");
  });

  test("a run shows which runs its end started and which it did not, and those lead back to it", async () => {
    const team = await runs.team();
    const { token } = team.owner;
    const conditions = [{ field: "workflows", operation: "in", values: ["build"] }];
    const { id, path } = await runs.start(token, team, [gate], { name: "build" });
    const place = { name: "place", type: "text", required: true };
    for (const more of [{ name: "report" }, { name: "publish", params: [place] }])
      await site.call(token, "POST", `${team.api}/workflow`, { ...more, tasks: [], triggers: { workflow: { enabled: true, conditions } } });
    const page = await site.open(path, token);
    await page.locator("main header").getByText("Waiting for an event", { exact: true }).waitFor();
    await site.call(token, "POST", `/api/v2/callback?ref=${id}&topic=go&status=succeeded`, {});
    const said = page.getByText("The end of this run started");
    await said.waitFor();
    await page.getByText("which waits for it to end, was rejected").waitFor();
    await takePictures(page, "run-follow-ups");
    await expectAccessible(page);
    await said.getByRole("link").click();
    await page.getByText("Started by the end of run").waitFor();
    await page.getByRole("link", { name: id.slice(-8) }).click();
    await page.waitForURL(`**${path}`);
  });

  test("a task that runs another workflow says what it waits for and leads to that run, also afterwards", async () => {
    const team = await runs.team();
    const { token } = team.owner;
    await site.call(token, "POST", `${team.api}/workflow`, { name: "child", tasks: [gate] });
    const call = {
      name: "call",
      type: "runworkflow",
      taskRef: "run-workflow",
      params: [
        { name: "workflowRef", value: "child" },
        { name: "wait", value: "true" },
      ],
    };
    const { id, path } = await runs.start(token, team, [call]);
    await until(async () => (await children()).length === 1, "the child is there");
    async function children() {
      const query = `${team.api}/workflowrun/query?workflows=child`;
      return (await site.call<{ content: { id: string }[] }>(token, "GET", query)).content;
    }
    const child = (await children())[0]?.id as string;
    const page = await site.open(path, token);
    await page.getByRole("button", { name: /Waiting call/ }).click();
    const panel = page.getByRole("region", { name: "Task call" });
    await panel.getByText('of workflow "child", which is').waitFor();
    await panel
      .getByRole("link", { name: child.slice(-8) })
      .first()
      .click();
    await page.waitForURL(`**/activity/${child}`);
    await page.getByText("Started by run").waitFor();
    await site.call(token, "POST", `/api/v2/callback?ref=${child}&topic=go&status=succeeded`, {});
    await runs.over(token, team, id);
    await page.goBack();
    await panel.getByText("Run that it started").waitFor();
    expect(
      await panel
        .getByRole("link", { name: child.slice(-8) })
        .last()
        .getAttribute("href"),
    ).toContain(child);
    await expectAccessible(page);
  });

  test("a manual task is done by one person, another can't be done: the run goes the way that was chosen", async () => {
    const team = await runs.team();
    const { path } = await runs.start(team.owner.token, team, [
      chore("unplug", "Unplug the **old** rack. <script>document.title='x'</script>"),
      { ...chore("plug", "Plug the new one."), ...after("unplug") },
      shell("mourn", "echo never mind", { dependencies: [{ taskRef: "plug", executionCondition: "failure" }] }),
    ]);
    const page = await site.openAs("editor", team, path);
    await page.getByText("Waiting for a person to do this task and confirm it", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Decide" }).click();
    const first = page.getByRole("region", { name: "Task unplug" });
    await first.getByRole("button", { name: "Mark as done" }).waitFor();
    // The Markdown renderer is loaded on first use.
    await first.locator("strong").getByText("old").waitFor();
    await takePictures(page, "run-manual");
    await expectAccessible(page);
    await first.getByRole("button", { name: "Mark as done" }).click();
    await first.getByText("Done", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Decide" }).click();
    const second = page.getByRole("region", { name: "Task plug" });
    await second.getByLabel("Comment").fill("No plug fits");
    await second.getByRole("button", { name: "Can't be done" }).click();
    await second.getByText("No plug fits").first().waitFor();
    await page.getByRole("button", { name: /Succeeded mourn/ }).waitFor();
    await expectAccessible(page);
  });

  test("every kind of waiting is a sentence: a lock with its holder, a sleep, votes so far, a worker that is missing, tasks before", async () => {
    const team = await runs.team();
    const { token } = team.owner;
    const lock = {
      name: "lock",
      type: "acquirelock",
      taskRef: "acquire-lock",
      params: [
        { name: "key", value: "deploy" },
        { name: "timeout", value: "600" },
      ],
    };
    const holder = await runs.start(token, team, [lock, { ...gate, ...after("lock") }]);
    await until(
      async () => (await runs.run(token, team, holder.id)).tasks.some((one) => one.name === "gate" && one.status === "waiting"),
      "held",
    );
    const { path } = await runs.start(token, team, [
      lock,
      { name: "nap", type: "sleep", taskRef: "sleep", params: [{ name: "duration", value: "3600000" }] },
      approval("vote", { numberOfApprovers: "2" }),
      shell("paint", "true", { annotations: { "millrace.dev/runs-on": "gpu" } }),
      shell("last", "true", after("lock", "nap")),
    ]);
    const page = await site.open(`${path}?view=list`, token);
    const says = async (task: string, words: RegExp) => {
      await page.getByRole("button", { name: task, exact: true }).first().click();
      await page
        .getByRole("region", { name: `Task ${task}` })
        .getByText(words)
        .first()
        .waitFor();
    };
    await says("nap", /Sleeps until \d/);
    await says("vote", /Waiting for .*approval/);
    await says("paint", /has the label "gpu"/);
    await says("last", /Waiting for tasks/);
    await says("lock", /Lock "deploy" is held/);
    const panel = page.getByRole("region", { name: "Task lock" });
    await page.getByRole("cell", { name: /Sleeps until \d+ \w+ \d{4}/ }).waitFor();
    await takePictures(page, "run-waits");
    await expectAccessible(page);
    await panel.getByRole("link", { name: holder.id.slice(-8) }).click();
    await page.waitForURL(`**${holder.path}`);
  });
});
