import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import { randomName } from "../../../server/test/kit/factories.ts";
import type { Action, Role, Scene } from "./action.ts";
import type { Stage } from "./stage.ts";

/**
 * Runs each action as each role: a role that may does it; for a role that may not, the page says why and the API refuses. Pages check
 * permissions, not roles (roles.test.ts), so in the browser each action is only tried by the lowest role that may and by the highest that
 * may not. The other roles only call the API, which decides; among them the administrator, who is not a member of the team.
 */
export function playActions(stage: Stage, actions: readonly Action[]): void {
  for (const action of actions)
    describe(`${action.screen}: ${action.action}`, () => {
      const { doing, allowed, refused, asking } = castOf(action);
      for (const role of doing) test(`is done by the ${role}`, () => isDone(action, sceneOf(stage, role)));
      for (const role of allowed) test(`is allowed to the ${role} by the API`, () => isAllowedByApi(action, sceneOf(stage, role)));
      for (const role of refused) test(`is refused to the ${role}, who is told why`, () => isRefused(action, sceneOf(stage, role)));
      for (const role of asking) test(`is refused to the ${role} by the API`, () => isRefusedByApi(action, sceneOf(stage, role)));
    });
}

/** The roles of a team, with the fewest permissions first. */
export const members: readonly Role[] = ["reader", "editor", "owner"];

/** The roles that act in the browser and those refused there; and those that only call the API, which allows or refuses it. */
export function castOf({ may, request }: Pick<Action, "may" | "request">): Record<"doing" | "allowed" | "refused" | "asking", Role[]> {
  const barred = members.filter((role) => !may.includes(role));
  const able = [...members, "admin" as const].filter((role) => may.includes(role));
  const isAdminAble = may.includes("admin");
  const others = able.length > 1 && isAdminAble ? (["admin"] as const) : [];
  return {
    doing: [...able.slice(0, 1), ...(request === undefined ? others : [])],
    allowed: request === undefined ? [] : [...others],
    refused: [...barred.slice(-1), ...(isAdminAble ? [] : (["admin"] as const))],
    asking: barred.slice(0, -1),
  };
}

function sceneOf(stage: Stage, role: Role): Scene {
  const { page, token } = stage.people[role];
  const call: Scene["call"] = (method, path, body) => stage.site.call(token, method, path, body);
  return { ...stage, role, page, name: randomName(role), id: "", call };
}

async function prepare({ given }: Action, bare: Scene): Promise<Scene> {
  return { ...bare, id: String((await given?.(bare)) ?? "") };
}

async function enter(action: Action, bare: Scene): Promise<Scene> {
  const scene = await prepare(action, bare);
  await scene.page.goto(scene.site.address + action.at(scene));
  await action.before?.(scene);
  return scene;
}

async function isDone(action: Action, bare: Scene): Promise<void> {
  const scene = await enter(action, bare);
  await action.does(scene);
  await action.done?.(scene);
}

async function isRefused(action: Action, bare: Scene): Promise<void> {
  const scene = await enter(action, bare);
  const why = action.why ?? action.needs?.permission ?? "";
  if (action.button === undefined) await scene.page.getByRole("main").getByText(why).first().waitFor();
  else await saysWhy(action.button(scene), why);
  await expectRefusal(action, scene);
}

async function isAllowedByApi(action: Action, bare: Scene): Promise<void> {
  const scene = await prepare(action, bare);
  const [method, path, body] = (await action.request?.(scene)) ?? [];
  await scene.call(method as string, path as string, body);
}

async function isRefusedByApi(action: Action, bare: Scene): Promise<void> {
  await expectRefusal(action, await prepare(action, bare));
}

async function expectRefusal({ request }: Action, scene: Scene): Promise<void> {
  if (request === undefined) return;
  const [method, path, body] = await request(scene);
  await expect(scene.call(method, path, body)).rejects.toThrow(/: 40[349] /);
}

/** It exists, is disabled, and says what is missing. */
async function saysWhy(button: Locator, why: string): Promise<void> {
  await button.waitFor();
  expect(await button.isDisabled()).toBe(true);
  expect([await button.getAttribute("aria-description"), await button.textContent()].join(" ")).toContain(why);
}
