import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { workflow } from "../../../test/kit/run-simulator.ts";

const app = await testApp();
const admin = await app.make.user({ type: "admin" });
const as = app.as(await app.make.userToken(admin.id));
const path = "/api/v2/setup";

async function doneSteps(): Promise<string[]> {
  const { steps } = (await as.get(path)).body;
  return steps.filter(({ done }: { done: boolean }) => done).map(({ name }: { name: string }) => name);
}

test("a step is done once the instance has its object; workflows of the sample team don't count", async () => {
  const sample = await app.make.team({ name: "getting-started" });
  await app.as().post(`/api/v2/team/${sample.name}/workflow`, { ...workflow(), name: "hello" });
  expect(await doneSteps()).toEqual([]);
  const team = await app.make.team();
  expect((await app.as().post(`/api/v2/team/${team.name}/workflow`, { ...workflow(), name: "own" })).status).toBe(200);
  await app.sql`insert into setting (group_key, key, value) values ('mail', 'host', 'mail.example.com'), ('mail', 'from', 'millrace@example.com')`;
  await app.as().post(`/api/v2/team/${team.name}/invitation`, { email: "bob@example.com", role: "editor", mail: false });
  expect(await doneSteps()).toEqual(["workflow", "mail", "invite"]);
});

test("only administrators see it, on their home page too, until one of them dismisses it for all", async () => {
  const operator = app.as(await app.make.userToken((await app.make.user({ type: "operator" })).id));
  const overview = async (client: typeof as) => (await client.get("/api/v2/overview?limit=10")).body;
  expect((await operator.get(path)).status).toBe(403);
  expect((await operator.delete(path)).status).toBe(403);
  expect(await overview(operator)).not.toHaveProperty("setupOpen");
  // A token that acts as itself has no home page.
  expect(await overview(app.as())).not.toHaveProperty("setupOpen");
  expect(await overview(as)).toMatchObject({ setupOpen: true });
  expect((await as.delete(path)).status).toBe(204);
  expect((await as.get(path)).body.open).toBe(false);
  expect(await overview(as)).not.toHaveProperty("setupOpen");
  expect(await app.sql`select object_kind, after from audit where object_kind = 'instance'`).toMatchObject([
    { after: { checklist: "dismissed" } },
  ]);
});
