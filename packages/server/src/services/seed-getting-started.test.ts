import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { testDatabase } from "../../test/kit/database.ts";
import { Keyring } from "../base/secret/keyring.ts";
import { deleteTeam } from "../domain/team/teams.ts";
import { listWorkflows } from "../store/workflow/workflows.ts";
import { seedCatalog } from "./seed-catalog.ts";
import { seedGettingStarted } from "./seed-getting-started.ts";

const keyring = new Keyring([randomBytes(32)]);
const everything = { labels: {}, statuses: [], refs: undefined };

test("of processes that start together one makes the team with its samples, and a deleted team does not come back", async () => {
  const { sql } = await testDatabase();
  await seedCatalog(sql);
  const seeds = await Promise.all([1, 2, 3].map(() => seedGettingStarted(sql, { isWanted: true, keyring })));
  const [made, ...others] = seeds.filter((seed) => seed !== undefined);
  expect(others).toEqual([]);
  const names = (await listWorkflows(sql, made!.team.id, everything, { order: "ASC", limit: 10, offset: 0 })).map(({ name }) => name);
  expect(names.sort()).toEqual([...made!.workflows].sort());
  await deleteTeam(sql, made!.team, true);
  expect(await seedGettingStarted(sql, { isWanted: true, keyring })).toBeUndefined();
});

test("an instance that began without it stays without it", async () => {
  const { sql } = await testDatabase();
  await seedCatalog(sql);
  expect(await seedGettingStarted(sql, { isWanted: false, keyring })).toBeUndefined();
  expect(await seedGettingStarted(sql, { isWanted: true, keyring })).toBeUndefined();
  expect(await sql`select id from team`).toHaveLength(0);
});
