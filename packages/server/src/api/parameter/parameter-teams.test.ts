import { beforeEach, describe, expect, test } from "vitest";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

/** A global parameter may name the teams that may use it; for other teams it does not exist. */

const { app, kit, team } = await runKit();
const admin = app.as();
const path = "/api/v2/parameters";
const secret = { name: "deploy-key", type: "password", value: "key-of-the-deployment" };

beforeEach(async () => {
  await app.sql`delete from global_parameter`;
});

/** What a run of the team resolves, and whether it warns. */
async function resolved(made: Awaited<ReturnType<typeof team>>) {
  const name = `w${(await app.sql`select count(*)::int as count from workflow`)[0]?.["count"]}`;
  const sees = node("see", "setwfproperty", ["start"], params({ output: "key", value: "[$(global.params.deploy-key)]" }));
  await made.workflow(name, workflow({ ...sees, unresolvedReferences: "keep" }));
  const { id } = await made.submit(name);
  await kit.settle();
  const run = await made.run(id);
  await admin.post(`${made.path}/workflow`, { name: `${name}-made` });
  const available = (await admin.get(`${made.path}/workflow/${name}-made/available-parameters`)).body as string[];
  return {
    value: run.results[0]?.value,
    warnings: taskOf(run, "see").warnings ?? [],
    isListed: available.some((one) => one.includes("deploy-key")),
  };
}

const nothing = "[$(global.params.deploy-key)]";
const nameOf = async (id: string) => (await app.sql<{ name: string }[]>`select name from team where id = ${id}`)[0]!.name;

test("without the member all teams use it", async () => {
  await admin.post(path, secret);
  expect(await resolved(await team())).toMatchObject({ value: "[******]", isListed: true });
});

test("only the named teams can resolve and see it; for others the name does not exist", async () => {
  const [mine, theirs] = [await team(), await team()];
  const before = await resolved(theirs);
  const made = await admin.post(path, { ...secret, teams: [await nameOf(mine.id)] });
  expect(made).toMatchObject({ status: 200, body: { teams: [mine.id], value: "", hiddenValue: true } });
  expect(await resolved(mine)).toMatchObject({ value: "[******]", warnings: [], isListed: true });
  const after = await resolved(theirs);
  expect(after).toEqual(before);
  expect(after).toMatchObject({ value: nothing, isListed: false });
});

test("an empty list lets no team in", async () => {
  const made = await team();
  await admin.post(path, { ...secret, teams: [] });
  expect((await admin.get(path)).body).toMatchObject([{ teams: [] }]);
  expect(await resolved(made)).toMatchObject({ value: nothing, isListed: false });
});

test("a changed list counts for runs that are submitted from then on, and is in the audit", async () => {
  const [one, other] = [await team(), await team()];
  await admin.post(path, { ...secret, teams: [one.id] });
  const answer = await admin.put(path, { ...secret, teams: [other.id, other.id.toUpperCase()] });
  expect(answer).toMatchObject({ status: 200, body: { teams: [other.id] } });
  expect((await resolved(one)).value).toBe(nothing);
  expect((await resolved(other)).value).toBe("[******]");
  const [record] = await app.sql`select before, after from audit where object_kind = 'parameter' order by id desc limit 1`;
  expect(record).toMatchObject({ before: { teams: [one.id] }, after: { teams: [other.id] } });
});

describe("a write", () => {
  test("without the member `teams` keeps them, and null opens it to all, with the secret", async () => {
    const made = await team();
    await admin.post(path, { ...secret, teams: [made.id] });
    expect((await admin.put(path, { name: secret.name, type: "password", label: "Key" })).body).toMatchObject({ teams: [made.id] });
    expect((await admin.put(path, { ...secret, teams: null })).body.teams).toBeUndefined();
  });

  test("that gives a stored secret to more teams needs the secret", async () => {
    const [one, other] = [await team(), await team()];
    await admin.post(path, { ...secret, teams: [one.id, other.id] });
    const keep = { name: secret.name, type: "password", value: "" };
    expect((await admin.put(path, { ...keep, teams: [one.id] })).status).toBe(200);
    for (const teams of [[one.id, other.id], [other.id], null]) {
      expect(await admin.put(path, { ...keep, teams })).toMatchObject({
        status: 400,
        body: { errors: [{ path: "/value", message: expect.stringContaining("in the same request") }] },
      });
    }
    expect((await admin.put(path, { ...secret, teams: [other.id] })).status).toBe(200);
  });

  test.each([
    ["an unknown team", ["no-such-team"], "/teams/0"],
    ["an unknown id", ["01980f3e-7d2b-7c3a-9f35-0c9b8f6c1f5e"], "/teams/0"],
    ["no list", "hawks", "/teams"],
    ["a list of other things", [1], "/teams/0"],
  ])("that names %s is refused", async (_, teams, at) => {
    expect(await admin.post(path, { ...secret, teams })).toMatchObject({ status: 400, body: { errors: [{ path: at }] } });
  });

  test("of a team's own parameter names no teams", async () => {
    const made = await team();
    expect(await admin.patch(made.path, { parameters: [{ name: "x", value: "1", teams: [made.id] }] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "/parameters/0/teams" }] },
    });
  });
});

test("a deleted team is removed from the list, and an empty list does not mean all teams", async () => {
  const made = await team();
  await admin.post(path, { ...secret, teams: [made.id] });
  expect((await admin.delete(made.path)).status).toBe(204);
  expect((await admin.get(path)).body).toMatchObject([{ name: secret.name, teams: [] }]);
  expect((await resolved(await team())).value).toBe(nothing);
});
