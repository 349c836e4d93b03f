import { expect } from "vitest";
import { type Action, everybody, nobody, type Scene } from "./action.ts";

const ownName = ({ role, name }: Scene) => `The ${role} ${name}`;

/** What all users do for themselves, whatever their other permissions are. */
export const ownActions: readonly Action[] = [
  {
    screen: "/sign-in",
    action: "sign in with an access token",
    may: everybody,
    // A new user in the browser: the others stay signed in.
    before: ({ page }) => page.context().clearCookies(),
    at: () => "/sign-in",
    async does({ page, people, role }) {
      await page.reload();
      await page.getByLabel("Access token").fill(people[role].token);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.waitForURL("**/home");
      await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    },
    async done({ page, site, people, role }) {
      const answer = await page.request.get(`${site.address}/api/v2/auth/caller`);
      expect(await answer.json()).toMatchObject({ userId: people[role].id });
    },
  },
  {
    screen: "/sign-in/device",
    action: "approve the sign-in of a program with an access token",
    may: nobody,
    at: () => "/sign-in/device",
    why: "sign in as a user: with a password or single sign-on",
    does: () => Promise.reject(new Error("nobody may")),
    request: () => ["POST", "/api/v2/auth/device/decision", { userCode: "BBBB-BBBB", decision: "approve" }],
  },
  {
    screen: "/sign-in/invitation",
    action: "accept an invitation",
    may: everybody,
    async given({ ask, name, people, role }) {
      await ask("POST", "/api/v2/team", { name, displayName: name });
      const { link } = await ask<{ link: string }>("POST", `/api/v2/team/${name}/invitation`, {
        email: people[role].email,
        role: "reader",
      });
      return link.slice(link.indexOf("#"));
    },
    at: ({ id }) => `/sign-in/invitation${id}`,
    async does({ page, name }) {
      await page.getByRole("button", { name: "Accept invitation" }).click();
      await page.waitForURL(`**/${name}/workflows`);
    },
    done: async ({ call, name }) =>
      expect((await call<{ teams: unknown[] }>("GET", "/api/v2/auth/caller")).teams).toContainEqual(expect.objectContaining({ name })),
  },
  {
    screen: "/activate",
    action: "activate the instance once more",
    may: nobody,
    at: () => "/activate",
    why: "This instance is already activated",
    does: () => Promise.reject(new Error("nobody may")),
    request: () => ["PUT", "/api/v2/activate", { code: "AAAAA-AAAAA-AAAAA-AAAAA", email: "ada@example.com", password: "correct horse" }],
  },
  {
    screen: "/home",
    action: "create a team",
    may: everybody,
    at: () => "/home",
    async does({ page, name }) {
      await page.getByRole("button", { name: "Create team" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill(name);
      await page.getByRole("dialog").getByRole("button", { name: "Create team" }).click();
      await page.waitForURL(`**/${name}/workflows`);
      await page.getByText("Start from a template").first().waitFor();
    },
    async done({ call, name, people, role }) {
      const { members } = await call<{ members: object[] }>("GET", `/api/v2/team/${name}`);
      expect(members).toMatchObject([{ id: people[role].id, role: "owner" }]);
    },
  },
  {
    screen: "/profile/account",
    action: "change the own name",
    may: everybody,
    at: () => "/profile/account",
    async does(scene) {
      await scene.page.getByRole("textbox", { name: "Name", exact: true }).fill(ownName(scene));
      await scene.page.getByRole("button", { name: "Save name" }).click();
      await scene.page.getByText("Name saved.").first().waitFor();
    },
    done: async (scene) => expect(await scene.call("GET", "/api/v2/profile")).toMatchObject({ displayName: ownName(scene) }),
  },
  {
    screen: "/profile/sessions",
    action: "read where one is signed in",
    may: everybody,
    at: () => "/profile/sessions",
    does: ({ page }) => page.getByText("You signed in with a token").waitFor(),
    done: async ({ call }) => expect(await call("GET", "/api/v2/auth/sessions")).toEqual([]),
  },
  {
    screen: "/profile/tokens",
    action: "create an own token",
    may: everybody,
    at: () => "/profile/tokens",
    async does({ page, name, site, people, role }) {
      await page.getByRole("button", { name: "Create token" }).first().click();
      const dialog = page.getByRole("dialog", { name: "Create token" });
      await dialog.getByLabel("Name").fill(name);
      await dialog.getByRole("button", { name: "Create token" }).click();
      const token = await page.getByRole("dialog", { name: "Copy the token" }).locator("pre").first().textContent();
      expect(await site.call(token ?? "", "GET", "/api/v2/auth/caller")).toMatchObject({ userId: people[role].id });
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByRole("row").filter({ hasText: name }).waitFor();
    },
  },
  {
    screen: "/profile/appearance",
    action: "choose the dark theme",
    may: everybody,
    at: () => "/profile/appearance",
    async does({ page }) {
      await page.getByLabel("Dark", { exact: true }).check();
      await expect.poll(() => page.evaluate("document.documentElement.dataset.mantineColorScheme")).toBe("dark");
      await page.getByLabel("Light", { exact: true }).check();
    },
  },
  {
    screen: "/kit",
    action: "look at the components",
    may: everybody,
    at: () => "/kit",
    does: ({ page }) => page.getByRole("heading", { level: 2, name: "Buttons and dialogs" }).waitFor(),
  },
];
