import { expect, test } from "vitest";
import { hasSecondPerson } from "../../../src/store/identity/users.ts";
import { testApp } from "../../kit/app.ts";
import { testDatabase } from "../../kit/database.ts";
import { createFactories, randomName } from "../../kit/factories.ts";

/** Who may allow a team to use the host network, and what is refused to teams without it. */
const app = await testApp();
const asksHost = { "millrace.dev/network": "host" };

async function newTeam() {
  const team = await app.make.team();
  return { ...team, path: `/api/v2/team/${team.name}`, owner: await app.make.member(team.id, "owner") };
}

test("only administrators let a team use the network of the machine, and it is recorded", async () => {
  const { id, path, owner } = await newTeam();
  const operator = await app.make.userToken((await app.make.user({ type: "operator" })).id);
  for (const token of [owner.token, operator]) {
    const refused = await app.as(token).patch(path, { allowHostNetwork: true });
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining("allowHostNetwork") } });
  }
  expect((await app.as(owner.token).post("/api/v2/team", { name: randomName("t"), displayName: "T", allowHostNetwork: true })).status).toBe(
    403,
  );
  expect((await app.as().patch(path, { allowHostNetwork: true })).body.allowHostNetwork).toBe(true);
  const { body: whole } = await app.as(owner.token).get(path);
  expect((await app.as(owner.token).patch(path, { allowHostNetwork: whole.allowHostNetwork, displayName: "Same" })).status).toBe(200);
  expect((await app.as(owner.token).patch(path, { allowHostNetwork: false })).status).toBe(403);
  const { body: records } = await app.as().get(`/api/v2/audit/query?teams=${id}&limit=50&page=0`);
  const entries = await Promise.all(records.content.map((entry: { id: string }) => app.as().get(`/api/v2/audit/${entry.id}`)));
  expect(entries.map(({ body }) => body.after?.allowHostNetwork)).toContain(true);
});

test("what asks for the network of the machine is refused at every save, and the setting that is missing is named", async () => {
  const team = await newTeam();
  const shared = randomName("shared");
  const task = (name: string) => ({ name, type: "script", spec: { script: "true" }, annotations: asksHost });
  const flow = (more: object) => ({ name: randomName("flow"), tasks: [{ name: "a", dependencies: [{ taskRef: "start" }], ...more }] });
  const byNode = flow({ taskRef: "execute-shell", annotations: asksHost });
  const byTask = flow({ taskRef: shared });
  const save = (what: "task" | "workflow", body: object) => app.as(team.owner.token).post(`${team.path}/${what}`, body);
  const problems = async (body: object) => (await app.as(team.owner.token).post(`${team.path}/workflow/validate`, body)).body;
  const refused = (setting: string) => ({ status: 400, body: { message: expect.stringContaining(setting) } });

  await app.as().put("/api/v2/task/execute-shell", { name: "execute-shell", type: "script", spec: { script: "true" } });
  expect(await app.as().post("/api/v2/task", task(shared))).toMatchObject(refused("MILLRACE_ALLOW_HOST_NETWORK=true"));
  expect(await save("task", task("own"))).toMatchObject(refused("MILLRACE_ALLOW_HOST_NETWORK=true"));
  expect(await save("workflow", byNode)).toMatchObject(refused("MILLRACE_ALLOW_HOST_NETWORK=true"));

  app.context.allowsHostNetwork = true;
  expect((await app.as().post("/api/v2/task", task(shared))).status).toBe(200);
  for (const [what, body] of [
    ["task", task("own")],
    ["workflow", byNode],
    ["workflow", byTask],
  ] as const) {
    expect(await save(what, body)).toMatchObject(refused("allowHostNetwork of the team"));
  }
  expect(await problems(byNode)).toMatchObject([{ message: expect.stringContaining("allowHostNetwork of the team") }]);

  await app.as().patch(team.path, { allowHostNetwork: true });
  for (const [what, body] of [
    ["task", task("own")],
    ["workflow", byNode],
    ["workflow", byTask],
  ] as const) {
    expect((await save(what, body)).status).toBe(200);
  }
  expect(await problems({ ...byNode, name: randomName("flow") })).toEqual([]);
});

test("a second person is one who can sign in or was invited", async () => {
  const { sql } = await testDatabase();
  const make = createFactories(sql);
  expect(await hasSecondPerson(sql)).toBe(false);
  await make.user({ type: "admin" });
  expect(await hasSecondPerson(sql)).toBe(false);
  const gone = await make.user();
  expect(await hasSecondPerson(sql)).toBe(true);
  await sql`update app_user set status = 'inactive' where id = ${gone.id}`;
  expect(await hasSecondPerson(sql)).toBe(false);
  await sql`update app_user set is_invited = true where id = ${gone.id}`;
  expect(await hasSecondPerson(sql)).toBe(true);
});
