import type { Keyring } from "../../../src/base/secret/keyring.ts";
import { sealedColumns, sealedTexts } from "../../../src/core/secret/sealed-columns.ts";
import { subscriptionAddressPlace } from "../../../src/core/secret/sealed-places.ts";
import { saveChatGrant } from "../../../src/domain/integration/chat-install.ts";
import type { Database } from "../../../src/store/database/database.ts";
import { transaction } from "../../../src/store/database/transaction.ts";
import { setApproverGroup } from "../../../src/store/team/members.ts";
import type { TestAnswer, TestApp } from "../app.ts";
import { randomName } from "../factories.ts";

export interface Secretive {
  /** Of the team. */
  path: string;
  teamId: string;
  /** A workflow that contains a secret of every kind. */
  workflow: string;
  runId: string;
}

/** A version of a protected workflow that waits for an approval, with a secret. */
async function propose(app: TestApp, teamId: string, path: string): Promise<void> {
  const name = randomName("guarded");
  const { id: userId } = await app.make.member(teamId, "editor");
  await setApproverGroup(app.sql, teamId, "releasers", [userId]);
  await app.as().post(`${path}/workflow`, { name });
  await app.as().put(`${path}/workflow/${name}/protection`, { approverGroup: "releasers" });
  const params = [{ name: "token", type: "password", default: "secret-of-the-proposal" }];
  const { status, text } = await app.as().put(`${path}/workflow`, { name, params });
  if (status !== 409) throw new Error(`answered ${status}: ${text}`);
}

/** Stores a secret in every place that can hold one, over the API where possible. */
export async function makeSecrets(app: TestApp): Promise<Secretive> {
  const admin = app.as();
  const done = async (answer: Promise<TestAnswer>) => {
    const { status, body, text } = await answer;
    if (status >= 300) throw new Error(`answered ${status}: ${text}`);
    return body;
  };
  const team = await app.make.team();
  const path = `/api/v2/team/${team.name}`;
  const secret = (name: string, text: string) => ({ name, type: "password", default: text });
  const definition = (name: string) => ({
    name,
    type: "template",
    spec: { params: [secret("key", "secret-of-the-task")], script: "true" },
  });
  const [own, global, workflow] = [randomName("own"), randomName("global"), randomName("flow")];
  await done(admin.post(`${path}/task`, definition(own)));
  await done(admin.post("/api/v2/task", definition(global)));
  const registry = { name: "registry", type: "secret", value: { user: "secret-of-a-key", password: "secret-of-another" } };
  await done(admin.patch(path, { parameters: [{ name: "team-token", type: "password", value: "secret-of-the-team" }, registry] }));
  const parameter = { name: randomName("parameter"), type: "password", value: "secret-of-the-instance" };
  await done(admin.post("/api/v2/parameters", parameter));
  const document = {
    name: workflow,
    params: [secret("token", "secret-of-the-workflow"), { name: "plain", default: `mrsealed:v1:${"A".repeat(60)}`, hiddenValue: true }],
    tasks: [
      { name: "a", taskRef: own, params: [{ name: "key", value: "secret-of-the-node" }] },
      { name: "b", taskRef: global, dependencies: [{ taskRef: "a" }] },
    ],
    triggers: { schedule: { enabled: true }, webhook: { enabled: true } },
  };
  await done(admin.post(`${path}/workflow`, document));
  await done(admin.post("/api/v2/workflowtemplate", { ...document, tasks: [], name: randomName("template") }));
  await done(
    admin.post(`${path}/schedule`, {
      ...{ name: "nightly", workflowRef: workflow, type: "cron", cronSchedule: "0 0 1 1 *", timezone: "UTC" },
      params: [{ name: "token", value: "secret-of-the-schedule" }],
    }),
  );
  for (let n = 0; n < 2; n++) await done(admin.put(`${path}/workflow/${workflow}/webhook-secret`, undefined));
  const target = { url: "https://hooks.example.com/x" };
  const subscription = await done(admin.post(`${path}/subscription`, { name: randomName("hook"), target }));
  await done(admin.post(`${path}/subscription/${subscription.id}/rotate`, {}));
  const place = subscriptionAddressPlace(subscription.id);
  const sealedTarget = JSON.stringify({ ...target, sealedUrl: app.keyring.sealText(target.url, place) });
  await app.sql`update subscription set target = ${sealedTarget}::json where id = ${subscription.id}`;
  await done(
    admin.put("/api/v2/settings", [{ key: "integration", config: [{ key: "chat.signingSecret", value: "secret-of-the-setting" }] }]),
  );
  const grant = {
    workspaceName: undefined,
    appId: undefined,
    token: "secret-of-the-chat",
    scopes: [],
    apiUrl: "https://chat.example.com/api/",
  };
  await transaction(app.sql, (tx) => saveChatGrant(tx, app.keyring, { ...grant, workspaceId: randomName("W") }));
  const run = await done(
    admin.post(`${path}/workflow/${workflow}/submit?start=true`, { params: [{ name: "token", value: "secret-of-the-run" }] }),
  );
  await done(admin.post(`${path}/task/${own}/try`, { params: [{ name: "key", value: "secret-of-the-try" }] }));
  await propose(app, team.id, path);
  return { path, teamId: team.id, workflow, runId: run.id };
}

/** Opens everything that is sealed with that keyring alone; returns the number of values in each column, and the keys that opened them. */
export async function openEverything(sql: Database, keyring: Keyring): Promise<Record<string, number>> {
  const opened: Record<string, number> = {};
  for (const { table, column, shape, placeParts, placeOf } of sealedColumns) {
    const rows = await sql.unsafe<{ content: string; parts: (string | null)[] }[]>(
      `select ${shape === "bytes" ? `encode(${column}, 'hex')` : `${column}::text`} as content, json_build_array(${placeParts.join(", ")}) as parts
       from ${table} where ${column} is not null`,
    );
    for (const { content, parts } of rows) {
      const place = placeOf(parts);
      const texts = shape === "bytes" ? [content] : sealedTexts(shape, content);
      for (const text of texts) {
        if (shape === "bytes") keyring.open(Buffer.from(text, "hex"), place);
        else keyring.openText(text, place);
      }
      opened[`${table}.${column}`] = (opened[`${table}.${column}`] ?? 0) + texts.length;
    }
  }
  return opened;
}

/** All columns of the database that contain something sealed, whether the code knows of them or not. */
export async function columnsWithEnvelopes(sql: Database, keyring: Keyring): Promise<string[]> {
  const columns = await sql<{ table: string; column: string; type: string }[]>`
    select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as "type"
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped
      and format_type(a.atttypid, null) in ('text', 'text[]', 'json', 'jsonb', 'bytea', 'character varying')`;
  const found: string[] = [];
  for (const { table, column, type } of columns) {
    const key = Buffer.from(keyring.fingerprint(), "hex");
    // Envelopes in text, in bytes, and as base64url without their prefix.
    const bare = Buffer.concat([Buffer.of(1), key]).toString("base64url");
    const [row] =
      type === "bytea"
        ? await sql.unsafe(`select 1 from ${table} where position($1::bytea in "${column}") > 0 limit 1`, [key])
        : await sql.unsafe(`select 1 from ${table} where position($1 in "${column}"::text) > 0 limit 1`, [bare]);
    if (row) found.push(`${table}.${column}`);
  }
  return found.sort();
}
