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
    taskVersion?: number;
    timeout?: number;
    dependencies: { taskRef: string; executionCondition?: string; decisionCondition?: string }[];
    params: { name: string; value: unknown }[];
  }
  const path = () => `/api/v2/team/${team.name}/workflow`;
  const make = (document: object) => site.call(owner, "POST", path(), document);
  const read = (name: string) =>
    site.call<{ version: number; params: { name: string }[]; tasks: Task[]; changelog: { reason: string } }>(
      owner,
      "GET",
      `${path()}/${name}`,
    );
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
    await page.getByRole("radiogroup", { name: "Condition of the link from a to b" }).getByText("Failure").click();
    await page.getByRole("group", { name: "From a to b, failure" }).waitFor();
    await node(page, "which").click();
    await page.getByRole("tab", { name: "Links" }).click();
    await page.getByRole("combobox", { name: "Connect to" }).click();
    await page.getByRole("option", { name: "b", exact: true }).click();
    await page.getByRole("button", { name: "Connect" }).last().click();
    await page.getByLabel("Condition (value matches)").first().fill("gold\nsilver.*");
    await page.getByRole("group", { name: "From which to b, gold | silver.*" }).waitFor();
    await takePictures(page, "designer-links");
    await expectAccessible(page);
    await page.getByRole("link", { name: "Code" }).click();
    const code = page.getByRole("textbox", { name: "Workflow as YAML" });
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
    const code = page.getByRole("textbox", { name: "Workflow as YAML" });
    await code.getByText("name: commented", { exact: true }).waitFor();
    expect(await page.getByText("Comments are not saved").count()).toBe(0);
    await code.click();
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.insertText("# why it is there\n");
    await page.getByRole("note").getByText("Comments are not saved: they are lost when the graph changes").waitFor();
    await takePictures(page, "designer-code-comments");
    await expectAccessible(page);
    await page.reload();
    await code.getByText("name: commented", { exact: true }).waitFor();
    expect(await page.getByText("why it is there").count()).toBe(0);
  });

  test("what is written in the code is drawn, and what can't be read is told and not saved", async () => {
    await make({ name: "coded", tasks: [shell("a", [])] });
    const page = await site.open(`${design("coded", "code")}?format=json`, owner);
    const code = page.getByRole("textbox", { name: "Workflow as JSON" });
    await code.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText("{ broken");
    await page.getByText("Invalid: ").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).hover();
    await page.getByText("Fix the errors in the code first.").waitFor();
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
  });

  test("a warning is marked at its task and keeps nothing from being saved", async () => {
    await make({ name: "doubtful", tasks: [shell("a", [], "echo $(team.params.channel)")] });
    const page = await site.open(design("doubtful"), owner);
    await page.getByRole("group", { name: /^a,.*warning: .*the team has no team parameter "channel" now/ }).waitFor();
    await page.getByText("Can be saved, with 1 warning:").waitFor();
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
    await page.keyboard.press("Space");
    await page.keyboard.press("Delete");
    await node(page, "b").waitFor({ state: "detached" });
  });

  test("a rename keeps the form as it is: the focus is where one went, and what is typed goes there", async () => {
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
  });

  test("a save by keys takes the name that is being typed", async () => {
    await make({ name: "hasty", tasks: [shell("a", [])] });
    const page = await site.open(`${design("hasty")}?node=a`, owner);
    await page.getByLabel("Name", { exact: true }).fill("first");
    await page.keyboard.press("ControlOrMeta+s");
    await saved(page, 2);
    expect((await read("hasty")).tasks.map(({ name }) => name)).toContain("first");
  });

  test("what is undone elsewhere in the workflow is said", async () => {
    await make({ name: "elsewhere", tasks: [shell("a", [])] });
    const page = await site.open(design("elsewhere", "configure/options"), owner);
    await page.getByLabel("Retries").fill("4");
    await page.getByRole("link", { name: "Design", exact: true }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone: a change in Configure › Options.").waitFor();
    await page.getByText("Unsaved changes").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Redo" }).click();
    await page.getByText("Redone: a change in Configure › Options.").waitFor();
  });

  test("a step is built, tried, pinned and tried up to here from the large editor; nothing of it is saved", async () => {
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
    await expectAccessible(one);
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

  test("what someone else saved elsewhere in the workflow is saved together with one's own changes", async () => {
    await make({ name: "disjoint", tasks: [shell("a", []), shell("b", ["a"])] });
    const page = await site.open(`${design("disjoint")}?node=a`, owner);
    await page.getByRole("tab", { name: "Settings" }).click();
    await page.getByLabel("Timeout (minutes)").fill("7");
    const { tasks, ...theirs } = await read("disjoint");
    const other = tasks.map((task) => (task.name === "b" ? { ...task, timeout: 5 } : task));
    await site.call(owner, "PUT", path(), { ...theirs, tasks: other });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saved(page, 3);
    expect((await read("disjoint")).tasks.map(({ name, timeout }) => [name, timeout])).toEqual(
      expect.arrayContaining([
        ["a", 7],
        ["b", 5],
      ]),
    );
    // Their change is in the draft as well: the next save does not revert it.
    await page.getByText("Unsaved changes", { exact: true }).waitFor({ state: "detached" });
  });

  test("an author alone is never asked about their own save on another page", async () => {
    await make({ name: "alone", tasks: [shell("a", [])] });
    const page = await site.open(`${design("alone")}?node=a`, owner);
    await page.getByRole("tab", { name: "Settings" }).click();
    await page.getByLabel("Timeout (minutes)").fill("7");
    await page.getByRole("link", { name: "Configure" }).click();
    const sections = page.getByRole("navigation", { name: "Sections of the configuration" });
    await sections.getByRole("link", { name: "Parameters" }).click();
    await page.getByRole("button", { name: "Add parameter" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("region");
    await page.getByRole("button", { name: "Save", exact: true }).last().click();
    await page.getByText("Saved as version 2.").first().waitFor();
    await page.getByRole("link", { name: "Design" }).click();
    await page.getByText("Unsaved changes").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saved(page, 3);
    const { tasks, params } = await read("alone");
    expect([tasks.find(({ name }) => name === "a")?.timeout, params.map(({ name }) => name)]).toEqual([7, ["region"]]);
  });

  test("changes are not lost by leaving, and stay while one looks at the other views", async () => {
    await make({ name: "guarded", tasks: [shell("a", [])] });
    const page = await site.open(`${design("guarded")}?node=a`, owner);
    await page.getByRole("button", { name: "Add Sleep" }).click();
    await page.getByRole("link", { name: "Code" }).click();
    await page.getByRole("textbox", { name: "Workflow as YAML" }).waitFor();
    await page.getByText("Unsaved changes").waitFor();
    await page.getByRole("link", { name: "Design" }).click();
    await node(page, "sleep").waitFor();
    await page.getByRole("link", { name: "Activity" }).click();
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Keep editing" }).click();
    await page.getByText("Unsaved changes").waitFor();
    await page.getByRole("link", { name: "Activity" }).click();
    await dialog.getByRole("button", { name: "Discard and leave" }).click();
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
    await old.getByText("You are viewing version 1.").waitFor();
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
    await page.getByRole("button", { name: "Save with message" }).click();
    await page.getByLabel("Change message").fill("The newer one is better");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await saved(page, 2);
    expect(await read("outdated")).toMatchObject({ changelog: { reason: "The newer one is better" } });
  });

  test("a note is written on the canvas and is there again; the keys are told", async () => {
    await make({ name: "noted", tasks: [shell("a", [])] });
    const page = await site.open(design("noted"), owner);
    await page.getByRole("button", { name: "Add note" }).click();
    await page.getByRole("textbox", { name: "Note text" }).click();
    await page.keyboard.insertText("**Ask** the finance team");
    await page.getByRole("group", { name: /^Note: \*\*Ask/ }).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saved(page, 2);
    await page.reload();
    await page.getByRole("group", { name: /^Note: \*\*Ask/ }).waitFor();
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await page.getByRole("dialog", { name: "Canvas shortcuts" }).waitFor();
    await takePictures(page, "designer-keys");
    await expectAccessible(page);
  });
});
