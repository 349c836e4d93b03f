import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, takePictures } from "./browser.ts";
import { openSite } from "./site.ts";

describeInBrowser("the designer", async () => {
  const site = await openSite();
  let team: { id: string; name: string };
  let owner: string;

  beforeAll(async () => {
    team = await site.make.team();
    owner = (await site.make.member(team.id, "owner")).token;
  });

  interface Task {
    name: string;
    taskVersion?: number;
    dependencies: { taskRef: string; executionCondition?: string; decisionCondition?: string }[];
    params: { name: string; value: unknown }[];
  }
  const path = () => `/api/v2/team/${team.name}/workflow`;
  const make = (document: object) => site.call(owner, "POST", path(), document);
  const read = (name: string) =>
    site.call<{ version: number; tasks: Task[]; changelog: { reason: string } }>(owner, "GET", `${path()}/${name}`);
  const edges = ({ tasks }: { tasks: Task[] }) =>
    tasks.flatMap((task) => task.dependencies.map(({ taskRef }) => `${taskRef}>${task.name}`)).sort();
  const design = (name: string, view = "design") => `/${team.name}/workflows/${name}/${view}`;
  const node = (page: Page, name: string) => page.getByRole("group", { name: new RegExp(`^${name},`) });
  const saved = (page: Page, version: number) => page.getByText(`Saved as version ${version}.`).first().waitFor();
  const shell = (name: string, after: string[], script = "true") => ({
    name,
    taskRef: "execute-shell",
    dependencies: after.map((taskRef) => ({ taskRef })),
    params: [{ name: "script", value: script }],
  });

  /** Of the page's own work, in ms for each step of the pointer: a frame of 60 in a second has 16.7 ms for it. */
  async function busyWhilePanning(page: Page): Promise<number> {
    const steps = 60;
    const session = await page.context().newCDPSession(page);
    // What the page's thread works, not how long it waits for a core that something else has.
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const workSeconds = async () =>
      (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
    const [x, y] = [760, 640];
    await page.mouse.move(x, y);
    await page.mouse.down();
    const before = await workSeconds();
    for (let step = 1; step <= steps; step++) await page.mouse.move(x - step * 4, y - step * 2);
    const busy = (await workSeconds()) - before;
    await page.mouse.up();
    return (busy * 1000) / steps;
  }

  test("a task is dragged onto the canvas, and a link is drawn from one task to another", async () => {
    await make({ name: "dragged", tasks: [shell("a", []), shell("b", [])] });
    const page = await site.open(design("dragged"), owner);
    await node(page, "b").waitFor();
    await page.getByRole("button", { name: "Add Sleep" }).dragTo(page.locator(".react-flow__pane"), { targetPosition: { x: 220, y: 460 } });
    await node(page, "sleep").waitFor();
    const from = node(page, "a").locator(".react-flow__handle.source");
    await from.dragTo(node(page, "b").locator(".react-flow__handle.target"));
    await page.getByRole("group", { name: /^From a to b/ }).waitFor();
    await node(page, "sleep").click();
    await page.getByLabel("Duration (milliseconds)").fill("10");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saved(page, 2);
    expect(edges(await read("dragged"))).toContain("a>b");
  });

  test("a workflow of two tasks is built, connected and saved by keyboard alone", async () => {
    await make({ name: "by-keyboard" });
    const page = await site.open(design("by-keyboard"), owner);
    const keys = page.keyboard;
    await page.getByLabel("Search tasks").focus();
    await keys.type("shell");
    await page.getByRole("button", { name: "Add Execute Shell" }).waitFor();
    await keys.press("Enter");
    await page.getByLabel("Name", { exact: true }).waitFor();
    await page.getByLabel("Name", { exact: true }).focus();
    await keys.press("ControlOrMeta+a");
    await keys.type("build");
    await keys.press("Enter");
    await page.getByRole("textbox", { name: "Script", exact: true }).focus();
    await keys.type("true");
    await page.getByLabel("Search tasks").focus();
    await keys.press("ControlOrMeta+a");
    await keys.type("sleep");
    await page.getByRole("button", { name: "Add Sleep" }).waitFor();
    await keys.press("Enter");
    await node(page, "sleep").waitFor();
    await page.getByLabel("Duration (milliseconds)").focus();
    await keys.type("10");
    await page.getByRole("button", { name: "Save", exact: true }).focus();
    await keys.press("Enter");
    await saved(page, 2);
    const workflow = await read("by-keyboard");
    expect(edges(workflow)).toEqual(["build>sleep", "sleep>end", "start>build"]);
    expect(workflow.tasks.find(({ name }) => name === "sleep")?.params).toEqual([{ name: "duration", value: "10" }]);
  });

  test("links are made, conditioned and taken away in the form; the drawing and the code say the same", async () => {
    await make({
      name: "linked",
      tasks: [shell("a", []), shell("b", []), { name: "which", taskRef: "switch", params: [{ name: "value", value: "x" }] }],
    });
    const page = await site.open(`${design("linked")}?node=a`, owner);
    await page.getByRole("tab", { name: "Links" }).click();
    await page.getByRole("combobox", { name: "Connect to" }).click();
    await page.getByRole("option", { name: "b", exact: true }).click();
    await page.getByRole("button", { name: "Connect" }).last().click();
    await page.getByRole("radiogroup", { name: "When the link from a to b is taken" }).getByText("Failure").click();
    await page.getByRole("group", { name: "From a to b, failure" }).waitFor();
    await node(page, "which").click();
    await page.getByRole("tab", { name: "Links" }).click();
    await page.getByRole("combobox", { name: "Connect to" }).click();
    await page.getByRole("option", { name: "b", exact: true }).click();
    await page.getByRole("button", { name: "Connect" }).last().click();
    await page.getByLabel("Taken when the value is").first().fill("gold\nsilver.*");
    await page.getByRole("group", { name: "From which to b, gold | silver.*" }).waitFor();
    await takePictures(page, "designer-links");
    await expectAccessible(page);
    await page.getByRole("link", { name: "Code" }).click();
    const code = page.getByRole("textbox", { name: "The workflow as YAML" });
    await code.getByText("name: linked", { exact: true }).waitFor();
    await takePictures(page, "designer-code");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saved(page, 2);
    expect((await read("linked")).tasks.find(({ name }) => name === "b")?.dependencies).toMatchObject([
      { taskRef: "start" },
      { taskRef: "a", executionCondition: "failure" },
      { taskRef: "which", decisionCondition: "gold\nsilver.*" },
    ]);
  });

  test("comments in the code are not kept, and that is said as soon as there is one", async () => {
    await make({ name: "commented", tasks: [shell("a", [])] });
    const page = await site.open(design("commented", "code"), owner);
    const code = page.getByRole("textbox", { name: "The workflow as YAML" });
    await code.getByText("name: commented", { exact: true }).waitFor();
    expect(await page.getByText("Comments are not kept").count()).toBe(0);
    await code.click();
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.insertText("# why it is there\n");
    await page.getByRole("note").getByText("Comments are not kept: they are gone when the drawing changes").waitFor();
    await takePictures(page, "designer-code-comments");
    await expectAccessible(page);
    await page.reload();
    await code.getByText("name: commented", { exact: true }).waitFor();
    expect(await page.getByText("why it is there").count()).toBe(0);
  });

  test("what is written in the code is drawn, and what can't be read is told and not saved", async () => {
    await make({ name: "coded", tasks: [shell("a", [])] });
    const page = await site.open(`${design("coded", "code")}?format=json`, owner);
    const code = page.getByRole("textbox", { name: "The workflow as JSON" });
    await code.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText("{ broken");
    await page.getByText("Can't be read yet").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).hover();
    await page.getByText("The code can't be read as it is: mend it first.").waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText(
      JSON.stringify({
        name: "coded",
        params: [],
        tasks: [
          { name: "start" },
          { name: "renamed", taskRef: "sleep", params: [{ name: "duration", value: 10 }], dependencies: [{ taskRef: "start" }] },
        ],
      }),
    );
    await page.getByRole("link", { name: "Design" }).click();
    await node(page, "renamed").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saved(page, 2);
    expect((await read("coded")).tasks.map(({ name }) => name)).toEqual(["start", "renamed", "end"]);
  });

  test("the service's own rules mark the faulty task while one works, and the list leads to it", async () => {
    await make({
      name: "faulty",
      tasks: [
        shell("good", []),
        { name: "call", taskRef: "run-workflow", params: [{ name: "workflowRef", value: "faulty" }], dependencies: [{ taskRef: "good" }] },
      ],
    });
    const page = await site.open(`${design("faulty")}?node=call`, owner);
    await page.getByRole("textbox", { name: "Workflow", exact: true }).fill("nowhere");
    await page.getByRole("group", { name: /^call,.*problem: .*names no workflow of the team/ }).waitFor();
    await page.getByLabel("Canvas of the workflow").press("Escape");
    await page.locator(".react-flow__pane").click({ position: { x: 300, y: 400 } });
    await takePictures(page, "designer-problems");
    await expectAccessible(page);
    await page.getByRole("button", { name: /^call: .*names no workflow/ }).click();
    await page.getByRole("textbox", { name: "Workflow", exact: true }).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Not saved:").waitFor();
    expect((await read("faulty")).version).toBe(1);
  });

  test("a warning is marked at its task and keeps nothing from being saved", async () => {
    await make({ name: "doubtful", tasks: [shell("a", [], "echo $(team.params.channel)")] });
    const page = await site.open(design("doubtful"), owner);
    await page.getByRole("group", { name: /^a,.*warning: .*the team has no team parameter "channel" now/ }).waitFor();
    await page.getByText("It can be saved, with 1 warning:").waitFor();
    await takePictures(page, "designer-warning");
    await expectAccessible(page);
    await page.getByRole("button", { name: /^a: Warning: / }).click();
    await page.getByRole("textbox", { name: "Script", exact: true }).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("renamed");
    await page.getByLabel("Name", { exact: true }).press("Enter");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saved(page, 2);
  });

  test("renaming takes references along, and undo, redo, copy and paste do what they say", async () => {
    await make({ name: "edited", tasks: [shell("a", []), shell("b", ["a"], "echo $(tasks.a.results.x)")] });
    const page = await site.open(`${design("edited")}?node=a`, owner);
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("first");
    await name.press("Enter");
    await node(page, "b").click();
    await page.getByText("$(tasks.first.results.x)").first().waitFor();
    await node(page, "b").focus();
    await page.keyboard.press("ControlOrMeta+c");
    await page.keyboard.press("ControlOrMeta+v");
    await node(page, "b-2").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await node(page, "b-2").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await node(page, "a").waitFor();
    await page.getByText("Unsaved changes").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Redo" }).click();
    await node(page, "first").waitFor();
    await node(page, "b").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Delete");
    await node(page, "b").waitFor({ state: "detached" });
  });

  test("references are completed with parameters and results of the tasks before", async () => {
    const call = { name: "call", taskRef: "execute-basic-http-call", dependencies: [{ taskRef: "a" }] };
    await make({ name: "completed", params: [{ name: "day" }], tasks: [{ ...shell("a", []), results: [{ name: "address" }] }, call] });
    const page = await site.open(`${design("completed")}?node=call`, owner);
    const field = page.getByRole("textbox", { name: "URL" });
    await field.click();
    await page.keyboard.type("$(tasks");
    await page.getByRole("option", { name: "tasks.a.results.address" }).waitFor();
    await takePictures(page, "designer-completion");
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    expect(await field.inputValue()).toBe("$(tasks.a.results.address)");
  });

  test("when somebody else saved first, both versions are compared before anything is written", async () => {
    await make({ name: "shared", tasks: [shell("a", []), shell("b", ["a"])] });
    const [one, other] = [
      await site.open(`${design("shared")}?node=a`, owner),
      await site.openAs("editor", team, `${design("shared")}?node=b`),
    ];
    await other.getByRole("tab", { name: "Settings" }).click();
    await other.getByLabel("Time limit in minutes").fill("5");
    await one.getByRole("tab", { name: "Settings" }).click();
    await one.getByLabel("Time limit in minutes").fill("7");
    await other.getByRole("button", { name: "Save", exact: true }).click();
    await saved(other, 2);
    await one.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = one.getByRole("dialog", { name: "Somebody else saved this workflow" });
    await dialog.getByText("timeout: 7").waitFor();
    await dialog.getByText("saved version 2").waitFor();
    await takePictures(one, "designer-conflict");
    await expectAccessible(one);
    await dialog.getByRole("button", { name: "Keep editing" }).click();
    expect((await read("shared")).version).toBe(2);
    await one.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByRole("button", { name: "Save mine on top" }).click();
    await saved(one, 3);
    // Whoever has changed nothing sees it without asking.
    await other.getByText("Version 3", { exact: true }).waitFor();
  });

  test("changes are not lost by leaving, and stay while one looks at the other views", async () => {
    await make({ name: "guarded", tasks: [shell("a", [])] });
    const page = await site.open(`${design("guarded")}?node=a`, owner);
    await page.getByRole("button", { name: "Add Sleep" }).click();
    await page.getByRole("link", { name: "Code" }).click();
    await page.getByRole("textbox", { name: "The workflow as YAML" }).waitFor();
    await page.getByText("Unsaved changes").waitFor();
    await page.getByRole("link", { name: "Design" }).click();
    await node(page, "sleep").waitFor();
    await page.getByRole("link", { name: "Activity" }).click();
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Stay here" }).click();
    await page.getByText("Unsaved changes").waitFor();
    await page.getByRole("link", { name: "Activity" }).click();
    await dialog.getByRole("button", { name: "Leave and lose them" }).click();
    await page.waitForURL("**/activity");
  });

  test("a reader looks at everything and is told why nothing can be changed; an old version is shown as it was", async () => {
    await make({ name: "looked-at", tasks: [shell("a", [])] });
    await site.call(owner, "PUT", path(), { name: "looked-at", tasks: [shell("newer", [])] });
    const page = await site.openAs("reader", team, `${design("looked-at")}?node=newer`);
    await page.getByText("This needs the permission workflow/write").first().waitFor();
    expect(await page.getByLabel("Name", { exact: true }).isDisabled()).toBe(true);
    await takePictures(page, "designer-reader");
    await expectAccessible(page);
    const old = await site.open(`${design("looked-at")}?version=1`, owner);
    await node(old, "a").waitFor();
    await old.getByText("This is version 1, as it was then.").waitFor();
    expect(await old.getByRole("button", { name: "Save", exact: true }).count()).toBe(0);
  });

  test("a task with a newer version says so, and takes it with one click; a save can say why", async () => {
    const task = `/api/v2/team/${team.name}/task`;
    const spec = (params: object[]) => ({ name: "own", displayName: "Own task", spec: { params, script: "true" } });
    await site.call(owner, "POST", task, spec([{ name: "old", type: "text" }]));
    await make({ name: "outdated", tasks: [{ name: "a", taskRef: "own" }] });
    await site.call(owner, "PUT", `${task}/own`, spec([{ name: "fresh", type: "boolean", label: "Fresh" }]));
    const page = await site.open(`${design("outdated")}?node=a`, owner);
    await page.getByLabel("old").waitFor();
    await page.getByRole("button", { name: "Use version 2" }).click();
    await page.getByRole("switch", { name: "Fresh" }).waitFor();
    await page.getByRole("button", { name: "Save with a reason" }).click();
    await page.getByLabel("What was changed, and why").fill("The newer one is better");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await saved(page, 2);
    expect(await read("outdated")).toMatchObject({ changelog: { reason: "The newer one is better" } });
  });

  test("500 tasks open within the aim, and the page does not scroll sideways on a narrow screen", async () => {
    const tasks = Array.from({ length: 500 }, (_, index) => shell(`t${index}`, index < 20 ? [] : [`t${index - 20}`]));
    await make({ name: "large", tasks });
    await make({ name: "small" });
    const page = await site.open(design("small"), owner);
    await node(page, "start").waitFor();
    await page.goto(site.address + design("large"));
    await node(page, "start").waitFor();
    const ms = await page.evaluate(
      "performance.now() - performance.getEntriesByType('resource').filter((entry) => entry.name.endsWith('/workflow/large')).at(-1).responseEnd",
    );
    console.info(`500 tasks were drawn ${Math.round(ms as number)} ms after they arrived`);
    expect(ms).toBeLessThan(4000);
    const busyMs = await busyWhilePanning(page);
    console.info(`moving 500 tasks kept the page busy for ${busyMs.toFixed(1)} ms a step`);
    expect(busyMs).toBeLessThan(50);
    await takePictures(page, "designer-large");
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await takePictures(page, "designer-narrow");
  });

  test("a note is written on the canvas and is there again; the keys are told", async () => {
    await make({ name: "noted", tasks: [shell("a", [])] });
    const page = await site.open(design("noted"), owner);
    await page.getByRole("button", { name: "Add a note" }).click();
    await page.getByRole("textbox", { name: "Text of the note" }).click();
    await page.keyboard.insertText("**Ask** the finance team");
    await page.getByRole("group", { name: /^Note: \*\*Ask/ }).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saved(page, 2);
    await page.reload();
    await page.getByRole("group", { name: /^Note: \*\*Ask/ }).waitFor();
    await page.getByRole("button", { name: "Keys" }).click();
    await page.getByRole("dialog", { name: "Keys of the canvas" }).waitFor();
    await takePictures(page, "designer-keys");
    await expectAccessible(page);
  });
});
