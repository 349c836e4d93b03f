import { test } from "vitest";
import { until } from "../../../server/test/kit/until.ts";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { after, approval, runSite, shell } from "../kit/run-site.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("what a run waits for", async () => {
  const site = await openSite();
  const runs = runSite(site);

  const gate = { name: "gate", type: "eventwait", taskRef: "wait-for-event", params: [{ name: "topic", value: "go" }] };

  test("every wait is a sentence: a lock and its holder, a sleep, votes so far, a missing worker, earlier tasks, another run", async () => {
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
    await site.call(token, "POST", `${team.api}/workflow`, { name: "child", tasks: [gate] });
    const wait = [
      { name: "workflowRef", value: "child" },
      { name: "wait", value: "true" },
    ];
    const call = { name: "call", type: "runworkflow", taskRef: "run-workflow", params: wait };
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
      call,
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
    await page.goBack();
    await says("call", /of workflow "child", which is/);
    await page
      .getByRole("region", { name: "Task call" })
      .getByRole("link", { name: /^[0-9a-f]{8}$/ })
      .first()
      .click();
    await page.getByText("Started by run").waitFor();
  });
});
