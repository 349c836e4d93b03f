import type { Locator, Page } from "playwright-core";
import type { Stage } from "./stage.ts";

/** A team's owner, editor and reader; and an administrator of the instance, who is a member of no team. */
export const roles = ["owner", "editor", "reader", "admin"] as const;
export type Role = (typeof roles)[number];

/** Who is allowed, as docs/api-design.md says; `roles.test.ts` compares the actions with the table there. */
export const everybody: readonly Role[] = [...roles];
export const editors: readonly Role[] = ["owner", "editor", "admin"];
export const owners: readonly Role[] = ["owner", "admin"];
export const admins: readonly Role[] = ["admin"];
export const nobody: readonly Role[] = [];

/** One user and one screen. */
export interface Scene extends Stage {
  role: Role;
  page: Page;
  /** A name that is unique to this scene; what is created in it has this name. */
  name: string;
  /** What `given` created. */
  id: string;
  /** Calls the API as this user; fails on an error status. */
  call<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Body>;
}

export type Request = readonly [method: string, path: string, body?: unknown];

/** An action of a screen, and who may do it: a row of the table. */
export interface Action {
  /** The path as in routes.tsx; if the screen has sections, with the word of the section. */
  screen: string;
  action: string;
  may: readonly Role[];
  /** The required permission, and where; omitted: being signed in is enough. */
  needs?: { permission: string; in: "team" | "instance" };
  /** Creates the object of the action, as a user who may; returns its ID, if it is needed. */
  given?: (scene: Scene) => Promise<unknown>;
  /** The URL. */
  at: (scene: Scene) => string;
  /** Opens what contains the button, such as a menu: every user can do that. */
  before?: (scene: Scene) => Promise<unknown>;
  /** What the screen shows to a user who may not, if the reason is not a permission. */
  why?: string;
  /** The disabled control that a user who may not finds there. Omitted: the screen itself says that access is restricted. */
  button?: (scene: Scene) => Locator;
  /** Does it, and checks on the page that it is done. */
  does: (scene: Scene) => Promise<unknown>;
  /** Checks the result over the API afterwards. */
  done?: (scene: Scene) => Promise<unknown>;
  /** The same over the API, which refuses it to users who may not. */
  request?: (scene: Scene) => Request | Promise<Request>;
}
