import { expect } from "vitest";
import { type Action, editors, owners, type Scene } from "./action.ts";
import { changeTeam, mailOf, rowOf, teamOf } from "./scene-parts.ts";

const writeTeam = { permission: "team/write", in: "team" } as const;
const grantInTeam = { permission: "team/grant", in: "team" } as const;
const deleteOfTeam = { permission: "team/delete", in: "team" } as const;
const manage = (section: string) => ({
  screen: `/$team/manage/${section}`,
  at: ({ team }: Scene) => `/${team.name}/manage/${section}`,
});

/** The team itself. */
export const manageActions: readonly Action[] = [
  {
    ...manage("members"),
    action: "invite a person",
    may: owners,
    needs: grantInTeam,
    button: ({ page }) => page.getByRole("button", { name: "Invite people" }),
    async does(scene) {
      const { page } = scene;
      await page.getByRole("button", { name: "Invite people" }).click();
      const dialog = page.getByRole("dialog", { name: "Invite people" });
      await dialog.getByLabel("Email addresses").fill(mailOf(scene));
      await page.keyboard.press("Enter");
      await dialog.getByLabel("reader").check();
      await dialog.getByRole("button", { name: "Invite", exact: true }).click();
      await dialog.getByRole("button", { name: "Done" }).click();
      await rowOf(scene, mailOf(scene)).waitFor();
    },
    done: async (scene) => {
      const { content } = await scene.ask<{ content: unknown[] }>("GET", `${scene.api}/invitation/query?limit=200&page=0`);
      expect(content).toContainEqual(expect.objectContaining({ email: mailOf(scene), role: "reader", state: "pending" }));
    },
    request: (scene) => ["POST", `${scene.api}/invitation`, { email: mailOf(scene), role: "reader" }],
  },
  {
    ...manage("members"),
    action: "remove a member",
    may: owners,
    needs: deleteOfTeam,
    given: async (scene) => void (await scene.ask("PATCH", scene.api, { members: [{ email: mailOf(scene), role: "reader" }] })),
    button: (scene) => scene.page.getByRole("button", { name: `Remove ${mailOf(scene)}` }),
    async does(scene) {
      await scene.page.getByRole("button", { name: `Remove ${mailOf(scene)}` }).click();
      await scene.page.getByRole("button", { name: "Remove member" }).click();
      await rowOf(scene, mailOf(scene)).waitFor({ state: "detached" });
    },
    done: async (scene) => expect((await teamOf(scene)).members.map(({ email }) => email)).not.toContain(mailOf(scene)),
    request: (scene) => ["DELETE", `${scene.api}/members`, [{ email: mailOf(scene) }]],
  },
  {
    ...manage("approvers"),
    action: "create an approver group",
    may: owners,
    needs: grantInTeam,
    button: ({ page }) => page.getByRole("button", { name: "Create group" }),
    async does(scene) {
      const { page, people, name } = scene;
      await page.getByRole("button", { name: "Create group" }).click();
      await page.getByLabel("Name").fill(name);
      await page.getByPlaceholder("Choose members").fill(people.owner.email);
      await page.getByRole("option", { name: people.owner.email }).click();
      // Closes the choices. If they are closed already, Escape would close the dialog.
      await page.keyboard.press("Tab");
      await page.getByRole("dialog").getByRole("button", { name: "Create group" }).click();
      await rowOf(scene, name).waitFor();
    },
    done: async (scene) => expect((await teamOf(scene)).approverGroups.map(({ name }) => name)).toContain(scene.name),
    request: changeTeam(({ name, people }) => ({ approverGroups: [{ name, approvers: [people.owner.id] }] })),
  },
  {
    ...manage("protection"),
    action: "let new versions of all workflows wait for an approval",
    may: owners,
    needs: grantInTeam,
    // For a separate team: workflows are saved in the others.
    async given({ site, name, people, role }) {
      const member = role === "admin" ? [] : [{ email: people[role].email, role }];
      const { owner } = people;
      const members = [{ email: owner.email, role: "owner" }, ...member.filter(({ email }) => email !== owner.email)];
      await site.call(site.adminToken, "POST", "/api/v2/team", { name, displayName: name, members });
      const approverGroups = [{ name: "releasers", approvers: [owner.id] }];
      await site.call(site.adminToken, "PATCH", `/api/v2/team/${name}`, { approverGroups });
    },
    at: ({ name }) => `/${name}/manage/protection`,
    button: ({ page }) => page.getByRole("button", { name: "Protect all workflows" }),
    async does({ page }) {
      await page.getByRole("combobox", { name: "Approver group" }).click();
      await page.getByRole("option", { name: "releasers" }).click();
      await page.getByRole("button", { name: "Protect all workflows" }).click();
      await page.getByRole("button", { name: "Turn off protection" }).waitFor();
    },
    done: async ({ call, name }) => expect(await call("GET", `/api/v2/team/${name}/protection`)).toMatchObject({ protected: true }),
    request: ({ name }) => ["PUT", `/api/v2/team/${name}/protection`, { approverGroup: "releasers" }],
  },
  {
    ...manage("quotas"),
    action: "set a quota",
    may: editors,
    needs: writeTeam,
    given: async ({ ask, api }) => void (await ask("PATCH", api, { quotas: { maxConcurrentRuns: 4 } })),
    button: ({ page }) => page.getByRole("button", { name: "Change the limit of Concurrent runs" }),
    async does({ page }) {
      await page.getByRole("button", { name: "Change the limit of Concurrent runs" }).click();
      await page.getByLabel(/^Limit of Concurrent runs/).fill("3");
      await page.getByRole("button", { name: "Save" }).click();
      await page
        .getByText(/of 3\b/)
        .first()
        .waitFor();
    },
    done: async (scene) => expect((await teamOf(scene)).quotas.maxConcurrentRuns).toBe(3),
    request: changeTeam(() => ({ quotas: { maxConcurrentRuns: 2 } })),
  },
  {
    ...manage("quotas"),
    action: "go back to the default quotas",
    may: owners,
    needs: deleteOfTeam,
    given: async ({ ask, api }) => void (await ask("PATCH", api, { quotas: { maxConcurrentRuns: 3 } })),
    button: ({ page }) => page.getByRole("button", { name: "Reset to defaults" }),
    async does({ page }) {
      await page.getByRole("button", { name: "Reset to defaults" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Reset to defaults" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
    done: async (scene) => expect((await teamOf(scene)).quotas.maxConcurrentRuns).toBe(100),
    request: ({ api }) => ["DELETE", `${api}/quotas`],
  },
  {
    ...manage("tokens"),
    action: "create a token",
    may: editors,
    needs: { permission: "token/write", in: "team" },
    button: ({ page }) => page.getByRole("button", { name: "Create token" }).first(),
    async does(scene) {
      const { page, name } = scene;
      await page.getByRole("button", { name: "Create token" }).first().click();
      const dialog = page.getByRole("dialog", { name: "Create token" });
      await dialog.getByLabel("Name").fill(name);
      await dialog.getByLabel("workflow/read").check();
      await dialog.getByRole("button", { name: "Create token" }).click();
      const token = await page.getByRole("dialog", { name: "Copy the token" }).locator("pre").first().textContent();
      expect(await scene.site.call(token ?? "", "GET", "/api/v2/auth/caller")).toMatchObject({ kind: "team", name });
      await page.getByRole("button", { name: "Done" }).click();
      await rowOf(scene, name).waitFor();
    },
    request: ({ team, name }) => ["POST", "/api/v2/token", { type: "team", principal: team.name, name, permissions: ["workflow/read"] }],
  },
  {
    ...manage("tokens"),
    action: "revoke a token",
    may: owners,
    needs: { permission: "token/delete", in: "team" },
    async given({ ask, team, name }) {
      const body = { type: "team", principal: team.name, name, permissions: ["workflow/read"] };
      return (await ask<{ id: string }>("POST", "/api/v2/token", body)).id;
    },
    button: ({ page, name }) => page.getByRole("button", { name: `Revoke ${name}` }),
    async does(scene) {
      await scene.page.getByRole("button", { name: `Revoke ${scene.name}` }).click();
      await scene.page.getByRole("button", { name: "Revoke token" }).click();
      await rowOf(scene, scene.name).waitFor({ state: "detached" });
    },
    request: ({ id }) => ["DELETE", `/api/v2/token/${id}`],
  },
  {
    ...manage("audit"),
    action: "read who changed what",
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
    action: "label the team",
    may: editors,
    needs: writeTeam,
    given: async ({ ask, api }) => void (await ask("PATCH", api, { labels: { stage: null, by: null } })),
    button: ({ page }) => page.getByRole("button", { name: "Save settings" }),
    async does({ page, name }) {
      await page.getByRole("button", { name: "Add label" }).click();
      await page.getByLabel("Key of label 1").fill("by");
      await page.getByLabel("Value of label 1").fill(name);
      await page.getByRole("button", { name: "Save settings" }).click();
      await page.getByText("Settings saved.").first().waitFor();
    },
    done: async (scene) => expect((await teamOf(scene)).labels).toMatchObject({ by: scene.name }),
    request: changeTeam(({ name }) => ({ labels: { by: name } })),
  },
  {
    ...manage("settings"),
    action: "delete the team",
    may: owners,
    needs: deleteOfTeam,
    // A separate team, with the same user in the same role.
    async given({ site, name, people, role }) {
      const member = role === "admin" ? [] : [{ email: people[role].email, role }];
      await site.call(site.adminToken, "POST", "/api/v2/team", {
        name,
        displayName: name,
        members: [{ email: "keeper@example.com", role: "owner" }, ...member],
      });
    },
    at: ({ name }) => `/${name}/manage/settings`,
    button: ({ page }) => page.getByRole("button", { name: "Delete team" }),
    async does({ page, name }) {
      await page.getByRole("button", { name: "Delete team" }).click();
      await page.getByRole("dialog").getByLabel(`Type ${name} to confirm`).fill(name);
      await page.getByRole("dialog").getByRole("button", { name: "Delete team" }).click();
      await page.waitForURL("**/home");
    },
    done: ({ call, name }) => expect(call("GET", `/api/v2/team/${name}`)).rejects.toThrow("404"),
    request: ({ name }) => ["DELETE", `/api/v2/team/${name}`],
  },
];
