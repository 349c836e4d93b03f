import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { expectLight, expectWithin, type Movement, watchMovement, workOf } from "../kit/frames.ts";
import { runSite, shell } from "../kit/run-site.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("graphs of 500 tasks", async () => {
  const site = await openSite();
  const runs = runSite(site);
  let owner: string;
  let team: Awaited<ReturnType<typeof runs.team>>;

  /** Twenty rows of 25, each task linked to the next of its row. */
  const inRows = (index: number) => (index < 20 ? {} : { dependencies: [{ taskRef: `t${index - 20}` }] });

  beforeAll(async () => {
    team = await runs.team();
    owner = team.owner.token;
    const tasks = Array.from({ length: 500 }, (_, index) => shell(`t${index}`, "true", inRows(index)));
    await site.call(owner, "POST", `${team.api}/workflow`, { name: "large", tasks });
  });

  const node = (page: Page, name: string) => page.getByRole("group", { name: new RegExp(`^${name},`) });

  async function openDesigner(): Promise<Page> {
    const page = await site.open(`/${team.name}/workflows/large/design`, owner);
    await node(page, "start").waitFor();
    await page.waitForLoadState("networkidle");
    return page;
  }

  /** An empty place of the canvas: between the last visible row and the tools. */
  async function emptyPlace(page: Page): Promise<{ x: number; y: number }> {
    const place = await page.evaluate(`(() => {
      const box = document.querySelector(".react-flow").getBoundingClientRect();
      for (let y = box.bottom - 8; y > box.top; y -= 8)
        for (let x = box.left + box.width / 2; x < box.right; x += 16)
          if (document.elementFromPoint(x, y)?.classList.contains("react-flow__pane")) return { x, y };
    })()`);
    return place as { x: number; y: number };
  }

  /** Drags the canvas far enough to reach parts that were not rendered. */
  async function pan(page: Page): Promise<Movement> {
    const { x, y } = await emptyPlace(page);
    await page.mouse.move(x, y);
    await page.mouse.down();
    const movement = await watchMovement(page, 120, (step) => page.mouse.move(x - step * 4, y - step * 2));
    await page.mouse.up();
    return movement;
  }

  async function drag(page: Page, name: string): Promise<Movement> {
    const box = await node(page, name).boundingBox();
    if (!box) throw new Error(`${name} is not in sight`);
    const [x, y] = [box.x + 20, box.y + 20];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 5, y + 5);
    const movement = await watchMovement(page, 60, (step) => page.mouse.move(x + 5 + (step % 30) * 2, y + 5 + (step % 30)));
    await page.mouse.up();
    return movement;
  }

  const changed = (movement: Movement, name: string) => new Map(movement.mutations).get(name) ?? 0;

  /** What changes with each step when a graph is moved: three layers are shifted. Everything else is rendered once, when it comes near. */
  function expectOnlyShifted(movement: Movement): void {
    const isShift = (name: string) => /^(react-flow__viewport|_ground_\S*|_frame_\S*) style$/.test(name);
    const others = movement.mutations.filter(([name]) => !isShift(name));
    expect(others.filter(([name]) => !/(?:childList|characterData)$/.test(name))).toEqual([]);
    expect(others.reduce((sum, [, count]) => sum + count, 0)).toBeLessThan(movement.steps);
    // Besides, it becomes a compositing layer when the movement starts, and stops being one when it ends.
    expect(changed(movement, "react-flow__viewport style")).toBeLessThan(1.5 * movement.steps);
  }

  test("the designer is moved without drawing its tasks again, by the pointer and by keys, and does not scroll sideways on a narrow screen", async () => {
    const page = await openDesigner();
    expect(await page.locator(".react-flow__node").count()).toBeLessThan(160);
    const byPointer = await pan(page);
    await expectLight("designer, drag", page, byPointer, 20);
    expectOnlyShifted(byPointer);
    await page.locator(".react-flow").focus();
    const byKeys = await watchMovement(page, 60, () => page.keyboard.press("ArrowRight"));
    await expectLight("designer, arrow keys (64 px a step)", page, byKeys, 40);
    await takePictures(page, "designer-large");
    await page.keyboard.press("Home");
    await node(page, "start").waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await takePictures(page, "designer-narrow");
  }, 120_000);

  test("zoomed out, the designer shows boxes and lines, and one key fits everything into view", async () => {
    const page = await openDesigner();
    const { x, y } = await emptyPlace(page);
    await page.mouse.move(x, y);
    await expectLight("designer, zoom out", page, await watchMovement(page, 60, () => page.mouse.wheel(0, 20)), 40);
    await page.locator(".react-flow").focus();
    await page.keyboard.press("f");
    await expect.poll(() => page.locator(".react-flow__node").count()).toBeGreaterThan(500);
    await takePictures(page, "designer-far");
    await expectAccessible(page);
    const far = await pan(page);
    await expectLight("designer, drag, all 500 in sight", page, far, 20);
    expectOnlyShifted(far);
  }, 120_000);

  test("one task among 500 is moved, and all of them together", async () => {
    const page = await openDesigner();
    const one = await drag(page, "t10");
    await expectLight("designer, one task moved", page, one, 30);
    expect(changed(one, "react-flow__nodes childList")).toBe(0);
    await page.keyboard.press("Control+a");
    const all = await drag(page, "t10");
    await expectLight("designer, all 500 tasks moved", page, all, 60);
    await page.keyboard.press("Control+z");
  }, 120_000);

  test("the graph beside the code is scrolled, and only what comes near is drawn", async () => {
    const page = await site.open(`/${team.name}/workflows/large/code`, owner);
    const graph = page.getByRole("region", { name: "Graph of the workflow" });
    await graph.waitFor();
    await page.locator(".cm-line").first().waitFor();
    await page.waitForLoadState("networkidle");
    await graph.hover();
    const movement = await watchMovement(page, 60, () => page.mouse.wheel(40, 20));
    expect(await graph.evaluate((box) => box.scrollLeft)).toBeGreaterThan(500);
    await expectLight("graph beside the code, scroll", page, movement, 40);
  }, 120_000);

  test("the graph of a run is moved without drawing its tasks again", async () => {
    const given = {
      taskRef: "set-result-parameter",
      params: [
        { name: "output", value: "x" },
        { name: "value", value: "y" },
      ],
    };
    const tasks = Array.from({ length: 500 }, (_, index) => ({ name: `t${index}`, ...given, ...inRows(index) }));
    const { id } = await runs.start(owner, team, tasks);
    await runs.over(owner, team, id);
    const page = await site.open(`/${team.name}/activity/${id}`, owner);
    await page.locator(".react-flow__node button").first().waitFor();
    await page.waitForLoadState("networkidle");
    const movement = await pan(page);
    await expectLight("run, drag", page, movement, 20);
    expectOnlyShifted(movement);
    await takePictures(page, "run-graph-large");
    await page.locator(".react-flow").focus();
    await expectLight("run, arrow keys (64 px a step)", page, await watchMovement(page, 60, () => page.keyboard.press("ArrowRight")), 40);
  }, 120_000);

  test("500 tasks are drawn within a second of the click on them", async () => {
    const page = await site.open(`/${team.name}/workflows/large/overview`, owner);
    const design = page.getByRole("link", { name: "Design", exact: true });
    const open = async () => {
      await design.click();
      await node(page, "start").waitFor();
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    };
    // The modules of the page are loaded when you point at the link or focus it: a moment before the click.
    await design.hover();
    await page.waitForLoadState("networkidle");
    const first = await timed(() => workOf(page, open));
    await page.goBack();
    const again = await timed(() => workOf(page, open));
    console.info(`500 tasks opened: first ${told(first)}; again ${told(again)}`);
    await expectWithin(page, first.result, 1_000);
    await expectWithin(page, again.result, 1_000);
  }, 120_000);

  test("the graph of a run of 1,000 tasks opens within a second, and is moved with 16 ms of script and layout a frame", async () => {
    const given = { taskRef: "set-result-parameter", params: ["output", "value"].map((key) => ({ name: key, value: "x" })) };
    const tasks = Array.from({ length: 1_000 }, (_, index) => ({ name: `t${index}`, ...given, ...inRows(index) }));
    const { id } = await runs.start(owner, team, tasks);
    await runs.over(owner, team, id);
    const page = await site.open(`/${team.name}/activity/${id}?view=values`, owner);
    await page.getByText("Graph", { exact: true }).waitFor();
    await page.waitForLoadState("networkidle");
    const opened = await timed(() =>
      workOf(page, async () => {
        await page.getByText("Graph", { exact: true }).click();
        await page.locator(".react-flow__node button").first().waitFor();
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      }),
    );
    const movement = await pan(page);
    const { script, style, layout } = movement.kinds;
    console.info(`1,000 tasks opened: ${told(opened)}; a frame of a drag: ${(script + style + layout).toFixed(1)} ms of script and layout`);
    await expectWithin(page, opened.result, 1_000);
    expect(script + style + layout).toBeLessThan(16);
    await expectLight("run of 1,000 tasks, drag", page, movement, 20);
    expectOnlyShifted(movement);
  }, 120_000);

  test("the designer and the code of 1,000 tasks open within a second of the click on them", async () => {
    const tasks = Array.from({ length: 1_000 }, (_, index) => shell(`t${index}`, "true", inRows(index)));
    await site.call(owner, "POST", `${team.api}/workflow`, { name: "larger", tasks });
    for (const [name, drawn] of [
      ["Design", ".react-flow__node"],
      ["Code", "section svg g"],
    ] as const) {
      const page = await site.open(`/${team.name}/workflows/larger/overview`, owner);
      const link = page.getByRole("link", { name, exact: true });
      await link.hover();
      await page.waitForLoadState("networkidle");
      const opened = await timed(() =>
        workOf(page, async () => {
          await link.click();
          await page.locator(drawn).first().waitFor();
          await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
        }),
      );
      console.info(`${name} of 1,000 tasks opened: ${told(opened)}`);
      await expectWithin(page, opened.result, 1_000, name);
      await page.close();
    }
  }, 120_000);

  async function timed(action: () => Promise<number>) {
    const begun = Date.now();
    const result = await action();
    return { result, ms: Date.now() - begun };
  }

  const told = ({ result, ms }: { result: number; ms: number }) => `${ms} ms, ${result.toFixed(0)} ms of processor time`;

  test("a long chain opens at its start, in a readable size, and shows more of it the more is collapsed", async () => {
    const tasks = Array.from({ length: 40 }, (_, index) =>
      shell(
        `step-${index}-of-chain`,
        "true",
        index === 0 ? {} : { dependencies: [{ taskRef: `step-${index - 1}-of-chain`, executionCondition: "success" }] },
      ),
    );
    await site.call(owner, "POST", `${team.api}/workflow`, { name: "chain", tasks });
    const page = await site.open(`/${team.name}/workflows/chain/design`, owner);
    await node(page, "start").waitFor();
    for (const width of [1920, 1440, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole("button", { name: "Go to start" }).click();
      await takePictures(page, `designer-chain-${width}`);
      console.info(`${width} pixels: ${await wholeTasks(page)} tasks of a chain are read at once`);
    }
    expect(await wholeTasks(page)).toBeGreaterThanOrEqual(3);
    await page.getByRole("button", { name: "Hide form" }).click();
    await page.getByRole("button", { name: "Hide tasks" }).click();
    await page.getByRole("button", { name: "Go to start" }).click();
    await takePictures(page, "designer-chain-folded");
    expect(await wholeTasks(page)).toBeGreaterThanOrEqual(4);
    await page.reload();
    await page.getByRole("button", { name: "Show form" }).waitFor();
    await expectAccessible(page);
    await node(page, "start").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("e");
    await page.getByRole("region", { name: "Selection" }).waitFor();
  }, 120_000);

  /** How many are completely visible, with a name of at least 9 pixels. */
  async function wholeTasks(page: Page): Promise<number> {
    return (await page.evaluate(`(() => {
      const canvas = document.querySelector(".react-flow").getBoundingClientRect();
      return [...document.querySelectorAll(".react-flow__node")].filter((node) => {
        const box = node.getBoundingClientRect();
        return box.left >= canvas.left && box.right <= canvas.right && box.height >= 56 * 0.74;
      }).length;
    })()`)) as number;
  }
});
