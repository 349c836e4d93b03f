import { expect, test } from "vitest";
import { until } from "../../server/test/kit/until.ts";
import { describeInBrowser, journeyMs } from "./kit/browser.ts";
import { asks, startRuns } from "./kit/people-data.ts";
import { after, approval, runSite, shell } from "./kit/run-site.ts";
import { openSite } from "./kit/site.ts";
import { findMoves } from "./kit/steady.ts";

const fields = JSON.stringify([{ name: "region", type: "select", options: [{ key: "eu", value: "Europe" }], label: "Region" }]);

/** What a page shows late must not move what is already there: the pointer may be on its way to it, and would press something else. */
describeInBrowser("after its heading is shown", async () => {
  const site = await openSite();
  const runs = runSite(site);
  const team = await runs.team();
  const { token } = team.owner;
  const failing = await runs.start(token, team, [
    shell("check", "echo 'error: no stock' >&2; exit 3"),
    shell("ship", "true", after("check")),
  ]);
  await runs.over(token, team, failing.id);
  const at = `${team.api}/workflowrun/${failing.id}`;
  const rerun = await site.call<{ id: string }>(token, "PUT", `${at}/rerun?start=true`);
  await startRuns(site, token, team.name, asks("release"));
  const waiting = await runs.start(token, team, [approval("sign", { fields, instructions: "Look at the **notes**." })]);
  const actions = () =>
    site.call<{ content: { id: string; workflowRunRef: string }[] }>(token, "GET", `${team.api}/action/query?limit=10&page=0`);
  await until(async () => (await actions()).content.length === 2, "both actions are open", 20_000);
  const action = (await actions()).content.find(({ workflowRunRef }) => workflowRunRef === waiting.id);

  const pages: [name: string, path: string, settled: string][] = [
    ["home", "/home", "main table tr a"],
    ["a failed run with a rerun", failing.path, `main a[href$="${rerun.id}"]`],
    ["a waiting run", waiting.path, ".react-flow__node"],
    ["activity", `/${team.name}/activity`, "main table tr a"],
    ["actions", `/${team.name}/actions`, "main table tr a"],
    ["an action", `/${team.name}/actions/${action?.id}`, "main aside"],
    ["the overview of a workflow", `/${team.name}/workflows/${failing.name}/overview`, "main article pre"],
    ["insights", `/${team.name}/insights`, "main .recharts-surface"],
  ];

  test.each([1280, 360])("nothing that can be clicked moves, %i pixels wide", { timeout: journeyMs }, async (width) => {
    const moved: object[] = [];
    for (const [name, path, settled] of pages) {
      const page = await site.open("/favicon.ico", token);
      await page.setViewportSize({ width, height: width > 500 ? 800 : 740 });
      const moves = await findMoves(page, site.address + path, settled);
      await page.close();
      if (moves.length > 0) moved.push({ name, moves: moves.slice(0, 5) });
    }
    expect(moved).toEqual([]);
  });
});
