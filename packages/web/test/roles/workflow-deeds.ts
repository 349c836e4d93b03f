import { expect } from "vitest";
import { type Deed, editors, everybody, owners, type Scene } from "./deed.ts";

const write = { permission: "workflow/write", in: "team" } as const;
const run = { permission: "workflow/action", in: "team" } as const;

const at =
  (view: string) =>
  ({ team, name }: Scene) =>
    `/${team.name}/workflows/${name}/${view}`;
const made = ({ workflow, name }: Scene) => workflow(name);
const read = ({ call, api, name }: Scene) => call<{ version: number; name: string }>("GET", `${api}/workflow/${name}`);
const put =
  (body: object) =>
  ({ api, name }: Scene) =>
    ["PUT", `${api}/workflow`, { name, ...body }] as const;
const save = ({ page }: Scene) => page.getByRole("button", { name: "Save", exact: true });
const savedAs = ({ page }: Scene, version: number) => page.getByText(`Saved as version ${version}.`).first().waitFor();

/** Workflows, and one of them as a drawing, as text and in its versions. */
export const workflowDeeds: readonly Deed[] = [
  {
    screen: "/$team/workflows",
    deed: "run a workflow",
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
      expect(started).toMatchObject({ trigger: "manual", initiatedByRef: `user:${people[role].id}` });
    },
    request: ({ api, name }) => ["POST", `${api}/workflow/${name}/submit`, {}],
  },
  {
    screen: "/$team/workflows",
    deed: "delete a workflow",
    may: owners,
    needs: { permission: "workflow/delete", in: "team" },
    given: made,
    at: ({ team }) => `/${team.name}/workflows`,
    before: ({ page, name }) => page.getByRole("button", { name: `More for ${name}` }).click(),
    button: ({ page }) => page.getByRole("menuitem", { name: "Delete" }),
    async does({ page, name }) {
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByLabel(`Type ${name} to confirm`).fill(name);
      await page.getByRole("button", { name: "Delete the workflow" }).click();
      await page.getByRole("link", { name, exact: true }).waitFor({ state: "detached" });
    },
    done: (scene) => expect(read(scene)).rejects.toThrow("404"),
    request: ({ api, name }) => ["DELETE", `${api}/workflow/${name}`],
  },
  {
    screen: "/$team/workflows/create",
    deed: "create a workflow",
    may: editors,
    needs: write,
    at: ({ team }) => `/${team.name}/workflows/create`,
    async does({ page, name }) {
      await page.getByLabel("Name").fill(name);
      await page.getByRole("button", { name: "Create and open the designer" }).click();
      await page.waitForURL(`**/${name}/design`);
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ version: 1 }),
    request: ({ api, name }) => ["POST", `${api}/workflow`, { name, tasks: [] }],
  },
  {
    screen: "/$team/workflows/$workflow/design",
    deed: "save a design",
    may: editors,
    needs: write,
    given: made,
    at: at("design"),
    button: save,
    async does(scene) {
      await scene.page.getByRole("button", { name: "Add Sleep" }).click();
      await scene.page.getByLabel("Duration (milliseconds)").fill("10");
      await save(scene).click();
      await savedAs(scene, 2);
    },
    done: async (scene) =>
      expect(await read(scene)).toMatchObject({ version: 2, tasks: expect.arrayContaining([expect.objectContaining({ name: "sleep" })]) }),
    request: put({ tasks: [{ name: "sleep", taskRef: "sleep" }] }),
  },
  {
    screen: "/$team/workflows/$workflow/design",
    deed: "run what is drawn",
    may: editors,
    needs: run,
    given: made,
    at: at("design"),
    button: ({ page }) => page.getByRole("button", { name: "Run", exact: true }),
    async does({ page }) {
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
      await page.waitForURL(/activity\/[0-9a-f-]{36}/);
    },
    request: ({ api, name }) => ["POST", `${api}/workflow/${name}/submit`, {}],
  },
  {
    screen: "/$team/workflows/$workflow/code",
    deed: "save what was written",
    may: editors,
    needs: write,
    given: made,
    at: (scene) => `${at("code")(scene)}?format=json`,
    button: save,
    async does(scene) {
      const { page, name } = scene;
      await page.getByRole("textbox", { name: "The workflow as JSON" }).click();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(JSON.stringify({ name, timeout: 7, params: [], tasks: [] }));
      await save(scene).click();
      await savedAs(scene, 2);
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ version: 2, timeout: 7 }),
    request: put({ timeout: 7, tasks: [] }),
  },
  {
    screen: "/$team/workflows/$workflow/versions",
    deed: "restore a version",
    may: editors,
    needs: write,
    async given(scene) {
      await scene.workflow(scene.name, { timeout: 7 });
      await scene.ask("PUT", `${scene.api}/workflow`, { name: scene.name, timeout: 9 });
    },
    at: at("versions"),
    button: ({ page }) => page.getByRole("button", { name: "Restore version 1" }),
    async does({ page }) {
      await page.getByRole("button", { name: "Restore version 1" }).click();
      await page.getByRole("button", { name: "Restore it" }).click();
      await page.getByText("Restored version 1").waitFor();
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ version: 3, timeout: 7 }),
    request: put({ timeout: 7 }),
  },
];

const switchOn = (scene: Scene, name: RegExp) => scene.page.getByRole("switch", { name }).check({ force: true });
const saveSection = async (scene: Scene, version?: number) => {
  await save(scene).click();
  if (version === undefined) await scene.page.getByText("Saved.", { exact: true }).waitFor();
  else await savedAs(scene, version);
};
const section = (word: string) => ({ screen: `/$team/workflows/$workflow/configure/${word}`, at: at(`configure/${word}`), given: made });

/** All else of a workflow. */
export const configureDeeds: readonly Deed[] = [
  {
    ...section("general"),
    deed: "describe it",
    may: editors,
    needs: write,
    button: save,
    async does(scene) {
      await scene.page.getByLabel("Description", { exact: true }).fill(`By the ${scene.role}`);
      await saveSection(scene);
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ version: 1, description: `By the ${scene.role}` }),
    request: put({ description: "By somebody" }),
  },
  {
    ...section("parameters"),
    deed: "declare a parameter",
    may: editors,
    needs: write,
    button: save,
    async does(scene) {
      await scene.page.getByRole("button", { name: "Add a parameter" }).click();
      await scene.page.getByRole("textbox", { name: "Name", exact: true }).fill("city");
      await saveSection(scene, 2);
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ version: 2, params: [{ name: "city" }] }),
    request: put({ params: [{ name: "city" }] }),
  },
  {
    ...section("triggers"),
    deed: "switch a trigger on",
    may: editors,
    needs: write,
    button: save,
    async does(scene) {
      await switchOn(scene, /^Webhook/);
      await saveSection(scene);
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ triggers: { webhook: { enabled: true } } }),
    request: put({ triggers: { webhook: { enabled: true } } }),
  },
  {
    ...section("triggers"),
    deed: "try a trigger",
    may: editors,
    needs: { permission: "webhook/action", in: "team" },
    given: ({ workflow, name }) => workflow(name, { triggers: { event: { enabled: true } } }),
    button: ({ page }) => page.getByRole("button", { name: "Send it" }),
    async does({ page }) {
      await page.getByRole("button", { name: "Send it" }).click();
      await page.getByRole("link", { name: "The run that it started" }).waitFor();
    },
    request: ({ id }) => ["POST", `/api/v2/event?ref=${id}`, { specversion: "1.0", id: "1", source: "/test", type: "dev.millrace.test" }],
  },
  {
    ...section("options"),
    deed: "set how often it is tried again",
    may: editors,
    needs: write,
    button: save,
    async does(scene) {
      await scene.page.getByLabel("Retries").fill("3");
      await saveSection(scene, 2);
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ version: 2, retries: 3 }),
    request: put({ retries: 3 }),
  },
  {
    ...section("workspaces"),
    deed: "give each run a folder",
    may: editors,
    needs: write,
    button: save,
    async does(scene) {
      await switchOn(scene, /^For each run/);
      await saveSection(scene, 2);
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ workspaces: [{ type: "workflowrun" }] }),
    request: put({ workspaces: [{ name: "workflowrun", type: "workflowrun", spec: {} }] }),
  },
  {
    ...section("tokens"),
    deed: "make a token of it",
    may: editors,
    needs: { permission: "token/write", in: "team" },
    button: ({ page }) => page.getByRole("button", { name: "Make a token" }),
    async does({ page, name }) {
      await page.getByRole("button", { name: "Make a token" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill(`of ${name}`);
      await page.getByRole("button", { name: "Make it" }).click();
      await page.getByRole("dialog").getByText(/^mrw_/).waitFor();
      await page.getByRole("button", { name: "I have copied it" }).click();
      await page
        .getByRole("row")
        .filter({ hasText: `of ${name}` })
        .waitFor();
    },
    request: ({ id, name }) => ["POST", "/api/v2/token", { type: "workflow", principal: id, name, permissions: ["webhook/action"] }],
  },
  {
    ...section("schedules"),
    deed: "begin a schedule",
    may: editors,
    needs: { permission: "schedule/write", in: "team" },
    button: ({ page }) => page.getByRole("main").getByRole("button", { name: "Make a schedule" }),
    async does({ page, name }) {
      await page.getByRole("main").getByRole("button", { name: "Make a schedule" }).click();
      const workflow = page.getByRole("dialog", { name: "New schedule" }).getByRole("combobox", { name: "Workflow" });
      await expect.poll(() => workflow.inputValue()).toBe(name);
    },
    request: ({ api, name }) => ["POST", `${api}/schedule`, { name, workflowRef: name, cronSchedule: "0 3 * * *", timezone: "UTC" }],
  },
  {
    ...section("changelog"),
    deed: "read who changed it",
    may: everybody,
    needs: { permission: "workflow/read", in: "team" },
    does: ({ page }) => page.getByRole("main").getByRole("row").nth(1).waitFor(),
    done: async ({ call, api, name }) => expect(await call("GET", `${api}/workflow/${name}/changelog`)).toHaveLength(1),
  },
];
