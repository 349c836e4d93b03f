import type { Page } from "playwright-core";
import { randomName } from "../../../server/test/kit/factories.ts";
import { openSite, type Site } from "../kit/site.ts";
import type { Role } from "./action.ts";

export interface Person {
  id: string;
  email: string;
  token: string;
  page: Page;
}

/** A site with a team, and a user of each role with their own browser context. */
export interface Stage {
  site: Site;
  team: { id: string; name: string };
  /** The path of the team in the API. */
  api: string;
  people: Record<Role, Person>;
  /** As the administrator's first token. */
  ask<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Body>;
  /** Saves a workflow of the team. @param members in addition to those of a workflow without tasks */
  workflow(name: string, members?: object): Promise<string>;
  /** Starts a run of a workflow that waits for an approval; its id. */
  waitingRun(name: string): Promise<string>;
}

/** Call it at the top level of a file, like `openSite`. */
export async function openStage(): Promise<Stage> {
  const site = await openSite({ MILLRACE_OUTBOUND_ALLOW: "127.0.0.1" });
  const team = await site.make.team({ name: randomName("mill") });
  await site.sql`update team set max_concurrent_runs = 100, max_workflow_count = 500 where id = ${team.id}`;
  const administrator = await site.make.user({ type: "admin" });
  const login = async (person: { id: string; email: string; token: string }) => ({
    ...person,
    page: await site.open("/profile/appearance", person.token),
  });
  const people = {
    owner: await login(await site.make.member(team.id, "owner")),
    editor: await login(await site.make.member(team.id, "editor")),
    reader: await login(await site.make.member(team.id, "reader")),
    admin: await login({ ...administrator, token: await site.make.userToken(administrator.id) }),
  };
  const api = `/api/v2/team/${team.name}`;
  const ask: Stage["ask"] = (method, path, body) => site.call(site.adminToken, method, path, body);
  const workflow = async (name: string, members: object = {}) => {
    const { id } = await ask<{ id: string }>("POST", `${api}/workflow`, { name, tasks: [], ...members });
    return id;
  };
  const waitingRun = async (name: string) => {
    await workflow(name, { tasks: [{ name: "decide", type: "approval", taskRef: "manual-approval" }] });
    const { id } = await ask<{ id: string }>("POST", `${api}/workflow/${name}/submit?start=true`, {});
    return id;
  };
  return { site, team, api, people, ask, workflow, waitingRun };
}
