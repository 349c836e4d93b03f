import type { Navigation } from "@millrace/contract/settings/system.ts";
import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp();
const team = await app.make.team({ name: "owls" });
const tokenOf = async (type: "user" | "admin" | "operator", permissions?: string[]) =>
  app.make.userToken((await app.make.user({ type })).id, permissions);
const members = {
  reader: (await app.make.member(team.id, "reader")).token,
  outsider: (await app.make.member((await app.make.team()).id, "owner")).token,
  admin: await tokenOf("admin"),
};

const list = async (token: string | null, query = "") => app.as(token).get(`/api/v2/navigation${query}`);
const names = (items: Navigation[]) => items.map(({ name, type }) => name ?? type);
const set = (key: string, value: boolean) =>
  app.as().put("/api/v2/settings", [{ id: "features", config: [{ key, value: String(value) }] }]);

const ofTeam = [
  "Workflows",
  "Activity",
  "Actions",
  "Insights",
  "Schedules",
  "Integrations",
  "divider",
  "Task Manager",
  "Parameters",
  "Manage Team",
];
const ofAdmin = [
  ...["Teams", "Users", "Global Parameters", "Global Tokens", "Settings", "Task Manager", "Template Workflows"],
  ...["Workers", "History", "Events", "Insights", "Audit"],
];

test("with a team: its items in order, with links under its name", async () => {
  for (const reference of ["owls", "OWLS", team.id]) {
    const { status, body, headers } = await list(members.reader, `?team=${reference}`);
    expect([status, names(body)]).toEqual([200, ["Home", "divider", ...ofTeam]]);
    expect(body[0]).toEqual({ name: "Home", type: "link", icon: "Home", link: "/home", disabled: false, beta: false });
    expect(body[2]).toEqual({ name: "Workflows", type: "link", icon: "FlowData", link: "/owls/workflows", disabled: false, beta: false });
    expect(body.filter(({ beta }: Navigation) => beta)).toMatchObject([{ name: "Integrations", link: "/owls/integrations" }]);
    expect(body.at(-1).link).toBe("/owls/manage");
    expect(headers["cache-control"]).toBe("private, max-age=60");
    expect(String(headers["vary"])).toContain("authorization");
  }
});

test("without a team: the same items, disabled and without links", async () => {
  const { body } = await list(members.reader);
  expect(names(body)).toEqual(["Home", "divider", ...ofTeam]);
  for (const item of body.slice(2)) expect([item.type === "link", item.link]).toEqual([item.disabled, undefined]);
});

test("the menu of administrators, with the items that each may open", async () => {
  const menuOf = async (token: string) => (await list(token, "?team=owls")).body.find(({ type }: Navigation) => type === "menu");
  const menu = await menuOf(members.admin);
  expect(menu).toMatchObject({ name: "Administer", icon: "Settings", disabled: false });
  expect(names(menu.childLinks)).toEqual(ofAdmin);
  expect(menu.childLinks.map(({ link }: Navigation) => link)).toEqual(
    [
      ...["teams", "users", "parameters", "tokens", "settings", "task-manager", "template-workflows"],
      ...["workers", "history", "events", "insights", "audit"],
    ].map((place) => `/admin/${place}`),
  );
  expect(names((await menuOf(await tokenOf("operator"))).childLinks)).toEqual(ofAdmin);
  expect(names((await menuOf(await tokenOf("admin", ["**/read"]))).childLinks)).toEqual([...ofAdmin.slice(0, 5), ...ofAdmin.slice(7)]);
  expect(names((await menuOf(await app.make.globalToken(["user/read", "workflow/read"]))).childLinks)).toEqual(["Users"]);
  for (const token of [members.reader, await app.make.teamToken(team.id)]) expect(await menuOf(token)).toBeUndefined();
});

test("only what the caller may read in the team", async () => {
  const token = await app.make.teamToken(team.id, ["workflow/read", "schedule/write"]);
  expect(names((await list(token, "?team=owls")).body)).toEqual(["Home", "divider", "Workflows", "divider"]);
});

test.each([
  ["activity", "Activity"],
  ["insights", "Insights"],
  ["teamTasks", "Task Manager"],
  ["teamParameters", "Parameters"],
])("the feature %s off takes %s away", async (key, name) => {
  await set(key, false);
  expect(names((await list(members.reader, "?team=owls")).body)).toEqual(["Home", "divider", ...ofTeam.filter((one) => one !== name)]);
  await set(key, true);
});

test.each([
  ["teamManagement", "Teams"],
  ["userManagement", "Users"],
  ["globalParameters", "Global Parameters"],
  ["insights", "Insights"],
])("the feature %s off takes %s away from administrators", async (key, name) => {
  await set(key, false);
  expect(names((await list(members.admin)).body.at(-1).childLinks)).toEqual(ofAdmin.filter((one) => one !== name));
  await set(key, true);
});

test("takes a credential, and a team that the caller can see", async () => {
  expect((await list(null)).status).toBe(401);
  for (const query of ["?team=owls", `?team=${team.id}`, "?team=nobody"]) {
    expect((await list(members.outsider, query)).body).toMatchObject({ reason: "TEAM_INVALID_REF", status: "404 NOT_FOUND" });
  }
  expect((await list(members.admin, "?team=nobody")).status).toBe(404);
  expect((await list(members.reader, "?team=")).status).toBe(200);
});
