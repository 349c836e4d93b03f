import { expect } from "vitest";
import { admins, type Deed, type Scene } from "./deed.ts";
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

/** Sections of the administration. Who may not do what a section is for may not read it either: it says which permission it takes. */
export const adminDeeds: readonly Deed[] = [
  {
    ...section("teams"),
    deed: "create a team for others",
    needs: inInstance("team/read"),
    async does(scene) {
      const { page, name, people } = scene;
      await page.getByRole("button", { name: "Create a team" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill(name);
      await page.getByRole("dialog").getByLabel("Owner").fill(people.owner.email);
      await page.getByRole("button", { name: "Create the team" }).click();
      await page.getByRole("link", { name }).waitFor();
    },
    async done({ call, name, people }) {
      const { members } = await call<{ members: object[] }>("GET", `/api/v2/team/${name}`);
      expect(members).toContainEqual(expect.objectContaining({ email: people.owner.email, role: "owner" }));
    },
    // Everybody makes teams, and owns them; those of others he does not see.
    given: async ({ site }) => (await site.make.team()).id,
    request: ({ id }) => ["GET", `/api/v2/team/${id}`],
  },
  {
    ...section("users"),
    deed: "make somebody an operator",
    needs: inInstance("user/read"),
    given: async (scene) => (await scene.site.make.user({ email: mailOf(scene) })).id,
    at: (scene) => `/admin/users?find=${scene.name}`,
    async does(scene) {
      const { page } = scene;
      await page.getByRole("button", { name: `More about ${mailOf(scene)}` }).click();
      await page.getByRole("menuitem", { name: "Change" }).click();
      await page.getByRole("dialog").getByRole("combobox", { name: "Type" }).click();
      await page.getByRole("option", { name: "Operator" }).click();
      await page.getByRole("button", { name: "Save the user" }).click();
      await rowOf(scene, mailOf(scene)).getByText("Operator").waitFor();
    },
    done: async ({ call, id }) => expect(await call("GET", `/api/v2/user/${id}`)).toMatchObject({ type: "operator" }),
    request: ({ id }) => ["PATCH", `/api/v2/user/${id}`, { type: "operator" }],
  },
  {
    ...section("parameters"),
    deed: "set a global parameter",
    needs: inInstance("parameter/read"),
    async does(scene) {
      const dialog = scene.page.getByRole("dialog");
      await scene.page.getByRole("button", { name: "Add a parameter" }).click();
      await dialog.getByLabel("Name").fill(scene.name);
      await dialog.getByLabel("Value").fill("everywhere");
      await dialog.getByRole("button", { name: "Add the parameter" }).click();
      await rowOf(scene, scene.name).getByText("everywhere").waitFor();
    },
    done: async ({ call, name }) => expect(await call("GET", "/api/v2/parameters")).toContainEqual(expect.objectContaining({ name })),
    request: ({ name }) => ["POST", "/api/v2/parameters", { name, type: "text", value: "everywhere" }],
  },
  {
    ...section("tokens"),
    deed: "make a global token",
    needs: inInstance("token/read"),
    async does(scene) {
      const { page, name, site } = scene;
      await page.getByRole("button", { name: "Create a token" }).first().click();
      await page.getByRole("dialog").getByLabel("Name").fill(name);
      await page.getByRole("dialog").getByRole("button", { name: "Read only" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Create the token" }).click();
      const token = await page.getByRole("dialog", { name: "Take the token now" }).locator("pre").first().textContent();
      expect(await site.call(token ?? "", "GET", "/api/v2/auth/caller")).toMatchObject({ kind: "global", name });
      await page.getByRole("button", { name: "I have taken it" }).click();
      await rowOf(scene, name).waitFor();
    },
    request: ({ name }) => ["POST", "/api/v2/token", { type: "global", name, permissions: ["team/read"] }],
  },
  {
    ...section("settings"),
    deed: "change a setting",
    needs: inInstance("system/read"),
    at: () => "/admin/settings?group=customizations",
    async does({ page, name }) {
      await page.getByLabel("Platform name").fill(name);
      await page.getByRole("button", { name: "Save 1 change" }).click();
      await page.getByText("The settings are saved.").first().waitFor();
    },
    done: async (scene) => expect(await settingOf(scene, "customizations", "platformName")).toBe(scene.name),
    request: ({ name }) => ["PUT", "/api/v2/settings", [{ key: "customizations", config: [{ key: "platformName", value: name }] }]],
  },
  {
    ...section("features"),
    deed: "switch a feature",
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
    deed: "read how full the workers are",
    needs: inInstance("system/read"),
    does: ({ page }) => page.getByText("Answers this page").waitFor(),
    done: async ({ call }) => expect(await call("GET", "/api/v2/system/workers")).toMatchObject({ workers: [expect.anything()] }),
    request: () => ["GET", "/api/v2/system/workers"],
  },
  {
    ...section("events"),
    deed: "subscribe to events of all teams",
    needs: inInstance("integration/read"),
    does: subscribe,
    request: ({ name }) => ["POST", "/api/v2/subscription", { name, channel: "webhook", target: { url: hookAddress } }],
  },
  {
    ...section("insights"),
    deed: "read how the runs of all teams did",
    needs: inInstance("insights/read"),
    does: ({ page }) => page.getByRole("radiogroup", { name: "Time" }).waitFor(),
    done: async ({ call }) => expect(await call("GET", "/api/v2/insights")).toMatchObject({ totalRuns: expect.any(Number) }),
    request: () => ["GET", "/api/v2/insights"],
  },
  {
    ...section("audit"),
    deed: "read who changed what",
    needs: inInstance("system/read"),
    given: async ({ ask, api, name }) => void (await ask("PATCH", api, { labels: { stage: name } })),
    does: (scene) => rowOf(scene, "team").first().waitFor(),
    request: () => ["GET", "/api/v2/audit/query?limit=5&page=0"],
  },
];
