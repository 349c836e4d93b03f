import { expect, test } from "vitest";
import { expectAccessible } from "./kit/accessibility.ts";
import { describeInBrowser, takePictures } from "./kit/browser.ts";
import { asks, startRuns } from "./kit/people-data.ts";
import { openSite } from "./kit/site.ts";

describeInBrowser("the inbox of actions", async () => {
  const site = await openSite();
  const team = await site.make.team({ name: "kestrels" });
  await site.sql`update team set max_concurrent_runs = 100 where id = ${team.id}`;
  const editor = await site.make.member(team.id, "editor");
  const start = (workflow: { name: string; tasks?: unknown }, count = 1, by = site.adminToken) =>
    startRuns(site, by, team.name, workflow, count);
  const actionsOf = async (workflow: string) =>
    (await site.call<{ content: { id: string }[] }>(site.adminToken, "GET", `/api/v2/team/kestrels/action/query?workflows=${workflow}`))
      .content;

  /** What each vote says, who may vote and what is sent is in the tests of the components. */
  test("an editor decides many at once with one comment, and one by keyboard, and their runs continue", async () => {
    const runs = await start(asks("many"), 3);
    await start(asks("shelf", {}, "manual"));
    await start(asks("keys"));
    const page = await site.open("/kestrels/actions", editor.token);
    await page.getByText(/open approvals · 1 open manual task/).waitFor();
    await takePictures(page, "actions");
    await expectAccessible(page);
    for (const box of await page.getByLabel("Select decide of Release many").all()) await box.check();
    await page.getByText("3 selected").waitFor();
    await page.getByRole("button", { name: "Approve selected" }).click();
    await page.getByLabel("Comment").fill("All of them look good");
    await page.getByRole("button", { name: "Approve 3" }).click();
    await page.getByText("3 done").waitFor();
    await takePictures(page, "actions-decided");
    await expectAccessible(page);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("row", { name: /many/ }).first().waitFor({ state: "detached" });
    for (const id of runs) {
      const run = await site.call<{ status: string }>(site.adminToken, "GET", `/api/v2/team/kestrels/workflowrun/${id}`);
      expect(run.status).toBe("succeeded");
    }

    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("row", { name: /keys/ }).waitFor();
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await takePictures(page, "actions-narrow");
    await page.setViewportSize({ width: 1280, height: 800 });
    // The focus may be on any row: the one of the workflow is looked for.
    const focused = () => page.evaluate<string>("document.activeElement?.closest('tr')?.textContent ?? ''");
    await page.keyboard.press("j");
    if (!(await focused()).includes("keys")) await page.keyboard.press("j");
    expect(await focused()).toContain("keys");
    await page.keyboard.press("a");
    await page.getByRole("dialog").getByLabel("Comment").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByText("1 done").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("row", { name: /keys/ }).waitFor({ state: "detached" });
  });

  test("an approval is filled in on a telephone, by someone other than the person who started the run, and a later task uses it", async () => {
    const release = asks("guarded", {
      requesterMayNotApprove: true,
      title: "Release $(params.version)",
      fields: [{ name: "region", label: "Region", required: true }],
      links: [{ label: "Release notes", url: "https://example.com/notes" }],
    });
    const use = {
      ...{ name: "use", type: "setwfproperty", taskRef: "set-result-parameter", dependencies: [{ taskRef: "decide" }] },
      params: [
        { name: "output", value: "deployed" },
        { name: "value", value: "$(tasks.decide.results.region)" },
      ],
    };
    const [runId] = await start({ ...release, tasks: [...release.tasks, use] }, 1, editor.token);
    const [action] = await actionsOf("guarded");
    const own = await site.open(`/kestrels/actions/${action?.id}`, editor.token);
    await own.getByText("You started this run, so someone else has to decide.").first().waitFor();
    const other = await site.openAs("editor", team, `/kestrels/actions/${action?.id}`);
    await other.setViewportSize({ width: 390, height: 500 });
    await other.getByRole("heading", { name: "Release 1.4.0" }).waitFor();
    await other.getByRole("link", { name: "Release notes" }).waitFor();
    const approve = other.getByRole("button", { name: "Approve", exact: true });
    const box = await approve.boundingBox();
    expect((box?.y ?? 1000) + (box?.height ?? 0), "in reach without scrolling").toBeLessThanOrEqual(500);
    const last = other.getByLabel("About this action").getByRole("listitem").last();
    await other.getByLabel("Comment").waitFor();
    const ends = async () => {
      await other.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
      const [end, buttons] = [await last.boundingBox(), await approve.boundingBox()];
      return (end?.y ?? 1000) + (end?.height ?? 0) - (buttons?.y ?? 0);
    };
    await expect.poll(ends, { message: "the end of the page is above the buttons" }).toBeLessThan(0);
    const [panel, comment] = [
      await other.getByRole("region", { name: "Decide", exact: true }).boundingBox(),
      await other.getByLabel("Comment").boundingBox(),
    ];
    const below = (panel?.y ?? 0) + (panel?.height ?? 0) - (comment?.y ?? 0) - (comment?.height ?? 0);
    expect(below, "no empty strip in the panel").toBeLessThan(40);
    await takePictures(other, "action");
    await expectAccessible(other);
    await other.getByLabel("Region").fill("eu");
    await other.getByLabel("Comment").fill("Checked with <b>the millers</b>");
    await approve.click();
    for (const page of [other, own]) await page.getByText("Checked with <b>the millers</b>").waitFor();
    const run = await site.call<object>(site.adminToken, "GET", `/api/v2/team/kestrels/workflowrun/${runId}`);
    expect(run).toMatchObject({ status: "succeeded", results: [{ name: "deployed", value: "eu" }] });
    await takePictures(own, "action-decided");
  });
});
