import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { TeamUsers } from "./team-users.ts";

const folder = mkdtempSync(join(tmpdir(), "team-users-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const teams = Array.from({ length: 100 }, (_, index) => `team-${index}`);
const uids = (users: TeamUsers, names: readonly string[]) => names.map((name) => users.uidOf(name));

test("no two teams share a user, even if their hashes collide, and one team too many is refused", () => {
  const users = new TeamUsers(1_000, 100);
  expect(uids(users, teams).toSorted((one, other) => one - other)).toEqual(teams.map((_, index) => 1_000 + index));
  expect(uids(users, teams)).toEqual(uids(users, teams));
  expect(() => users.uidOf("one more")).toThrow("other teams have all 100 user ids");
});

test("a team keeps its user after a restart and in another process, no matter who comes first then", () => {
  const workspaces = join(folder, "workspaces");
  const users = join(workspaces, "team-users");
  const before = new TeamUsers(1_000, 100, users);
  const given = uids(before, teams);
  const after = new TeamUsers(1_000, 100, users);
  expect(uids(after, teams.toReversed())).toEqual(given.toReversed());
  expect(readdirSync(users)).toHaveLength(100);
  expect([workspaces, users].map((path) => statSync(path).mode & 0o777)).toEqual([0o711, 0o700]);
});
