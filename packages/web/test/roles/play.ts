import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import { randomName } from "../../../server/test/kit/factories.ts";
import { type Action, type Role, roles, type Scene } from "./action.ts";
import type { Stage } from "./stage.ts";

/** Each action by each role: who may does it, who may not is told why by the page, and refused by the API. */
export function playActions(stage: Stage, actions: readonly Action[]): void {
  for (const action of actions)
    describe(`${action.screen}: ${action.action}`, () => {
      for (const role of roles) {
        if (action.may.includes(role)) test(`is done by the ${role}`, () => isDone(action, sceneOf(stage, role)));
        else test(`is refused to the ${role}, who is told why`, () => isRefused(action, sceneOf(stage, role)));
      }
    });
}

function sceneOf(stage: Stage, role: Role): Scene {
  const { page, token } = stage.people[role];
  const call: Scene["call"] = (method, path, body) => stage.site.call(token, method, path, body);
  return { ...stage, role, page, name: randomName(role), id: "", call };
}

async function enter({ given, at, before }: Action, bare: Scene): Promise<Scene> {
  const scene = { ...bare, id: String((await given?.(bare)) ?? "") };
  await scene.page.goto(scene.site.address + at(scene));
  await before?.(scene);
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
  if (action.request === undefined) return;
  const [method, path, body] = await action.request(scene);
  await expect(scene.call(method, path, body)).rejects.toThrow(/: 40[349] /);
}

/** It is there, can't be used, and says what is missing. */
async function saysWhy(button: Locator, why: string): Promise<void> {
  await button.waitFor();
  expect(await button.isDisabled()).toBe(true);
  expect([await button.getAttribute("aria-description"), await button.textContent()].join(" ")).toContain(why);
}
