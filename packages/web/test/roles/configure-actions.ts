import { expect } from "vitest";
import { type Action, editors, everybody, owners, type Scene } from "./action.ts";
import { made, put, read, save, savedAs, viewOf, writeWorkflow } from "./workflow-parts.ts";

const switchOn = (scene: Scene, name: RegExp) => scene.page.getByRole("switch", { name }).check({ force: true });
const saveSection = async (scene: Scene, version?: number) => {
  await save(scene).click();
  if (version === undefined) await scene.page.getByText("Saved.", { exact: true }).waitFor();
  else await savedAs(scene, version);
};
const section = (word: string) => ({
  screen: `/$team/workflows/$workflow/configure/${word}`,
  at: viewOf(`configure/${word}`),
  given: made,
});

/** All other settings of a workflow. */
export const configureActions: readonly Action[] = [
  {
    ...section("general"),
    action: "describe it",
    may: editors,
    needs: writeWorkflow,
    button: save,
    async does(scene) {
      await scene.page.getByLabel("Description", { exact: true }).fill(`By the ${scene.role}`);
      await saveSection(scene);
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ version: 1, description: `By the ${scene.role}` }),
    request: put({ description: "By someone" }),
  },
  {
    ...section("parameters"),
    action: "declare a parameter",
    may: editors,
    needs: writeWorkflow,
    button: save,
    async does(scene) {
      await scene.page.getByRole("button", { name: "Add parameter" }).click();
      await scene.page.getByRole("textbox", { name: "Name", exact: true }).fill("city");
      await saveSection(scene, 2);
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ version: 2, params: [{ name: "city" }] }),
    request: put({ params: [{ name: "city" }] }),
  },
  {
    ...section("results"),
    action: "declare a result, and set it",
    may: editors,
    needs: writeWorkflow,
    button: save,
    async does(scene) {
      await scene.page.getByRole("button", { name: "Add result" }).click();
      await scene.page.getByRole("textbox", { name: "Name", exact: true }).fill("total");
      await scene.page.getByRole("button", { name: "Add a task that sets it" }).click();
      await scene.page.getByRole("textbox", { name: "Value, set by set-total" }).fill("1");
      await saveSection(scene, 2);
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ version: 2, results: [{ name: "total" }] }),
    request: put({ results: [] }),
  },
  {
    ...section("triggers"),
    action: "switch a trigger on",
    may: editors,
    needs: writeWorkflow,
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
    action: "try a trigger",
    may: editors,
    needs: { permission: "webhook/action", in: "team" },
    given: ({ workflow, name }) => workflow(name, { triggers: { event: { enabled: true } } }),
    button: ({ page }) => page.getByRole("button", { name: "Send" }),
    async does({ page }) {
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByRole("link", { name: "Started run" }).waitFor();
    },
    request: ({ id }) => ["POST", `/api/v2/event?ref=${id}`, { specversion: "1.0", id: "1", source: "/test", type: "dev.millrace.test" }],
  },
  {
    ...section("options"),
    action: "set how often it is tried again",
    may: editors,
    needs: writeWorkflow,
    button: save,
    async does(scene) {
      await scene.page.getByLabel("Retries").fill("3");
      await saveSection(scene, 2);
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ version: 2, retries: 3 }),
    request: put({ retries: 3 }),
  },
  {
    ...section("limits"),
    action: "limit how many runs run at once",
    may: editors,
    needs: writeWorkflow,
    button: save,
    async does(scene) {
      await switchOn(scene, /^Limit concurrent runs/);
      await saveSection(scene, 2);
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ concurrency: { max: 1 } }),
    request: put({ concurrency: { max: 1 } }),
  },
  {
    ...section("workspaces"),
    action: "give each run a folder",
    may: editors,
    needs: writeWorkflow,
    button: save,
    async does(scene) {
      await switchOn(scene, /^One per run/);
      await saveSection(scene, 2);
    },
    done: async (scene) => expect(await read(scene)).toMatchObject({ workspaces: [{ type: "workflowrun" }] }),
    request: put({ workspaces: [{ name: "workflowrun", type: "workflowrun", spec: {} }] }),
  },
  {
    ...section("protection"),
    action: "let new versions wait for an approval",
    may: owners,
    needs: { permission: "team/grant", in: "team" },
    async given(scene) {
      await made(scene);
      await scene.ask("PATCH", scene.api, { approverGroups: [{ name: "releasers", approvers: [scene.people.owner.id] }] });
    },
    button: ({ page }) => page.getByRole("button", { name: "Protect workflow" }),
    async does({ page }) {
      await page.getByRole("combobox", { name: "Approver group" }).click();
      await page.getByRole("option", { name: "releasers" }).click();
      await page.getByRole("button", { name: "Protect workflow" }).click();
      await page.getByRole("button", { name: "Turn off protection" }).waitFor();
    },
    done: async ({ call, api, name }) => expect(await call("GET", `${api}/workflow/${name}/protection`)).toMatchObject({ protected: true }),
    request: ({ api, name }) => ["PUT", `${api}/workflow/${name}/protection`, { approverGroup: "releasers" }],
  },
  {
    ...section("tokens"),
    action: "make a token of it",
    may: editors,
    needs: { permission: "token/write", in: "team" },
    button: ({ page }) => page.getByRole("button", { name: "Create token" }),
    async does({ page, name }) {
      await page.getByRole("button", { name: "Create token" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill(`of ${name}`);
      await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
      await page.getByRole("dialog").getByText(/^mrw_/).waitFor();
      await page.getByRole("button", { name: "Done" }).click();
      await page
        .getByRole("row")
        .filter({ hasText: `of ${name}` })
        .waitFor();
    },
    request: ({ id, name }) => ["POST", "/api/v2/token", { type: "workflow", principal: id, name, permissions: ["webhook/action"] }],
  },
  {
    ...section("schedules"),
    action: "begin a schedule",
    may: editors,
    needs: { permission: "schedule/write", in: "team" },
    button: ({ page }) => page.getByRole("main").getByRole("button", { name: "Create schedule" }),
    async does({ page, name }) {
      await page.getByRole("main").getByRole("button", { name: "Create schedule" }).click();
      const workflow = page.getByRole("dialog", { name: "Create schedule" }).getByRole("combobox", { name: "Workflow" });
      await expect.poll(() => workflow.inputValue()).toBe(name);
    },
    request: ({ api, name }) => ["POST", `${api}/schedule`, { name, workflowRef: name, cronSchedule: "0 3 * * *", timezone: "UTC" }],
  },
  {
    ...section("changelog"),
    action: "read who changed it",
    may: everybody,
    needs: { permission: "workflow/read", in: "team" },
    does: ({ page }) => page.getByRole("main").getByRole("row").nth(1).waitFor(),
    done: async ({ call, api, name }) => expect(await call("GET", `${api}/workflow/${name}/changelog`)).toHaveLength(1),
  },
];
