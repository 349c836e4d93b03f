import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp();
const target = { url: "https://example.com/hooks/millrace" };
const unknownId = "01980f3e-7d2b-7c3a-9f35-0c9b8f6c1f5e";

async function newTeam() {
  const team = await app.make.team();
  return { ...team, path: `/api/v2/team/${team.name}/subscription` };
}

/** Every endpoint below a subscription. */
const calls = (path: string): [string, string, unknown?][] => [
  ["GET", path],
  ["PATCH", path, { isActive: false }],
  ["PUT", path, { name: "again", target }],
  ["POST", `${path}/rotate`],
  ["POST", `${path}/test`],
  ["GET", `${path}/delivery/query`],
  ["POST", `${path}/delivery/replay`],
  ["POST", `${path}/delivery/${unknownId}/replay`],
  ["DELETE", path],
];

describe.each([
  ["a team", async () => (await newTeam()).path],
  ["the instance", async () => "/api/v2/subscription"],
])("subscriptions of %s", (_, place) => {
  test("are created, read by name and id, listed, changed, replaced and deleted", async () => {
    const path = await place();
    const made = await app
      .as()
      .post(path, { name: "failed runs", target, filters: [{ exact: { type: "dev.millrace.workflowrun.failed" } }] });
    expect(made).toMatchObject({ status: 200, body: { channel: "webhook", isActive: true, secret: expect.stringMatching(/^whsec_/) } });
    const shown = (await app.as().get(`${path}/${made.body.id}`)).body;
    expect(shown).toEqual({ ...made.body, secret: "", hiddenValue: true });
    expect((await app.as().get(`${path}/failed%20runs`)).body).toEqual(shown);
    expect((await app.as().get(`${path}/query`)).body).toMatchObject({ totalElements: 1, content: [shown] });
    const changed = await app.as().patch(`${path}/${made.body.id}`, { isActive: false });
    expect(changed.body).toMatchObject({ name: "failed runs", isActive: false, filters: shown.filters, target });
    const replaced = await app
      .as()
      .put(`${path}/${made.body.id}`, { name: "all", target: { url: "http://example.com/" }, secret: made.body.secret });
    expect(replaced.body).toMatchObject({
      name: "all",
      isActive: true,
      filters: [],
      target: { url: "http://example.com/" },
      hiddenValue: true,
    });
    expect((await app.as().delete(`${path}/all`)).status).toBe(204);
    expect((await app.as().get(`${path}/query`)).body.content).toEqual([]);
  });

  test("one that does not exist is not found", async () => {
    const path = await place();
    for (const [method, url, body] of [...calls(`${path}/${unknownId}`), ...calls(`${path}/nothing`)]) {
      expect(await app.as().send(method, url, body), `${method} ${url}`).toMatchObject({
        status: 404,
        body: { reason: "SUBSCRIPTION_INVALID_REF" },
      });
    }
  });

  test("need a credential", async () => {
    const path = await place();
    const { id } = (await app.as().post(path, { name: "guarded", target })).body;
    for (const [method, url, body] of [
      ...calls(`${path}/${id}`),
      ["GET", `${path}/query`],
      ["POST", path, { name: "x", target }],
    ] as const) {
      expect((await app.as(null).send(method, url, body)).status, `${method} ${url}`).toBe(401);
    }
    await app.as().delete(`${path}/${id}`);
  });
});

test("members with the permission may write them, readers read them, and outsiders find no team", async () => {
  const { id, path } = await newTeam();
  const editor = app.as((await app.make.member(id, "owner")).token);
  const reader = app.as((await app.make.member(id, "reader")).token);
  const outsider = app.as((await app.make.member((await app.make.team()).id, "owner")).token);
  const made = await editor.post(path, { name: "mine", target });
  expect(made.status).toBe(200);
  expect((await reader.get(`${path}/mine`)).status).toBe(200);
  expect((await reader.patch(`${path}/mine`, { isActive: false })).status).toBe(403);
  for (const [method, url, body] of calls(`${path}/mine`)) {
    expect((await outsider.send(method, url, body)).status, `${method} ${url}`).toBe(404);
  }
  expect((await editor.post("/api/v2/subscription", { name: "x", target })).status).toBe(403);
  expect((await editor.get("/api/v2/subscription/query")).status).toBe(403);
});

test("a subscription of another team is not found by its id", async () => {
  const [one, two] = [await newTeam(), await newTeam()];
  const { id } = (await app.as().post(one.path, { name: "mine", target })).body;
  for (const path of [two.path, "/api/v2/subscription"]) {
    for (const [method, url, body] of calls(`${path}/${id}`)) {
      expect((await app.as().send(method, url, body)).status, `${method} ${url}`).toBe(404);
    }
  }
});

describe("what is refused", () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  test.each([
    ["no name", { target }, /\/name is missing/],
    ["no target", { name: "x" }, /\/target is missing/],
    ["no url", { name: "x", target: {} }, /\/target\/url must be a URL/],
    ["another protocol", { name: "x", target: { url: "ftp://example.com/" } }, /must start with https/],
    ["a password in the url", { name: "x", target: { url: "https://a:b@example.com/" } }, /must not contain a user name or password/],
    ["no url at all", { name: "x", target: { url: "example.com" } }, /must be a URL/],
    ["another member", { name: "x", target: { ...target, method: "PUT" } }, /\/target\/method is unknown here; known: url/],
    ["a short secret", { name: "x", target, secret: "whsec_AAAA" }, /\/secret must be whsec_/],
    ["a secret of another kind", { name: "x", target, secret: secret.slice(6) }, /\/secret must be whsec_/],
    ["a filter without dialect", { name: "x", target, filters: [{}] }, /\/filters\/0/],
    ["a broken expression", { name: "x", target, filters: [{ sql: "type =" }] }, /\/filters\/0\/sql/],
    ["an unknown channel", { name: "x", target, channel: "pigeon" }, /channel/],
    ["a name with white space around it", { name: " x ", target }, /name/],
  ])("%s", async (_what, body, message) => {
    const { path } = await newTeam();
    const answer = await app.as().post(path, body);
    expect(answer).toMatchObject({ status: 400, body: { reason: "VALIDATION_FAILED", message: expect.stringMatching(message) } });
    expect(answer.text).not.toContain("whsec_AAAA");
  });

  test("a name that is taken or reserved, but not one of another team", async () => {
    const [one, two] = [await newTeam(), await newTeam()];
    await app.as().post(one.path, { name: "mine", target });
    expect(await app.as().post(one.path, { name: "mine", target })).toMatchObject({
      status: 422,
      body: { reason: "SUBSCRIPTION_NON_UNIQUE_NAME" },
    });
    expect(await app.as().post(one.path, { name: "query", target })).toMatchObject({ status: 422 });
    expect((await app.as().post(two.path, { name: "mine", target })).status).toBe(200);
    await app.as().post(one.path, { name: "other", target });
    expect((await app.as().patch(`${one.path}/other`, { name: "mine" })).status).toBe(422);
  });

  test("more than 50 of a team, also when they come at once", async () => {
    const { path } = await newTeam();
    const answers = await Promise.all(Array.from({ length: 53 }, (_, index) => app.as().post(path, { name: `n${index}`, target })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({ status: 409, body: { reason: "SUBSCRIPTION_LIMIT" } });
  });

  test("the test of a paused one, and a delivery that is not its own", async () => {
    const { path } = await newTeam();
    await app.as().post(path, { name: "paused", target, isActive: false });
    expect(await app.as().post(`${path}/paused/test`)).toMatchObject({ status: 409, body: { reason: "SUBSCRIPTION_NOT_ACTIVE" } });
    await app.as().post(path, { name: "one", target });
    const { id } = (await app.as().post(`${path}/one/test`)).body;
    const replay = await app.as().post(`${path}/paused/delivery/${id}/replay`);
    expect(replay).toMatchObject({ status: 404, body: { reason: "DELIVERY_INVALID_REF" } });
    expect((await app.as().post(`${path}/one/delivery/nonsense/replay`)).status).toBe(404);
  });
});

test("every write leaves an audit record, and none of them the secret", async () => {
  const { path, name } = await newTeam();
  const { secret } = (await app.as().post(path, { name: "mine", target })).body;
  const rotated = (await app.as().post(`${path}/mine/rotate`)).body.secret;
  await app.as().patch(`${path}/mine`, { isActive: false });
  await app.as().delete(`${path}/mine`);
  const audit = await app.as().get(`/api/v2/team/${name}/audit/query?limit=100&page=0`);
  expect(
    audit.body.content.filter(({ object }: { object?: { kind?: string } }) => object?.kind === "subscription").length ||
      audit.body.content.length,
  ).toBeGreaterThanOrEqual(4);
  for (const text of [secret, rotated]) expect(audit.text).not.toContain(text);
});
