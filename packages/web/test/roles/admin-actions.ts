import { expect } from "vitest";
import { type Action, admins, type Scene } from "./action.ts";
import { hookAddress, mailOf, rowOf, subscribe } from "./scene-parts.ts";

type Permission = `${string}/${string}`;
const inInstance = (permission: Permission) => ({ permission, in: "instance" as const });
const section = (word: string) => ({ screen: `/admin/${word}`, at: () => `/admin/${word}`, may: admins });

interface SettingGroup {
  key: string;
  config: { key: string; value: string }[];
}
const settingOf = async ({ call }: Scene, group: string, key: string) =>
  (await call<SettingGroup[]>("GET", "/api/v2/settings")).find((one) => one.key === group)?.config.find((one) => one.key === key)?.value;

/** Sections of the administration. Without the permission of a section a user can't read it either: it names the required permission. */
export const adminActions: readonly Action[] = [
  {
    ...section("teams"),
    action: "create a team for others",
    needs: inInstance("team/read"),
    async does(scene) {
      const { page, name, people } = scene;
      await page.getByRole("button", { name: "Create team" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill(name);
      await page.getByRole("dialog").getByLabel("Owner").fill(people.owner.email);
      await page.getByRole("dialog").getByRole("button", { name: "Create team" }).click();
      await page.getByRole("link", { name }).waitFor();
    },
    async done({ call, name, people }) {
      const { members } = await call<{ members: object[] }>("GET", `/api/v2/team/${name}`);
      expect(members).toContainEqual(expect.objectContaining({ email: people.owner.email, role: "owner" }));
    },
    // Every user can create teams, and owns them; an editor does not see those of others.
    given: async ({ site }) => (await site.make.team()).id,
    request: ({ id }) => ["GET", `/api/v2/team/${id}`],
  },
  {
    ...section("users"),
    action: "make someone an operator",
    needs: inInstance("user/read"),
    given: async (scene) => (await scene.site.make.user({ email: mailOf(scene) })).id,
    at: (scene) => `/admin/users?find=${scene.name}`,
    async does(scene) {
      const { page } = scene;
      await page.getByRole("button", { name: `More actions for ${mailOf(scene)}` }).click();
      await page.getByRole("menuitem", { name: "Change" }).click();
      await page.getByRole("dialog").getByRole("combobox", { name: "Type" }).click();
      await page.getByRole("option", { name: "Operator" }).click();
      await page.getByRole("button", { name: "Save user" }).click();
      await rowOf(scene, mailOf(scene)).getByText("Operator").waitFor();
    },
    done: async ({ call, id }) => expect(await call("GET", `/api/v2/user/${id}`)).toMatchObject({ type: "operator" }),
    request: ({ id }) => ["PATCH", `/api/v2/user/${id}`, { type: "operator" }],
  },
  {
    ...section("parameters"),
    action: "set a global parameter",
    needs: inInstance("parameter/read"),
    async does(scene) {
      const dialog = scene.page.getByRole("dialog");
      await scene.page.getByRole("button", { name: "Add parameter" }).click();
      await dialog.getByLabel("Name").fill(scene.name);
      await dialog.getByLabel("Value").fill("everywhere");
      await dialog.getByRole("button", { name: "Add parameter" }).click();
      await rowOf(scene, scene.name).getByText("everywhere").waitFor();
    },
    done: async ({ call, name }) => expect(await call("GET", "/api/v2/parameters")).toContainEqual(expect.objectContaining({ name })),
    request: ({ name }) => ["POST", "/api/v2/parameters", { name, type: "text", value: "everywhere" }],
  },
  {
    ...section("parameters"),
    action: "protect a secret of the instance",
    needs: inInstance("parameter/read"),
    given: ({ ask, name }) => ask("POST", "/api/v2/parameters", { name, type: "password", value: "correct horse" }),
    async does({ page, name }) {
      await page.getByRole("button", { name: `Protection of ${name}` }).click();
      const dialog = page.getByRole("dialog", { name: `Protection of ${name}` });
      await dialog.getByLabel("Approver group").fill("security");
      await dialog.getByRole("button", { name: "Protect secret" }).click();
      await dialog.waitFor({ state: "detached" });
    },
    done: async ({ call, name }) => expect(await call("GET", `/api/v2/parameters/${name}/protection`)).toMatchObject({ protected: true }),
    request: ({ name }) => ["PUT", `/api/v2/parameters/${name}/protection`, { approverGroup: "security" }],
  },
  {
    ...section("tokens"),
    action: "make a global token",
    needs: inInstance("token/read"),
    async does(scene) {
      const { page, name, site } = scene;
      await page.getByRole("button", { name: "Create token" }).first().click();
      await page.getByRole("dialog").getByLabel("Name").fill(name);
      await page.getByRole("dialog").getByRole("button", { name: "Read only" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
      const token = await page.getByRole("dialog", { name: "Copy the token" }).locator("pre").first().textContent();
      expect(await site.call(token ?? "", "GET", "/api/v2/auth/caller")).toMatchObject({ kind: "global", name });
      await page.getByRole("button", { name: "Done" }).click();
      await rowOf(scene, name).waitFor();
    },
    request: ({ name }) => ["POST", "/api/v2/token", { type: "global", name, permissions: ["team/read"] }],
  },
  {
    ...section("settings"),
    action: "change a setting",
    needs: inInstance("system/read"),
    at: () => "/admin/settings?group=customizations",
    async does({ page, name }) {
      await page.getByLabel("Platform name").fill(name);
      await page.getByRole("button", { name: "Save 1 change" }).click();
      await page.getByText("Settings saved.").first().waitFor();
    },
    done: async (scene) => expect(await settingOf(scene, "customizations", "platformName")).toBe(scene.name),
    request: ({ name }) => ["PUT", "/api/v2/settings", [{ key: "customizations", config: [{ key: "platformName", value: name }] }]],
  },
  {
    ...section("features"),
    action: "switch a feature",
    needs: inInstance("system/read"),
    async does({ page }) {
      const feature = page.getByRole("switch", { name: "Insights" });
      await feature.press("Space");
      await expect.poll(() => feature.isChecked()).toBe(false);
    },
    async done(scene) {
      expect(await settingOf(scene, "features", "insights")).toBe("false");
      await scene.ask("PUT", "/api/v2/settings", [{ key: "features", config: [{ key: "insights", value: "true" }] }]);
    },
    request: () => ["PUT", "/api/v2/settings", [{ key: "features", config: [{ key: "insights", value: "false" }] }]],
  },
  {
    ...section("workers"),
    action: "read how full the workers are",
    needs: inInstance("system/read"),
    does: ({ page }) => page.getByText("This server").waitFor(),
    done: async ({ call }) => expect(await call("GET", "/api/v2/system/workers")).toMatchObject({ workers: [expect.anything()] }),
    request: () => ["GET", "/api/v2/system/workers"],
  },
  {
    ...section("history"),
    action: "read how much history is stored",
    needs: inInstance("system/read"),
    does: ({ page }) => page.getByRole("region", { name: "Stored history" }).getByRole("row").first().waitFor(),
    done: async ({ call }) => expect(await call("GET", "/api/v2/system/history")).toMatchObject({ kinds: expect.any(Array) }),
    request: () => ["GET", "/api/v2/system/history"],
  },
  {
    ...section("events"),
    action: "subscribe to events of all teams",
    needs: inInstance("integration/read"),
    does: subscribe,
    request: ({ name }) => ["POST", "/api/v2/subscription", { name, channel: "webhook", target: { url: hookAddress } }],
  },
  {
    ...section("insights"),
    action: "read how the runs of all teams did",
    needs: inInstance("insights/read"),
    does: ({ page }) => page.getByRole("radiogroup", { name: "Period" }).waitFor(),
    done: async ({ call }) => expect(await call("GET", "/api/v2/insights")).toMatchObject({ totalRuns: expect.any(Number) }),
    request: () => ["GET", "/api/v2/insights"],
  },
  {
    ...section("audit"),
    action: "read who changed what",
    needs: inInstance("system/read"),
    given: async ({ ask, api, name }) => void (await ask("PATCH", api, { labels: { stage: name } })),
    does: (scene) => rowOf(scene, "team").first().waitFor(),
    request: () => ["GET", "/api/v2/audit/query?limit=5&page=0"],
  },
];
