import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type TestAnswer, testApp } from "../../kit/app.ts";
import { makeTriggered, sendFromChat, sendFromCodehost, setIntegrationSettings } from "../../kit/integration-kit.ts";

/**
 * Outside systems may send anything, even with a valid signature: it starts a run or is rejected with a reason, and never causes an
 * internal error. MILLRACE_FUZZ_RUNS sets the number of cases, MILLRACE_FUZZ_SEED repeats them.
 */
const numRuns = Number(process.env["MILLRACE_FUZZ_RUNS"] ?? 60);
const seed = Number(process.env["MILLRACE_FUZZ_SEED"] ?? 20_261_120);

const app = await testApp();
const secret = "a secret";
await setIntegrationSettings(app, { "chat.signingSecret": secret, "codehost.webhookSecret": secret });
const team = await app.make.team();
const condition = (field: string, value: string) => ({ field, operation: "matches" as const, value });
const trigger = (field: string) => ({ enabled: true, conditions: [condition(field, ".*")] });
const workflow = await makeTriggered(app, team.id, "hostile", {
  event: trigger("$..*"),
  webhook: trigger("$.*"),
  codehost: trigger("repositories"),
});
const token = await app.make.teamToken(team.id, ["webhook/action"]);
await sendFromCodehost(app, { event: "installation", payload: { action: "created", installation: { id: 7 } }, secret });
await app.as().post("/api/v2/integration/codehost/link", { ref: "7", team: team.name });

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("", "/", "\0", "\ud800", "$(params.a)", "__proto__", "hostile"),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    text,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("any"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(text, tie("any"), { maxKeys: 4 }),
}));

/** Valid members, each of which is sometimes replaced by something else. */
const nearly = (members: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .tuple(
      fc.record(
        Object.fromEntries(
          Object.entries(members).map(([name, right]) => [
            name,
            fc.oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: value.any }),
          ]),
        ),
        { requiredKeys: [] },
      ),
      value.object,
      fc.boolean(),
    )
    .map(([meant, more, isMore]) => ({ ...(isMore ? (more as object) : {}), ...meant }));

async function withstand(payload: fc.Arbitrary<unknown>, send: (body: unknown) => Promise<TestAnswer>): Promise<void> {
  const attempt = async (body: unknown) => {
    const answer = await send(body);
    if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.text.slice(0, 500)}`);
    if (answer.status >= 400) expect(answer.body).toMatchObject({ reason: expect.stringMatching(/^[A-Z_]+$/), cause: null });
  };
  await fc.assert(fc.asyncProperty(payload, attempt), { numRuns, seed, endOnFailure: false });
}

const event = nearly({
  specversion: fc.constantFrom("1.0", "0.3"),
  id: fc.uuid(),
  source: text,
  type: text,
  subject: fc.constantFrom("/hostile", "/", "hostile/x"),
  time: fc.constantFrom("2026-03-01T12:00:00Z", "2026-02-31T99:00:00Z"),
  datacontenttype: fc.constantFrom("application/json", "text/plain", "a/b;;;="),
  data: value.any,
  data_base64: fc.constantFrom("e30=", "AA==", "%", "//4="),
});

describe(`seed ${seed}`, () => {
  test.each(["application/cloudevents+json", "application/json", "application/cloudevents-batch+json", "text/plain"])(
    "events as %s",
    { timeout: 60_000 },
    async (type) => {
      const body = type.includes("batch") ? fc.array(event, { maxLength: 3 }) : event;
      await withstand(body, (given) => app.as(token).post("/api/v2/event", JSON.stringify(given), { "content-type": type }));
    },
  );

  test("events with their attributes in headers", { timeout: 60_000 }, async () => {
    const header = fc.string({ maxLength: 20 }).map((name) => name.replace(/[^\x21-\x7e]/g, "%"));
    const headers = fc.record(
      {
        "ce-specversion": fc.constantFrom("1.0", "2"),
        "ce-id": header,
        "ce-source": header,
        "ce-type": header,
        "ce-subject": header,
        "ce-x": header,
      },
      { requiredKeys: ["ce-specversion", "ce-id"] },
    );
    await withstand(headers, (given) => app.as(token).post("/api/v2/event", { a: 1 }, given as Record<string, string>));
  });

  test("webhooks", { timeout: 60_000 }, async () => {
    await withstand(value.object, (body) => app.as(token).post(`/api/v2/webhook?ref=${workflow}`, body));
  });

  test("signed events of the codehost", { timeout: 60_000 }, async () => {
    const payload = nearly({
      action: fc.constantFrom("created", "deleted", "suspend", "added"),
      installation: fc.record({ id: fc.constantFrom(7, 8), account: value.any, events: value.any, suspended_at: value.any }),
      repository: fc.record({ name: text, full_name: text }),
      repositories: fc.array(fc.record({ name: text })),
      repositories_added: fc.array(fc.record({ name: text })),
      repositories_removed: value.any,
    });
    const names = fc.constantFrom("push", "installation_repositories", "installation", "ping", "x");
    await withstand(fc.tuple(names, payload), (given) => {
      const [name, body] = given as [string, { action?: unknown }];
      const isHarmless = !(name === "installation" && body.action === "deleted");
      return sendFromCodehost(app, { event: isHarmless ? name : "push", payload: body, secret });
    });
    for (const query of ["id=7", `team=${team.name}`]) {
      expect((await app.as().get(`/api/v2/integration/codehost/installation?${query}`)).status).toBe(200);
    }
  });

  test("signed requests of the chat platform", { timeout: 60_000 }, async () => {
    const payload = nearly({
      type: fc.constantFrom("shortcut", "url_verification"),
      challenge: text,
      team_id: text,
      event: fc.record({ type: fc.constantFrom("app_uninstalled", "x") }),
    });
    const json = (path: string) => (body: unknown) => sendFromChat(app, { path, body: JSON.stringify(body), secret });
    await withstand(payload, json("/api/v2/integration/chat/events"));
    await withstand(payload, json(`/api/v2/webhook?ref=${workflow}`));
    const form = (path: string) => (body: unknown) =>
      sendFromChat(app, { path, body: `text=${String(body)}`, secret, type: "application/x-www-form-urlencoded" });
    await withstand(text, form("/api/v2/integration/chat/commands"));
    await withstand(text, form("/api/v2/integration/chat/interactivity"));
  });

  test("valid events still start runs after all that", async () => {
    const event = { specversion: "1.0", id: "right", source: "/right", type: "right" };
    const fromCodehost = (name: string, payload: Record<string, unknown>) =>
      sendFromCodehost(app, { event: name, payload: { ...payload, installation: { id: 7 } }, secret });
    await fromCodehost("installation", { action: "unsuspend" });
    const answers = [
      await app.as(token).post(`/api/v2/event?ref=${workflow}`, event),
      await app.as(token).post(`/api/v2/webhook?ref=${workflow}`, { a: 1 }),
      await fromCodehost("push", { repository: { name: "shop" } }),
    ];
    expect(answers.map(({ status, body }) => [status, (body.runs?.[0] ?? body).trigger])).toEqual([
      [200, "event"],
      [200, "webhook"],
      [200, "codehost"],
    ]);
  });
});
