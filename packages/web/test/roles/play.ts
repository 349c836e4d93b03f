import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import { randomName } from "../../../server/test/factories.ts";
import { type Deed, type Role, roles, type Scene } from "./deed.ts";
import type { Stage } from "./stage.ts";

/** Each deed by each role: who may does it, who may not is told why by the page, and refused by the API. */
export function playDeeds(stage: Stage, deeds: readonly Deed[]): void {
  for (const deed of deeds)
    describe(`${deed.screen}: ${deed.deed}`, () => {
      for (const role of roles) {
        if (deed.may.includes(role)) test(`is done by the ${role}`, () => isDone(deed, sceneOf(stage, role)));
        else test(`is refused to the ${role}, who is told why`, () => isRefused(deed, sceneOf(stage, role)));
      }
    });
}

function sceneOf(stage: Stage, role: Role): Scene {
  const { page, token } = stage.people[role];
  const call: Scene["call"] = (method, path, body) => stage.site.call(token, method, path, body);
  return { ...stage, role, page, name: randomName(role), id: "", call };
}

async function enter({ given, at, before }: Deed, bare: Scene): Promise<Scene> {
  const scene = { ...bare, id: String((await given?.(bare)) ?? "") };
  await scene.page.goto(scene.site.address + at(scene));
  await before?.(scene);
  return scene;
}

async function isDone(deed: Deed, bare: Scene): Promise<void> {
  const scene = await enter(deed, bare);
  await deed.does(scene);
  await deed.done?.(scene);
}

async function isRefused(deed: Deed, bare: Scene): Promise<void> {
  const scene = await enter(deed, bare);
  const why = deed.why ?? deed.needs?.permission ?? "";
  if (deed.button === undefined) await scene.page.getByRole("main").getByText(why).first().waitFor();
  else await saysWhy(deed.button(scene), why);
  if (deed.request === undefined) return;
  const [method, path, body] = await deed.request(scene);
  await expect(scene.call(method, path, body)).rejects.toThrow(/: 40[349] /);
}

/** It is there, can't be used, and says what is missing. */
async function saysWhy(button: Locator, why: string): Promise<void> {
  await button.waitFor();
  expect(await button.isDisabled()).toBe(true);
  expect([await button.getAttribute("aria-description"), await button.textContent()].join(" ")).toContain(why);
}
