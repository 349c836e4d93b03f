import { expect } from "vitest";
import { expectGone } from "../kit/expect-gone.ts";
import { type Action, editors, owners, type Scene } from "./action.ts";
import { changeTeam, createTask, hookAddress, rowOf, subscribe, teamOf } from "./scene-parts.ts";

const writeTasks = { permission: "task/write", in: "team" } as const;
const writeTeam = { permission: "team/write", in: "team" } as const;
const writeIntegrations = { permission: "integration/write", in: "team" } as const;

const task = async ({ ask, api, name }: Scene) => ask("PUT", `${api}/task/${name}`, { type: "script", spec: { script: "echo" } });

/** The tasks, parameters and integrations that workflows use. */
export const equipmentActions: readonly Action[] = [
  {
    screen: "/$team/task-manager",
    action: "create a task",
    may: editors,
    needs: writeTasks,
    at: ({ team }) => `/${team.name}/task-manager`,
    button: ({ page }) => page.getByRole("button", { name: "Create task" }),
    does: createTask,
    done: async ({ call, api, name }) => expect(await call("GET", `${api}/task/${name}`)).toMatchObject({ version: 1 }),
    request: ({ api, name }) => ["PUT", `${api}/task/${name}`, { type: "script", spec: { script: "echo" } }],
  },
  {
    screen: "/$team/task-manager/$task",
    action: "save a version of a task",
    may: editors,
    needs: writeTasks,
    given: task,
    at: ({ team, name }) => `/${team.name}/task-manager/${name}`,
    button: ({ page }) => page.getByRole("button", { name: "Save", exact: true }),
    async does({ page }) {
      await page.getByRole("textbox", { name: "Description" }).fill("Says something");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("button", { name: "Save as version 2" }).click();
      await page.getByText("Version 2 saved").waitFor();
    },
    done: async ({ call, api, name }) => expect(await call("GET", `${api}/task/${name}`)).toMatchObject({ version: 2 }),
    request: ({ api, name }) => ["PUT", `${api}/task/${name}`, { type: "script", spec: { script: "true" } }],
  },
  {
    screen: "/$team/parameters",
    action: "set a parameter",
    may: editors,
    needs: writeTeam,
    at: ({ team }) => `/${team.name}/parameters`,
    button: ({ page }) => page.getByRole("button", { name: "Add parameter" }),
    async does({ page, name }) {
      await page.getByRole("button", { name: "Add parameter" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill(name);
      await page.getByRole("dialog").getByLabel("Value").fill("eu-west-1");
      await page.getByRole("dialog").getByRole("button", { name: "Add parameter" }).click();
      await page.getByRole("row", { name }).getByText("eu-west-1").waitFor();
    },
    done: async (scene) =>
      expect((await teamOf(scene)).parameters).toContainEqual(expect.objectContaining({ name: scene.name, value: "eu-west-1" })),
    request: changeTeam(({ name }) => ({ parameters: [{ name, type: "text", value: "eu" }] })),
  },
  {
    screen: "/$team/parameters",
    action: "create a secret",
    may: editors,
    needs: writeTeam,
    at: ({ team }) => `/${team.name}/parameters`,
    button: ({ page }) => page.getByRole("button", { name: "Add parameter" }),
    async does(scene) {
      const dialog = scene.page.getByRole("dialog");
      await scene.page.getByRole("button", { name: "Add parameter" }).click();
      await dialog.getByLabel("Name").fill(scene.name);
      await dialog.getByRole("combobox", { name: "Type" }).click();
      await scene.page.getByRole("option", { name: "Secret", exact: true }).click();
      await dialog.getByLabel(/^Value/).fill("correct horse");
      await dialog.getByRole("button", { name: "Add parameter" }).click();
      await rowOf(scene, scene.name).getByText("Hidden").waitFor();
      await expectGone(scene.page, "correct horse");
    },
    done: async (scene) =>
      expect((await teamOf(scene)).parameters).toContainEqual(expect.objectContaining({ name: scene.name, value: "", hiddenValue: true })),
    request: changeTeam(({ name }) => ({ parameters: [{ name, type: "password", value: "correct horse" }] })),
  },
  {
    screen: "/$team/parameters",
    action: "protect a secret",
    may: owners,
    needs: { permission: "team/grant", in: "team" },
    async given({ ask, api, name, people }) {
      const approverGroups = [{ name: "key-keepers", approvers: [people.owner.id] }];
      await ask("PATCH", api, { approverGroups, parameters: [{ name, type: "password", value: "correct horse" }] });
    },
    at: ({ team }) => `/${team.name}/parameters`,
    before: ({ page, name }) => page.getByRole("button", { name: `Protection of ${name}` }).click(),
    button: ({ page }) => page.getByRole("dialog").getByRole("button", { name: "Protect secret" }),
    async does({ page, name }) {
      const dialog = page.getByRole("dialog", { name: `Protection of ${name}` });
      await dialog.getByRole("combobox", { name: "Approver group" }).click();
      await page.getByRole("option", { name: "key-keepers" }).click();
      await dialog.getByRole("button", { name: "Protect secret" }).click();
      await dialog.waitFor({ state: "detached" });
    },
    done: async ({ call, api, name }) =>
      expect(await call("GET", `${api}/parameters/${name}/protection`)).toMatchObject({ protected: true, workflows: [] }),
    request: ({ api, name }) => ["PUT", `${api}/parameters/${name}/protection`, { approverGroup: "key-keepers" }],
  },
  {
    screen: "/$team/parameters",
    action: "delete a parameter",
    may: owners,
    needs: { permission: "team/delete", in: "team" },
    given: async ({ ask, api, name }) => void (await ask("PATCH", api, { parameters: [{ name, type: "text", value: "eu" }] })),
    at: ({ team }) => `/${team.name}/parameters`,
    button: ({ page, name }) => page.getByRole("button", { name: `Delete ${name}` }),
    async does({ page, name }) {
      await page.getByRole("button", { name: `Delete ${name}` }).click();
      await page.getByRole("button", { name: "Delete parameter" }).click();
      await page.getByRole("button", { name: `Delete ${name}` }).waitFor({ state: "detached" });
    },
    done: async (scene) => expect((await teamOf(scene)).parameters.map(({ name }) => name)).not.toContain(scene.name),
    request: ({ api, name }) => ["DELETE", `${api}/parameters/${name}`],
  },
  {
    screen: "/$team/integrations",
    action: "subscribe to events",
    may: editors,
    needs: writeIntegrations,
    at: ({ team }) => `/${team.name}/integrations`,
    button: ({ page }) => page.getByRole("button", { name: "Create subscription" }),
    does: subscribe,
    done: async ({ call, api, name }) =>
      expect((await call<{ content: object[] }>("GET", `${api}/subscription/query`)).content).toContainEqual(
        expect.objectContaining({ name }),
      ),
    request: ({ api, name }) => ["POST", `${api}/subscription`, { name, channel: "webhook", target: { url: hookAddress } }],
  },
];
