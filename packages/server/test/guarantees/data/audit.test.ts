import Type from "typebox";
import { expect, test } from "vitest";
import { defineEndpoint } from "../../../src/api/endpoint.ts";
import { AppError } from "../../../src/base/error/app-error.ts";
import { everyEndpoint } from "../../../src/http/answer/every-endpoint.ts";
import { endpoints } from "../../../src/http/routes.ts";
import { testApp } from "../../kit/app.ts";
import { cookiesOf } from "../../kit/cookie-jar.ts";

/**
 * Every write leaves a record, because each write needs a write transaction, and because such a transaction checks for the record at its
 * end.
 */

/** These endpoints only check the body that they receive, and change nothing. */
const readers = [
  "POST /api/v2/team/validate-name",
  "POST /api/v2/invitation/read",
  "POST /api/v2/team/:team/task/validate",
  "POST /api/v2/task/validate",
  "POST /api/v2/team/:team/workflow/validate",
  "POST /api/v2/team/:team/workflow/:workflow/trigger/test",
  "POST /api/v2/team/:team/workflow/:workflow/preview",
  "POST /api/v2/team/:team/workflowrun/bulk/plan",
  "POST /api/v2/team/:team/workflowrun/:runId/rerun/plan",
  "POST /api/v2/team/:team/workflowrun/:runId/mark-succeeded/plan",
  "POST /api/v2/team/:team/workflow/:workflow/test/run",
];
/**
 * These endpoints write the record themselves, in a transaction that they open after slower work: hashing a password, checking a chat
 * request, sending a message.
 */
const ownTransaction = [
  "POST /api/v2/settings/mail/test",
  "PUT /api/v2/activate",
  "POST /api/v2/auth/password",
  "PUT /api/v2/auth/password",
  "POST /api/v2/auth/password/reset",
  "POST /api/v2/invitation/accept",
  "POST /api/v2/auth/sign-out",
  "POST /api/v2/auth/device/decision",
  "POST /api/v2/integration/codehost/link",
  "POST /api/v2/integration/chat/commands",
  "POST /api/v2/integration/chat/events",
  "POST /api/v2/integration/chat/interactivity",
];

/** These write the record in the statement that writes the run, or in a transaction where there is more to write. */
const oneStatement = ["POST /api/v2/event", "POST /api/v2/webhook", "POST /api/v2/team/:team/workflow/:workflow/submit"];

/** Requests of workers, thousands a second: attempts and the lease record who did what, as for the service's own workers. */
const ofWorkers = ["claim", "heartbeat", "log", "complete", "leave"].map((what) => `POST /api/v2/team/:team/external/${what}`);

/** Who has a workflow open in an editor: valid for half a minute and never stored permanently. */
const presence = ["PUT", "DELETE"].map((method) => `${method} /api/v2/team/:team/workflow/:workflow/editing`);

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

test("an endpoint that is not a GET writes in a transaction that ends with the record", () => {
  const others = everyEndpoint(endpoints).filter(({ method, transaction }) => method !== "GET" && transaction !== "write");
  expect(
    others.map(nameOf).filter((name) => ![...readers, ...ownTransaction, ...oneStatement, ...ofWorkers, ...presence].includes(name)),
  ).toEqual([]);
});

const write = { method: "POST", summary: "", tag: "", permission: "signed-in", transaction: "write", response: Type.Unknown() } as const;
const app = await testApp({
  endpoints: [
    defineEndpoint({
      ...write,
      path: "/api/v2/thing/:name/repair",
      params: Type.Object({ name: Type.String() }),
      handle: async () => ({}),
    }),
    defineEndpoint({
      ...write,
      path: "/api/v2/several",
      permission: "system/write",
      async handle({ audit }) {
        audit({ kind: "first", name: "a", after: { a: 1 } });
        audit({ kind: "second", id: "b", before: { b: 1 } });
        return {};
      },
    }),
    defineEndpoint({
      ...write,
      path: "/api/v2/refused",
      async handle({ db, audit }) {
        await db`update instance set created_at = created_at`;
        audit({ kind: "refused" });
        throw new AppError("CONFLICT", ["no"]);
      },
    }),
    defineEndpoint({ ...write, method: "GET", transaction: "read", path: "/api/v2/reading", handle: async () => ({}) }),
  ],
});
const records = () =>
  app.sql`select action, object_kind, object_id, object_name, principal_id, request_id, before, after from audit order by id`;

test("a request about no object is recorded by its path, one about several objects once for each, and rejected requests and reads not at all", async () => {
  await app.as().post("/api/v2/thing/clock/repair", undefined, { "x-request-id": "mine" });
  await app.as().post("/api/v2/several");
  expect((await app.as().post("/api/v2/refused")).status).toBe(409);
  await app.as().get("/api/v2/reading");
  expect(await records()).toMatchObject([
    { action: "thing/write", object_kind: "name", object_name: "clock", principal_id: "token:admin", request_id: "mine" },
    { action: "system/write", object_kind: "first", object_name: "a", before: null, after: { a: 1 } },
    { action: "system/write", object_kind: "second", object_id: "b", before: { b: 1 }, after: null },
  ]);
});

test("the activation is recorded with it, and so is the session that it begins", async () => {
  const fresh = await testApp({ isActivated: false });
  const body = { email: "first@example.com", password: "a long enough password" };
  expect((await fresh.as().put("/api/v2/activate", body)).status).toBe(200);
  expect((await fresh.as().put("/api/v2/activate", body)).status).toBe(409);
  const rows = await fresh.sql`select action, object_kind, object_name, principal_id from audit order by id`;
  expect(rows).toEqual([
    { action: "activate/write", object_kind: "instance", object_name: "first@example.com", principal_id: "token:admin" },
    { action: "activate/write", object_kind: "session", object_name: "first@example.com", principal_id: expect.stringMatching(/^user:/) },
  ]);
});

test("signing in, out, and every change of a password are recorded, without the secrets", async () => {
  const real = await testApp();
  const admin = real.as();
  const user = await real.make.user({ type: "admin" });
  const { code } = (await admin.post(`/api/v2/user/${user.id}/password-code`)).body;
  const browser = real.as(null);
  await browser.post("/api/v2/auth/password/reset", { email: user.email, code, new: "first secret" });
  const cookie = cookiesOf(await browser.post("/api/v2/auth/password", { email: user.email, password: "first secret" }));
  await browser.put("/api/v2/auth/password", { current: "first secret", new: "second secret" }, { cookie });
  await browser.post("/api/v2/auth/sign-out", undefined, { cookie });
  const rows = await real.sql`select object_kind, principal_id, before, after from audit order by id`;
  expect(rows.map((row) => [row["object_kind"], row["principal_id"]])).toEqual([
    ["password", "token:admin"],
    ["password", `user:${user.id}`],
    ["session", `user:${user.id}`],
    ["password", `user:${user.id}`],
    ["session", `user:${user.id}`],
  ]);
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`secret|mrs_|${code}`));
});
