import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import type { Database } from "../../store/database/database.ts";
import { findTeam } from "../../store/team/teams.ts";
import { viewTeams } from "./team.view.ts";

const app = await testApp();

test("fifty teams take as many statements as one", async () => {
  const made = await Promise.all(Array.from({ length: 50 }, () => app.make.team()));
  for (const { id } of made) await app.make.member(id, "owner");
  const teams = await Promise.all(made.map(async ({ id }) => (await findTeam(app.sql, id))!));
  const statementsFor = async (count: number) => {
    let statements = 0;
    const counting = new Proxy(app.sql, {
      apply(target, self, parts) {
        statements += 1;
        return Reflect.apply(target as unknown as (...parts: unknown[]) => unknown, self, parts);
      },
    }) as Database;
    const views = await viewTeams(counting, teams.slice(0, count));
    expect(views.map(({ members }) => members.length)).toEqual(Array.from({ length: count }, () => 1));
    return statements;
  };
  expect(await statementsFor(50)).toBe(await statementsFor(1));
});
