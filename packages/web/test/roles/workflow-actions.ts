import { expect } from "vitest";
import { type Action, editors, everybody, owners } from "./action.ts";
import { made, put, read, save, savedAs, viewOf, writeWorkflow } from "./workflow-parts.ts";

const run = { permission: "workflow/action", in: "team" } as const;

/** Workflows, and one of them as a graph, as text and in its versions. */
export const workflowActions: readonly Action[] = [
  {
    screen: "/$team/workflows",
    action: "run a workflow",
    may: editors,
    needs: run,
    given: made,
    at: ({ team }) => `/${team.name}/workflows`,
    button: ({ page, name }) => page.getByRole("button", { name: `Run ${name}` }),
    async does({ page, name }) {
      await page.getByRole("button", { name: `Run ${name}` }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
      await page.waitForURL(/activity\/[0-9a-f-]{36}/);
      await page.getByRole("heading", { level: 1, name }).waitFor();
    },
    async done({ page, call, api, people, role }) {
      const started = await call("GET", `${api}/workflowrun/${page.url().split("/").at(-1)}`);
      expect(started).toMatchObject({ trigger: "manual", initiatedByRef: people[role].id });
    },
    request: ({ api, name }) => ["POST", `${api}/workflow/${name}/submit`, {}],
  },
  {
    screen: "/$team/workflows",
    action: "delete a workflow",
    may: owners,
    needs: { permission: "workflow/delete", in: "team" },
    given: made,
    at: ({ team }) => `/${team.name}/workflows`,
    before: ({ page, name }) => page.getByRole("button", { name: `More actions for ${name}` }).click(),
    button: ({ page }) => page.getByRole("menuitem", { name: "Delete" }),
    async does({ page, name }) {
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByLabel(`Type ${name} to confirm`).fill(name);
      await page.getByRole("button", { name: "Delete workflow" }).click();
      await page.getByRole("link", { name, exact: true }).waitFor({ state: "detached" });
    },
    done: (scene) => expect(read(scene)).rejects.toThrow("404"),
    request: ({ api, name }) => ["DELETE", `${api}/workflow/${name}`],
  },
  {
    screen: "/$team/workflows/create",
    action: "create a workflow",
    may: editors,
    needs: writeWorkflow,
    at: ({ team }) => `/${team.name}/workflows/create`,
    async does({ page, name }) {
      await page.getByLabel("Name").fill(name);
      await page.getByRole("button", { name: "Create and open designer" }).click();
      await page.waitForURL(`**/${name}/design`);
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ version: 1 }),
    request: ({ api, name }) => ["POST", `${api}/workflow`, { name, tasks: [] }],
  },
  {
    screen: "/$team/workflows/$workflow/overview",
    action: "turn a trigger off in place",
    may: editors,
    needs: writeWorkflow,
    given: made,
    at: viewOf("overview"),
    button: ({ page }) => page.getByRole("switch", { name: "Manual" }),
    async does({ page }) {
      await page.getByRole("switch", { name: "Manual" }).click();
      await page.getByText("Manual turned off").waitFor();
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ version: 1, triggers: { manual: { enabled: false } } }),
    request: put({ triggers: { manual: { enabled: false } } }),
  },
  {
    screen: "/$team/workflows/$workflow/runs",
    action: "find a run of the workflow",
    may: everybody,
    given: ({ waitingRun, name }) => waitingRun(name),
    at: viewOf("runs"),
    async does({ page }) {
      await page.getByRole("region", { name: "Runs" }).getByRole("link").first().click();
      await page.waitForURL(/activity\/[0-9a-f-]{36}/);
    },
  },
  {
    screen: "/$team/workflows/$workflow/design",
    action: "save a design",
    may: editors,
    needs: writeWorkflow,
    given: made,
    at: viewOf("design"),
    button: save,
    async does(scene) {
      await scene.page.getByRole("button", { name: "Add Sleep" }).click();
      await scene.page.getByLabel("Duration (milliseconds)").fill("10");
      await save(scene).click();
      await savedAs(scene, 2);
    },
    done: async (scene) =>
      expect(await read(scene)).toMatchObject({ version: 2, tasks: expect.arrayContaining([expect.objectContaining({ name: "sleep" })]) }),
    request: put({ tasks: [{ name: "sleep", taskRef: "sleep", params: [{ name: "duration", value: "10" }] }] }),
  },
  {
    screen: "/$team/workflows/$workflow/design",
    action: "run what is drawn",
    may: editors,
    needs: run,
    given: made,
    at: viewOf("design"),
    button: ({ page }) => page.getByRole("button", { name: "Run", exact: true }),
    async does({ page }) {
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
      await page.waitForURL(/activity\/[0-9a-f-]{36}/);
    },
    request: ({ api, name }) => ["POST", `${api}/workflow/${name}/submit`, {}],
  },
  {
    screen: "/$team/workflows/$workflow/design",
    action: "try a step",
    may: editors,
    needs: run,
    given: ({ workflow, name }) =>
      workflow(name, { tasks: [{ name: "nap", taskRef: "sleep", params: [{ name: "duration", value: "1" }] }] }),
    at: (scene) => `${viewOf("design")(scene)}?node=nap&open=true`,
    button: ({ page }) => page.getByRole("button", { name: "Run this step" }),
    async does({ page }) {
      await page.getByRole("button", { name: "Run this step" }).click();
      await page.getByRole("region", { name: "Output" }).getByText("Succeeded").waitFor();
    },
    request: ({ api, name }) => ["POST", `${api}/workflow/${name}/try`, { only: "nap" }],
  },
  {
    screen: "/$team/workflows/$workflow/code",
    action: "save what was written",
    may: editors,
    needs: writeWorkflow,
    given: made,
    at: (scene) => `${viewOf("code")(scene)}?format=json`,
    button: save,
    async does(scene) {
      const { page, name } = scene;
      await page.getByRole("textbox", { name: "Workflow as JSON" }).click();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(JSON.stringify({ name, timeout: 7, params: [], tasks: [] }));
      await save(scene).click();
      await savedAs(scene, 2);
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ version: 2, timeout: 7 }),
    request: put({ timeout: 7, tasks: [] }),
  },
  {
    screen: "/$team/workflows/$workflow/tests",
    action: "save a test",
    may: editors,
    needs: writeWorkflow,
    given: made,
    at: (scene) => `${viewOf("tests")(scene)}?create=true`,
    button: ({ page }) => page.getByRole("button", { name: "Save test" }),
    async does({ page }) {
      await page.getByRole("button", { name: "Save test" }).click();
      await page
        .getByRole("list", { name: "Tests" })
        .getByRole("button", { name: /^new test/ })
        .waitFor();
    },
    done: async ({ call, api, name }) => expect(await call("GET", `${api}/workflow/${name}/test/new%20test`)).toMatchObject({ version: 1 }),
    request: ({ api, name }) => ["PUT", `${api}/workflow/${name}/test/new%20test`, { name: "new test" }],
  },
  {
    screen: "/$team/workflows/$workflow/versions",
    action: "restore a version",
    may: editors,
    needs: writeWorkflow,
    async given(scene) {
      await scene.workflow(scene.name, { timeout: 7 });
      await scene.ask("PUT", `${scene.api}/workflow`, { name: scene.name, timeout: 9 });
    },
    at: viewOf("versions"),
    button: ({ page }) => page.getByRole("button", { name: "Restore version 1" }),
    async does({ page }) {
      await page.getByRole("button", { name: "Restore version 1" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Restore", exact: true }).click();
      await page.getByText("Restored version 1").waitFor();
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ version: 3, timeout: 7 }),
    request: put({ timeout: 7 }),
  },
];
