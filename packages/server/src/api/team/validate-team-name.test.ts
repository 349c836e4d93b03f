import { reservedTeamNames } from "@millrace/contract/team/team.ts";
import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp();

test.each(reservedTeamNames)("no team can be called %s, however it is spelled", async (name) => {
  for (const spelling of [name, name.toUpperCase(), ` ${name} `]) {
    const refused = { status: 422, body: { reason: "TEAM_NON_UNIQUE_NAME", message: expect.stringContaining("reserved") } };
    expect(await app.as().post("/api/v2/team/validate-name", { name: spelling })).toMatchObject(refused);
    expect(await app.as().post("/api/v2/team", { name: spelling, displayName: "A team" })).toMatchObject(refused);
  }
});

test("the paths of the user interface are reserved", () => {
  expect(reservedTeamNames).toEqual(expect.arrayContaining(["home", "admin", "profile", "sign-in", "activate", "kit", "api", "assets"]));
});

test("a team is not renamed into one of them, and one that has such a name from before is reached by its id", async () => {
  const { id } = await app.make.team({ name: "kit" });
  expect(await app.as().get(`/api/v2/team/${id}`)).toMatchObject({ status: 200, body: { name: "kit" } });
  expect((await app.as().patch(`/api/v2/team/${id}`, { name: "sign-in" })).status).toBe(422);
  expect((await app.as().patch(`/api/v2/team/${id}`, { name: "toolkit" })).status).toBeLessThan(300);
});
