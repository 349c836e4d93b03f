import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { openSite } from "../kit/site.ts";

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
    timeout?: number;
    dependencies: { taskRef: string; executionCondition?: string; decisionCondition?: string }[];
    params: { name: string; value: unknown }[];
  }
  const path = () => `/api/v2/team/${team.name}/workflow`;
  const make = (document: object) => site.call(owner, "POST", path(), document);
  const read = (name: string) => site.call<{ version: number; tasks: Task[] }>(owner, "GET", `${path()}/${name}`);
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

  /** The page's own work, in ms for each step of the pointer: at 60 frames per second, a frame has 16.7 ms for it. */
  test("a task is dragged onto the canvas, a link is drawn and a note is written; all of it is there again after a reload", async () => {
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
    await page.getByRole("button", { name: "Add note" }).click();
    await page.getByRole("textbox", { name: "Note text" }).click();
    await page.keyboard.insertText("**Ask** the finance team");
    await page.getByRole("group", { name: /^Note: \*\*Ask/ }).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saved(page, 2);
    expect(edges(await read("dragged"))).toContain("a>b");
    await page.goto(`${site.address}${design("dragged")}?node=a`);
    await page.getByRole("group", { name: /^Note: \*\*Ask/ }).waitFor();
    await page.getByRole("tab", { name: "Links" }).click();
    await page.getByRole("radiogroup", { name: "Condition of the link from a to b" }).waitFor();
    await takePictures(page, "designer-links");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await page.getByRole("dialog", { name: "Canvas shortcuts" }).waitFor();
    await takePictures(page, "designer-keys");
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
    await node(page, "build").focus();
    expect(await page.evaluate("getComputedStyle(document.activeElement.firstElementChild).outlineStyle")).toBe("solid");
    await page.getByLabel("Duration (milliseconds)").focus();
    await keys.type("10");
    await page.getByRole("button", { name: "Save", exact: true }).focus();
    await keys.press("Enter");
    await saved(page, 2);
    const workflow = await read("by-keyboard");
    expect(edges(workflow)).toEqual(["build>sleep", "sleep>end", "start>build"]);
    expect(workflow.tasks.find(({ name }) => name === "sleep")?.params).toEqual([{ name: "duration", value: "10" }]);
  });

  test("the service's own rules mark the faulty task, in the code as well, and nothing is saved", async () => {
    await make({
      name: "faulty",
      tasks: [
        shell("good", []),
        { name: "call", taskRef: "run-workflow", params: [{ name: "workflowRef", value: "faulty" }], dependencies: [{ taskRef: "good" }] },
      ],
    });
    const page = await site.open(`${design("faulty")}?node=call`, owner);
    await page.getByRole("button", { name: "Use a reference for Workflow" }).click();
    await page.getByRole("textbox", { name: "Workflow", exact: true }).fill("nowhere");
    await page.getByRole("group", { name: /^call,.*problem: .*names no workflow of the team/ }).waitFor();
    await page.getByLabel("Workflow canvas").press("Escape");
    await page.locator(".react-flow__pane").click({ position: { x: 300, y: 400 } });
    await takePictures(page, "designer-problems");
    await expectAccessible(page);
    await page.getByRole("button", { name: /^call: .*names no workflow/ }).click();
    await page.getByRole("combobox", { name: "Workflow", exact: true }).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Not saved:").waitFor();
    expect((await read("faulty")).version).toBe(1);
    await page.getByRole("link", { name: "Code" }).click();
    const code = page.getByRole("textbox", { name: "Workflow as YAML" });
    await code.getByText("name: faulty", { exact: true }).waitFor();
    await code.click();
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.insertText("# why it is there\n");
    await page.getByRole("note").getByText("Comments are not saved").waitFor();
    await takePictures(page, "designer-code-comments");
    await expectAccessible(page);
  });

  test("a rename keeps the form and the focus as they are, and a save by keys takes the name that is being typed", async () => {
    await make({ name: "renamed", tasks: [shell("a", [], "echo "), shell("b", ["a"], "echo $(tasks.a.results.x)")] });
    const page = await site.open(`${design("renamed")}?node=a`, owner);
    const name = page.getByLabel("Name", { exact: true });
    const script = page.getByRole("textbox", { name: "Script", exact: true });
    await name.fill("first");
    await script.click();
    await node(page, "first").waitFor();
    await page.keyboard.press("End");
    await page.keyboard.type("hello");
    expect([await name.inputValue(), await script.textContent()]).toEqual(["first", expect.stringContaining("hello")]);
    await name.fill("second");
    await name.press("Tab");
    await node(page, "second").waitFor();
    expect(await page.evaluate(() => document.activeElement?.closest("[data-panel]") !== null)).toBe(true);
    expect(await name.evaluate((field) => field === document.activeElement)).toBe(false);
    await page.getByRole("tab", { name: "Settings" }).click();
    await name.fill("third");
    await name.press("Enter");
    await node(page, "third").waitFor();
    expect(await page.getByRole("tab", { name: "Settings" }).getAttribute("aria-selected")).toBe("true");
    expect(await name.evaluate((field) => field === document.activeElement), "after Enter one is still there").toBe(true);
    await node(page, "b").click();
    expect(await name.inputValue()).toBe("b");
    await page.getByText("$(tasks.third.results.x)").first().waitFor();
    await name.fill("last");
    await page.keyboard.press("ControlOrMeta+s");
    await saved(page, 2);
    expect((await read("renamed")).tasks.map(({ name }) => name)).toEqual(["start", "third", "last", "end"]);
  });

  test("a step is built, tried, pinned and tried up to here from the large editor; it survives a reload, and nothing is saved", async () => {
    await make({
      name: "tried",
      params: [{ name: "city", type: "text", default: "Oslo" }],
      tasks: [shell("look", [], "printf snow > $(results.weather.path)")],
    });
    const page = await site.open(`${design("tried")}?node=look`, owner);
    await page.getByRole("tab", { name: "Results" }).click();
    await page.getByRole("textbox", { name: "Add result" }).fill("weather");
    await page.getByRole("textbox", { name: "Add result" }).press("Enter");
    await page.getByRole("button", { name: "Add Execute Shell" }).click();
    await node(page, "execute-shell").dblclick();
    const editor = page.getByRole("dialog", { name: "execute-shell" });
    await editor.getByRole("button", { name: "Previous task: look" }).click();
    const look = page.getByRole("dialog", { name: "look" });
    await look.getByRole("button", { name: "Run this step" }).click();
    const output = look.getByRole("region", { name: "Output" });
    await output.getByText("snow", { exact: true }).waitFor();
    await output.getByRole("button", { name: "Pin output" }).click();
    await look.getByRole("button", { name: "Next task: execute-shell" }).click();
    await editor.getByRole("textbox", { name: "Script", exact: true }).click();
    await page.keyboard.insertText("echo in $(params.city): ");
    await editor.getByRole("button", { name: "Insert $(tasks.look.results.weather)" }).click();
    await editor.getByRole("region", { name: "Task", exact: true }).getByText("echo in Oslo: snow").waitFor();
    await takePictures(page, "designer-node-editor");
    await expectAccessible(page);
    await editor.getByRole("button", { name: "Run up to here" }).click();
    await editor.getByRole("log").getByText("in Oslo: snow").waitFor();
    await page.keyboard.press("Escape");
    await node(page, "look")
      .getByTitle(/output pinned/)
      .waitFor();
    await page.getByText("Trial up to execute-shell").waitFor();
    await takePictures(page, "designer-trial");
    await expectAccessible(page);
    await page.reload();
    await page.getByText(/^Your unsaved changes from .* were restored\.$/).waitFor();
    await node(page, "execute-shell").waitFor();
    await takePictures(page, "designer-restored");
    await expectAccessible(page);
    expect((await read("tried")).version).toBe(1);
  });

  test("when someone else saved first, both versions are compared before anything is written", async () => {
    await make({ name: "shared", tasks: [shell("a", []), shell("b", ["a"])] });
    const [one, other] = [
      await site.open(`${design("shared")}?node=b`, owner),
      await site.openAs("editor", team, `${design("shared")}?node=b`),
    ];
    await other.getByRole("tab", { name: "Settings" }).click();
    await other.getByLabel("Timeout (minutes)").fill("5");
    await node(other, "a").click();
    await other.getByRole("tab", { name: "Settings" }).click();
    await other.getByLabel("Timeout (minutes)").fill("6");
    await one.getByRole("tab", { name: "Settings" }).click();
    await one.getByLabel("Timeout (minutes)").fill("7");
    await other.getByRole("button", { name: "Save", exact: true }).click();
    await saved(other, 2);
    await one.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = one.getByRole("dialog", { name: "Someone else saved this workflow" });
    await dialog.getByText("task b › timeout").waitFor();
    await dialog.getByText("timeout: 7").waitFor();
    await dialog.getByText("saved version 2").waitFor();
    await takePictures(one, "designer-conflict");
    await dialog.getByRole("button", { name: "Keep editing" }).click();
    expect((await read("shared")).version).toBe(2);
    await one.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByRole("button", { name: "Overwrite with mine" }).click();
    await saved(one, 3);
    const timeouts = (await read("shared")).tasks.flatMap(({ timeout }) => timeout ?? []);
    expect(timeouts).toEqual([6, 7]);
    await one.getByText("Unsaved changes", { exact: true }).waitFor({ state: "detached" });
    // Without changes of your own you see it without being asked.
    await other.getByText("Version 3", { exact: true }).waitFor();
  });
});
