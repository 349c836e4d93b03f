import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { makeTriggered } from "../../../test/kit/integration-kit.ts";

const app = await testApp();
const admin = app.as();
const enabled = { webhook: { enabled: true } };

async function signedWorkflow(triggers: Parameters<typeof makeTriggered>[3] = enabled) {
  const team = await app.make.team();
  const id = await makeTriggered(app, team.id, "build", triggers);
  const secretPath = `/api/v2/team/${team.id}/workflow/build/webhook-secret`;
  const made = await admin.put(secretPath, undefined);
  if (made.status !== 200) throw new Error(made.text);
  return { team, id, path: `/api/v2/webhook?ref=${id}`, secretPath, secret: made.body.secret as string };
}

/** Headers as the library of Standard Webhooks makes them. */
function standard(secret: string, body: string, { id = "msg_1", at = new Date() } = {}): Record<string, string> {
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
}

const hexOf = (secret: string, body: string) => `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
const send = (path: string, body: string, headers: Record<string, string>, token: string | null = null) =>
  app.as(token).post(path, body, { "content-type": "application/json", ...headers });
const runsOf = (teamId: string) => app.sql`select trigger, initiated_by from run where team_id = ${teamId}`;
const body = '{ "environment" : "production" }';

describe("a webhook that is signed with the secret of its workflow", () => {
  test("needs no token, in the form of Standard Webhooks and in the plain one, over the bytes as they are sent", async () => {
    const { team, id, path, secret } = await signedWorkflow();
    const answers = [
      await send(path, body, standard(secret, body)),
      await send(path, body, { "x-signature-256": hexOf(secret, body) }),
      await send(path, body, { "x-hub-signature-256": hexOf(secret, body) }),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 200,
        body: { workflowRef: id, trigger: "webhook", initiatedByRef: "webhook", initiatedByType: "instance" },
      });
    expect(JSON.stringify(answers.map((answer) => answer.body.params))).not.toMatch(/signature|v1,|sha256=/);
    expect(await runsOf(team.id)).toHaveLength(3);
    const [record] = await app.sql`select team_id, principal_kind, object_kind from audit where object_id = ${answers[0]!.body.id}`;
    expect(record).toEqual({ team_id: team.id, principal_kind: "integration", object_kind: "workflowrun" });
  });

  test("reaches that workflow only", async () => {
    const [one, two] = [await signedWorkflow(), await signedWorkflow()];
    expect((await send(two.path, body, standard(one.secret, body))).status).toBe(401);
    expect((await send(`/api/v2/webhook?ref=build`, body, standard(one.secret, body))).status).toBe(401);
    for (const other of [
      `/api/v2/event?ref=${one.id}`,
      `/api/v2/callback?ref=${one.id}&topic=a`,
      `/api/v2/team/${one.team.id}/workflow/query`,
    ])
      expect((await send(other, body, standard(one.secret, body))).status).toBe(other.includes("query") ? 405 : 401);
  });

  test("delivered again, and many times at once, starts one run and gets the first answer", async () => {
    const { team, path, secret } = await signedWorkflow();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(path, body, standard(secret, body))));
    answers.push(await send(path, "{}", standard(secret, "{}")));
    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(200));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect((await send(path, body, standard(secret, body, { id: "msg_2" }))).body.id).not.toBe(answers[0]!.body.id);
    expect(await runsOf(team.id)).toHaveLength(2);
    const plain = { "x-signature-256": hexOf(secret, body), "idempotency-key": "once" };
    const twice = [await send(path, body, plain), await send(path, body, plain)];
    expect(twice[0]!.body.id).toBe(twice[1]!.body.id);
    expect((await send(path, body, { ...plain, "x-signature-256": hexOf("other", body) })).status).toBe(401);
  });

  test("is accepted with several signatures, one of which is right", async () => {
    const { path, secret } = await signedWorkflow();
    const headers = standard(secret, body);
    const list = `v1a,AAAA v1,${Buffer.alloc(32).toString("base64")} ${headers["webhook-signature"]}`;
    expect((await send(path, body, { ...headers, "webhook-signature": list })).status).toBe(200);
  });

  test("is subject to the trigger like every other", async () => {
    const off = await signedWorkflow({ event: { enabled: true } });
    const refused = { status: 409, body: { reason: "WORKFLOWRUN_TRIGGER_DISABLED" } };
    expect(await send(off.path, body, standard(off.secret, body))).toMatchObject(refused);
    expect(await runsOf(off.team.id)).toHaveLength(0);
  });
});

describe("a signature is refused, without starting or revealing anything", () => {
  test.each<[string, (secret: string) => Record<string, string>]>([
    ["with another secret", () => standard("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", body)],
    ["over another body", (secret) => standard(secret, `${body} `)],
    ["with another id", (secret) => ({ ...standard(secret, body), "webhook-id": "msg_2" })],
    ["with another time", (secret) => ({ ...standard(secret, body), "webhook-timestamp": "1" })],
    [
      "of another version",
      (secret) => ({ ...standard(secret, body), "webhook-signature": standard(secret, body)["webhook-signature"]!.replace("v1,", "v2,") }),
    ],
    [
      "that is cut",
      (secret) => ({ ...standard(secret, body), "webhook-signature": standard(secret, body)["webhook-signature"]!.slice(0, -4) }),
    ],
    ["that is empty", (secret) => ({ ...standard(secret, body), "webhook-signature": "" })],
    ["without an id", (secret) => ({ "webhook-signature": standard(secret, body)["webhook-signature"]! })],
    ["in upper case", (secret) => ({ "x-signature-256": hexOf(secret, body).toUpperCase() })],
    ["without its prefix", (secret) => ({ "x-signature-256": hexOf(secret, body).slice(7) })],
    ["that is plain and wrong", () => ({ "x-hub-signature-256": hexOf("other", body) })],
  ])("%s", async (_, headersOf) => {
    const { team, path, secret } = await signedWorkflow();
    const answer = await send(path, body, headersOf(secret));
    const unknown = await send(`/api/v2/webhook?ref=${team.id}`, body, headersOf(secret));
    const { id: without } = { id: await makeTriggered(app, team.id, "without", enabled) };
    const unset = await send(`/api/v2/webhook?ref=${without}`, body, headersOf(secret));
    expect(answer).toMatchObject({ status: 401, body: { reason: "UNAUTHENTICATED" } });
    const tell = ({ status, body: { requestId: _id, timestamp: _at, ...rest } }: typeof answer) => ({ status, rest });
    expect([tell(unknown), tell(unset)]).toEqual([tell(answer), tell(answer)]);
    expect(await runsOf(team.id)).toHaveLength(0);
  });

  test("more than 300 seconds old or early, by the clock of the database", async () => {
    const { team, path, secret } = await signedWorkflow();
    for (const seconds of [-310, 310]) {
      const answer = await send(path, body, standard(secret, body, { at: new Date(Date.now() + seconds * 1000) }));
      expect(answer).toMatchObject({ status: 401, body: { reason: "UNAUTHENTICATED" } });
      expect(answer.body.message).toContain("webhook-timestamp is more than 300 seconds from now");
    }
    expect(await runsOf(team.id)).toHaveLength(0);
    for (const seconds of [-280, 280])
      expect(
        (await send(path, body, standard(secret, body, { id: `at${seconds}`, at: new Date(Date.now() + seconds * 1000) }))).status,
      ).toBe(200);
  });

  test("of a workflow that was deleted", async () => {
    const { team, path, secret } = await signedWorkflow();
    expect((await admin.delete(`/api/v2/team/${team.id}/workflow/build`)).status).toBe(204);
    expect((await send(path, body, standard(secret, body))).status).toBe(401);
  });
});

describe("a trigger that requires a signature", () => {
  test("refuses a token alone, and says what to do", async () => {
    const { team, path, secret } = await signedWorkflow({ webhook: { enabled: true, requireSignature: true } });
    const token = await app.make.teamToken(team.id, ["webhook/action"]);
    const alone = await send(path, body, {}, token);
    expect(alone).toMatchObject({ status: 401, body: { reason: "UNAUTHENTICATED" } });
    expect(alone.body.message).toContain("accepts only signed webhooks");
    expect(alone.body.message).toContain("webhook-secret");
    expect((await send(path, body, { "x-signature-256": hexOf("other", body) }, token)).status).toBe(401);
    expect(await runsOf(team.id)).toHaveLength(0);
    expect((await send(path, body, standard(secret, body), token)).status).toBe(200);
    expect((await send(path, body, standard(secret, body, { id: "2" }))).status).toBe(200);
  });
});
