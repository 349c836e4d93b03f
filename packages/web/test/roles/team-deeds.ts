import { expect } from "vitest";
import { type Deed, editors, owners, type Scene } from "./deed.ts";

const writeTasks = { permission: "task/write", in: "team" } as const;
const writeTeam = { permission: "team/write", in: "team" } as const;
const deleteOfTeam = { permission: "team/delete", in: "team" } as const;
const writeIntegrations = { permission: "integration/write", in: "team" } as const;

interface TeamView {
  members: { email: string; role: string }[];
  approverGroups: { name: string }[];
  parameters: { name: string; value: unknown }[];
  quotas: { maxConcurrentRuns: number };
  labels: Record<string, string>;
}
const teamOf = ({ call, api }: Scene) => call<TeamView>("GET", api);
const change =
  (body: (scene: Scene) => object) =>
  (scene: Scene): [string, string, object] => ["PATCH", scene.api, body(scene)];
const manage = (section: string) => ({
  screen: `/$team/manage/${section}`,
  at: ({ team }: Scene) => `/${team.name}/manage/${section}`,
});
const rowOf = ({ page }: Scene, text: string) => page.getByRole("row").filter({ hasText: text });
const document = (name: string) =>
  `apiVersion: tekton.dev/v1\nkind: Task\nmetadata:\n  name: ${name}\nspec:\n  steps:\n    - name: one\n      script: echo\n`;
const task = async ({ ask, api, name }: Scene) =>
  void (await ask("PUT", `${api}/task/${name}`, { type: "script", spec: { script: "echo" } }));
const address = "http://127.0.0.1:9/hook";
const invited = ({ name }: Scene) => `${name}@example.com`;

/** What workflows are made of and connected with. */
const equipment: readonly Deed[] = [
  {
    screen: "/$team/task-manager",
    deed: "create a task",
    may: editors,
    needs: writeTasks,
    at: ({ team }) => `/${team.name}/task-manager`,
    button: ({ page }) => page.getByRole("button", { name: "Create task" }),
    async does({ page, name }) {
      await page.getByRole("button", { name: "Create task" }).click();
      await page.getByText("YAML", { exact: true }).click();
      await page.getByRole("textbox", { name: "Document of the task" }).fill(document(name));
      await page.getByText("Can be saved as it is").waitFor();
      await page.getByRole("button", { name: "Create the task" }).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
    },
    done: async ({ call, api, name }) => expect(await call("GET", `${api}/task/${name}`)).toMatchObject({ version: 1 }),
    request: ({ api, name }) => ["PUT", `${api}/task/${name}`, { type: "script", spec: { script: "echo" } }],
  },
  {
    screen: "/$team/task-manager/$task",
    deed: "save a version of a task",
    may: editors,
    needs: writeTasks,
    given: task,
    at: ({ team, name }) => `/${team.name}/task-manager/${name}`,
    button: ({ page }) => page.getByRole("button", { name: "Save", exact: true }),
    async does({ page }) {
      await page.getByRole("textbox", { name: "Description" }).fill("Says something");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("button", { name: "Save as version 2" }).click();
      await page.getByText("Version 2 is saved").waitFor();
    },
    done: async ({ call, api, name }) => expect(await call("GET", `${api}/task/${name}`)).toMatchObject({ version: 2 }),
    request: ({ api, name }) => ["PUT", `${api}/task/${name}`, { type: "script", spec: { script: "true" } }],
  },
  {
    screen: "/$team/parameters",
    deed: "set a parameter",
    may: editors,
    needs: writeTeam,
    at: ({ team }) => `/${team.name}/parameters`,
    button: ({ page }) => page.getByRole("button", { name: "Add a parameter" }),
    async does({ page, name }) {
      await page.getByRole("button", { name: "Add a parameter" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill(name);
      await page.getByRole("dialog").getByLabel("Value").fill("eu-west-1");
      await page.getByRole("dialog").getByRole("button", { name: "Add the parameter" }).click();
      await page.getByRole("row", { name }).getByText("eu-west-1").waitFor();
    },
    done: async (scene) =>
      expect((await teamOf(scene)).parameters).toContainEqual(expect.objectContaining({ name: scene.name, value: "eu-west-1" })),
    request: change(({ name }) => ({ parameters: [{ name, type: "text", value: "eu" }] })),
  },
  {
    screen: "/$team/parameters",
    deed: "create a secret",
    may: editors,
    needs: writeTeam,
    at: ({ team }) => `/${team.name}/parameters`,
    button: ({ page }) => page.getByRole("button", { name: "Add a parameter" }),
    async does(scene) {
      const dialog = scene.page.getByRole("dialog");
      await scene.page.getByRole("button", { name: "Add a parameter" }).click();
      await dialog.getByLabel("Name").fill(scene.name);
      await dialog.getByRole("combobox", { name: "Type" }).click();
      await scene.page.getByRole("option", { name: "Secret" }).click();
      await dialog.getByLabel(/^Value/).fill("correct horse");
      await dialog.getByRole("button", { name: "Add the parameter" }).click();
      await rowOf(scene, scene.name).getByText("Kept, never shown").waitFor();
      expect(await scene.page.content()).not.toContain("correct horse");
    },
    done: async (scene) =>
      expect((await teamOf(scene)).parameters).toContainEqual(expect.objectContaining({ name: scene.name, value: "", hiddenValue: true })),
    request: change(({ name }) => ({ parameters: [{ name, type: "password", value: "correct horse" }] })),
  },
  {
    screen: "/$team/parameters",
    deed: "delete a parameter",
    may: owners,
    needs: deleteOfTeam,
    given: async ({ ask, api, name }) => void (await ask("PATCH", api, { parameters: [{ name, type: "text", value: "eu" }] })),
    at: ({ team }) => `/${team.name}/parameters`,
    button: ({ page, name }) => page.getByRole("button", { name: `Delete ${name}` }),
    async does({ page, name }) {
      await page.getByRole("button", { name: `Delete ${name}` }).click();
      await page.getByRole("button", { name: "Delete the parameter" }).click();
      await page.getByRole("button", { name: `Delete ${name}` }).waitFor({ state: "detached" });
    },
    done: async (scene) => expect((await teamOf(scene)).parameters.map(({ name }) => name)).not.toContain(scene.name),
    request: ({ api, name }) => ["DELETE", `${api}/parameters/${name}`],
  },
  {
    screen: "/$team/integrations",
    deed: "subscribe to events",
    may: editors,
    needs: writeIntegrations,
    at: ({ team }) => `/${team.name}/integrations`,
    button: ({ page }) => page.getByRole("button", { name: "Create a subscription" }),
    async does({ page, name }) {
      await page.getByRole("button", { name: "Create a subscription" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill(name);
      await page.getByRole("dialog").getByLabel("Address").fill(address);
      await page.getByRole("dialog").getByRole("button", { name: "Create the subscription" }).click();
      await page.getByRole("button", { name: "I have taken it" }).click();
      await page.getByRole("heading", { name, level: 2 }).waitFor();
    },
    done: async ({ call, api, name }) =>
      expect((await call<{ content: object[] }>("GET", `${api}/subscription/query`)).content).toContainEqual(
        expect.objectContaining({ name }),
      ),
    request: ({ api, name }) => ["POST", `${api}/subscription`, { name, channel: "webhook", target: { url: address } }],
  },
];

/** The team itself. */
const management: readonly Deed[] = [
  {
    ...manage("members"),
    deed: "invite a member",
    may: editors,
    needs: writeTeam,
    button: ({ page }) => page.getByRole("button", { name: "Invite people" }),
    async does(scene) {
      const { page } = scene;
      await page.getByRole("button", { name: "Invite people" }).click();
      const dialog = page.getByRole("dialog", { name: "Invite people" });
      await dialog.getByLabel("E-mail addresses").fill(invited(scene));
      await page.keyboard.press("Enter");
      await dialog.getByLabel("reader").check();
      await dialog.getByRole("button", { name: "Invite", exact: true }).click();
      await rowOf(scene, invited(scene)).waitFor();
    },
    done: async (scene) =>
      expect((await teamOf(scene)).members).toContainEqual(expect.objectContaining({ email: invited(scene), role: "reader" })),
    request: change((scene) => ({ members: [{ email: invited(scene), role: "reader" }] })),
  },
  {
    ...manage("members"),
    deed: "remove a member",
    may: owners,
    needs: deleteOfTeam,
    given: async (scene) => void (await scene.ask("PATCH", scene.api, { members: [{ email: invited(scene), role: "reader" }] })),
    button: (scene) => scene.page.getByRole("button", { name: `Remove ${invited(scene)}` }),
    async does(scene) {
      await scene.page.getByRole("button", { name: `Remove ${invited(scene)}` }).click();
      await scene.page.getByRole("button", { name: "Remove the member" }).click();
      await rowOf(scene, invited(scene)).waitFor({ state: "detached" });
    },
    done: async (scene) => expect((await teamOf(scene)).members.map(({ email }) => email)).not.toContain(invited(scene)),
    request: (scene) => ["DELETE", `${scene.api}/members`, [{ email: invited(scene) }]],
  },
  {
    ...manage("approvers"),
    deed: "create an approver group",
    may: editors,
    needs: writeTeam,
    button: ({ page }) => page.getByRole("button", { name: "Create a group" }),
    async does(scene) {
      const { page, people, name } = scene;
      await page.getByRole("button", { name: "Create a group" }).click();
      await page.getByLabel("Name").fill(name);
      await page.getByPlaceholder("Choose members").fill(people.owner.email);
      await page.getByRole("option", { name: people.owner.email }).click();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Create the group" }).click();
      await rowOf(scene, name).waitFor();
    },
    done: async (scene) => expect((await teamOf(scene)).approverGroups.map(({ name }) => name)).toContain(scene.name),
    request: change(({ name, people }) => ({ approverGroups: [{ name, approvers: [people.owner.id] }] })),
  },
  {
    ...manage("quotas"),
    deed: "set a quota",
    may: editors,
    needs: writeTeam,
    given: async ({ ask, api }) => void (await ask("PATCH", api, { quotas: { maxConcurrentRuns: 4 } })),
    button: ({ page }) => page.getByRole("button", { name: "Change the limit of Runs at a time" }),
    async does({ page }) {
      await page.getByRole("button", { name: "Change the limit of Runs at a time" }).click();
      await page.getByLabel(/^Limit of Runs at a time/).fill("3");
      await page.getByRole("button", { name: "Save" }).click();
      await page
        .getByText(/of 3\b/)
        .first()
        .waitFor();
    },
    done: async (scene) => expect((await teamOf(scene)).quotas.maxConcurrentRuns).toBe(3),
    request: change(() => ({ quotas: { maxConcurrentRuns: 2 } })),
  },
  {
    ...manage("quotas"),
    deed: "go back to the default quotas",
    may: owners,
    needs: deleteOfTeam,
    given: async ({ ask, api }) => void (await ask("PATCH", api, { quotas: { maxConcurrentRuns: 3 } })),
    button: ({ page }) => page.getByRole("button", { name: "Reset to the defaults" }),
    async does({ page }) {
      await page.getByRole("button", { name: "Reset to the defaults" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Reset to the defaults" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
    done: async (scene) => expect((await teamOf(scene)).quotas.maxConcurrentRuns).toBe(4),
    request: ({ api }) => ["DELETE", `${api}/quotas`],
  },
  {
    ...manage("tokens"),
    deed: "create a token",
    may: editors,
    needs: { permission: "token/write", in: "team" },
    button: ({ page }) => page.getByRole("button", { name: "Create a token" }).first(),
    async does(scene) {
      const { page, name } = scene;
      await page.getByRole("button", { name: "Create a token" }).first().click();
      const dialog = page.getByRole("dialog", { name: "Create a token" });
      await dialog.getByLabel("Name").fill(name);
      await dialog.getByLabel("workflow/read").check();
      await dialog.getByRole("button", { name: "Create the token" }).click();
      const token = await page.getByRole("dialog", { name: "Take the token now" }).locator("pre").first().textContent();
      expect(await scene.site.call(token ?? "", "GET", "/api/v2/auth/caller")).toMatchObject({ kind: "team", name });
      await page.getByRole("button", { name: "I have taken it" }).click();
      await rowOf(scene, name).waitFor();
    },
    request: ({ team, name }) => ["POST", "/api/v2/token", { type: "team", principal: team.name, name, permissions: ["workflow/read"] }],
  },
  {
    ...manage("tokens"),
    deed: "revoke a token",
    may: owners,
    needs: { permission: "token/delete", in: "team" },
    async given({ ask, team, name }) {
      const body = { type: "team", principal: team.name, name, permissions: ["workflow/read"] };
      return (await ask<{ id: string }>("POST", "/api/v2/token", body)).id;
    },
    button: ({ page, name }) => page.getByRole("button", { name: `Revoke ${name}` }),
    async does(scene) {
      await scene.page.getByRole("button", { name: `Revoke ${scene.name}` }).click();
      await scene.page.getByRole("button", { name: "Revoke the token" }).click();
      await rowOf(scene, scene.name).waitFor({ state: "detached" });
    },
    request: ({ id }) => ["DELETE", `/api/v2/token/${id}`],
  },
  {
    ...manage("audit"),
    deed: "read who changed what",
    may: editors,
    needs: writeTeam,
    given: async ({ ask, api, name }) => void (await ask("PATCH", api, { labels: { stage: name } })),
    does: (scene) => rowOf(scene, "changed team").first().waitFor(),
    done: async ({ call, api }) =>
      expect(await call("GET", `${api}/audit/query?limit=5&page=0`)).toMatchObject({ content: expect.any(Array) }),
    request: ({ api }) => ["GET", `${api}/audit/query?limit=5&page=0`],
  },
  {
    ...manage("settings"),
    deed: "label the team",
    may: editors,
    needs: writeTeam,
    given: async ({ ask, api }) => void (await ask("PATCH", api, { labels: { stage: null, by: null } })),
    button: ({ page }) => page.getByRole("button", { name: "Save the settings" }),
    async does({ page, name }) {
      await page.getByRole("button", { name: "Add a label" }).click();
      await page.getByLabel("Key of label 1").fill("by");
      await page.getByLabel("Value of label 1").fill(name);
      await page.getByRole("button", { name: "Save the settings" }).click();
      await page.getByText("The settings are saved.").first().waitFor();
    },
    done: async (scene) => expect((await teamOf(scene)).labels).toMatchObject({ by: scene.name }),
    request: change(({ name }) => ({ labels: { by: name } })),
  },
  {
    ...manage("settings"),
    deed: "delete the team",
    may: owners,
    needs: deleteOfTeam,
    // A team of its own, with the same person in the same role.
    async given({ site, name, people, role }) {
      const member = role === "admin" ? [] : [{ email: people[role].email, role }];
      await site.call(site.adminToken, "POST", "/api/v2/team", {
        name,
        displayName: name,
        members: [{ email: "keeper@example.com", role: "owner" }, ...member],
      });
    },
    at: ({ name }) => `/${name}/manage/settings`,
    button: ({ page }) => page.getByRole("button", { name: "Delete the team" }),
    async does({ page, name }) {
      await page.getByRole("button", { name: "Delete the team" }).click();
      await page.getByRole("dialog").getByLabel(`Type ${name} to confirm`).fill(name);
      await page.getByRole("dialog").getByRole("button", { name: "Delete the team" }).click();
      await page.waitForURL("**/home");
    },
    done: ({ call, name }) => expect(call("GET", `/api/v2/team/${name}`)).rejects.toThrow("404"),
    request: ({ name }) => ["DELETE", `/api/v2/team/${name}`],
  },
];

export const teamDeeds: readonly Deed[] = [...equipment, ...management];
