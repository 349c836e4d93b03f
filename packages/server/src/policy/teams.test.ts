import { expect, test } from "vitest";
import type { Principal } from "../api/endpoint.ts";
import { allows, anonymous, canSeeTeam } from "./allows.ts";
import { instancePermissions, teamRolePermissions } from "./permissions.ts";
import { mayCreateTeam, mayGrantRole, mayRaiseQuotas, teamsReadBy } from "./teams.ts";

const user = (more: Partial<Principal> = {}): Principal => ({
  kind: "user",
  id: "user:1",
  userId: "1",
  name: "u",
  permissions: [],
  teams: new Map(),
  ...more,
});
const member = (role: keyof typeof teamRolePermissions, more: Partial<Principal> = {}) =>
  user({ teams: new Map([["t", [...teamRolePermissions[role]]]]), ...more });

test("a role counts in its own team and nowhere else", () => {
  const owner = member("owner");
  expect(allows(owner, "team/delete", "t")).toBe(true);
  expect(allows(owner, "team/delete", "other")).toBe(false);
  expect(allows(owner, "system/read")).toBe(false);
  expect([canSeeTeam(owner, "t"), canSeeTeam(owner, "other")]).toEqual([true, false]);
});

test("without a credential only open endpoints are allowed", () => {
  expect([allows(anonymous, "open"), allows(anonymous, "signed-in"), allows(anonymous, "team/read", "t")]).toEqual([true, false, false]);
});

test.each([
  ["owner", ["owner", "editor", "reader"]],
  ["editor", ["editor", "reader"]],
  ["reader", ["reader"]],
] as const)("%s may give the roles %j", (role, given) => {
  expect((["owner", "editor", "reader"] as const).filter((wanted) => mayGrantRole(member(role), "t", wanted))).toEqual(given);
});

test("people make teams, tokens that act as themselves only with the permission for all", () => {
  expect(mayCreateTeam(user())).toBe(true);
  expect(mayCreateTeam(user({ limit: ["workflow/read"] }))).toBe(false);
  expect(mayCreateTeam({ ...user(), userId: undefined, permissions: ["team/write"] })).toBe(true);
  expect(mayCreateTeam({ ...member("owner"), userId: undefined })).toBe(false);
});

test("quotas are raised, and all teams are read, only by permission for the instance", () => {
  expect(mayRaiseQuotas(member("owner"))).toBe(false);
  expect(mayRaiseQuotas(user({ permissions: [...instancePermissions("operator")] }))).toBe(true);
  expect(teamsReadBy(member("reader"))).toEqual(["t"]);
  expect(teamsReadBy(user({ teams: new Map([["t", ["workflow/read"]]]) }))).toEqual([]);
  expect(teamsReadBy(user({ permissions: ["**/read"] }))).toBeUndefined();
});
