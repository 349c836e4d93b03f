import type { Locator, Page } from "playwright-core";
import type { Stage } from "./stage.ts";

/** A team's owner, editor and reader; and an administrator of the instance, who is a member of no team. */
export const roles = ["owner", "editor", "reader", "admin"] as const;
export type Role = (typeof roles)[number];

/** Who may, as docs/api-design.md has it; `roles.test.ts` holds the actions against the table there. */
export const everybody: readonly Role[] = [...roles];
export const editors: readonly Role[] = ["owner", "editor", "admin"];
export const owners: readonly Role[] = ["owner", "admin"];
export const admins: readonly Role[] = ["admin"];
export const nobody: readonly Role[] = [];

/** One person before one screen. */
export interface Scene extends Stage {
  role: Role;
  page: Page;
  /** A name that no other scene has; what is made in it is called so. */
  name: string;
  /** What `given` made. */
  id: string;
  /** Calls the API as this person; fails on a refusal. */
  call<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Body>;
}

export type Request = readonly [method: string, path: string, body?: unknown];

/** What a screen is for, and who may do it: a row of the table. */
export interface Action {
  /** The path as routes.tsx has it; where the screen has sections, with the word of the section. */
  screen: string;
  action: string;
  may: readonly Role[];
  /** The permission that it takes, and where; left out: to be signed in is enough. */
  needs?: { permission: string; in: "team" | "instance" };
  /** Makes, as a user who may, the object of the action; its id, where that is needed. */
  given?: (scene: Scene) => Promise<unknown>;
  /** The address. */
  at: (scene: Scene) => string;
  /** Opens what has the button, such as a menu: everyone can do that. */
  before?: (scene: Scene) => Promise<unknown>;
  /** What the screen says to a user who may not, where it is no matter of permissions. */
  why?: string;
  /** What a user who may not finds there, and can't use. Left out: the screen itself says that it is not for everyone. */
  button?: (scene: Scene) => Locator;
  /** Does it, and sees on the page that it is done. */
  does: (scene: Scene) => Promise<unknown>;
  /** What the API says of it afterwards. */
  done?: (scene: Scene) => Promise<unknown>;
  /** The same by the API, which refuses it to users who may not. */
  request?: (scene: Scene) => Request | Promise<Request>;
}
