import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { Keyring } from "../../../src/base/secret/keyring.ts";
import { sealedColumns } from "../../../src/core/secret/sealed-columns.ts";
import { checkEncryptionKeys } from "../../../src/domain/secret/check-encryption-keys.ts";
import { keysCommand } from "../../../src/domain/secret/keys-command.ts";
import { resealSecrets } from "../../../src/domain/secret/reseal-secrets.ts";
import { prepareJobs } from "../../../src/engine/prepare-jobs.ts";
import { backUp } from "../../../src/store/database/backup/backup.ts";
import { restore } from "../../../src/store/database/backup/restore.ts";
import { transaction } from "../../../src/store/database/transaction.ts";
import { claimTaskRuns } from "../../../src/store/worker/workers.ts";
import { type TestApp, testApp } from "../../kit/app.ts";
import { columnsWithEnvelopes, makeSecrets, openEverything } from "../../kit/data/sealed-secrets.ts";
import { emptyDatabase, testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { run } from "../../kit/start/start-fixture.ts";
import { until } from "../../kit/until.ts";
import { testExecutors } from "../../kit/worker/test-executor.ts";

// The life of an encryption key: several processes on one database change from an old key to a new one, and every value stays readable
// throughout.

const keys = { old: randomBytes(32), next: randomBytes(32), other: randomBytes(32) };
const ring = (...names: (keyof typeof keys)[]) => new Keyring(names.map((name) => keys[name]));
const idOf = (name: keyof typeof keys) => ring(name).fingerprint();
const allPlaces = sealedColumns.map(({ table, column }) => `${table}.${column}`).sort();

/** A fresh instance whose first start was with the old key, with a secret in every place that can hold one. */
async function instance() {
  const app = await testApp({ keys: [keys.old] });
  await checkEncryptionKeys(app.sql, app.keyring);
  const made = await makeSecrets(app);
  const process = (...names: (keyof typeof keys)[]) => testApp({ beside: app, keys: names.map((name) => keys[name]) });
  const start = (...names: (keyof typeof keys)[]) => checkEncryptionKeys(app.sql, ring(...names));
  const submit = (of: TestApp) =>
    of.as().post(`${made.path}/workflow/${made.workflow}/submit?start=true`, { params: [{ name: "token", value: "secret-of-a-run" }] });
  return { app, made, process, start, submit };
}

async function command(app: TestApp, verb: "status" | "reseal" | "forget", ...names: (keyof typeof keys)[]) {
  const printed: string[] = [];
  const answer = keysCommand(app.sql, ring(...names), verb, { keyId: idOf("old"), print: (line) => void printed.push(line) });
  return { last: await answer.catch((error: Error) => error.message), printed };
}

const jobSettings = {
  executors: testExecutors(),
  workspacesDir: "/nowhere",
  limits: { memoryBytes: 1, processes: 1, outputBytes: 1, resultBytes: 1 },
};
const instances: Awaited<ReturnType<typeof instance>>[] = [];
for (let n = 0; n < 10; n++) instances.push(await instance());
const shared = await testDatabase();
const bare = await testApp({ keys: [keys.old] });
const one = instances[0] as Awaited<ReturnType<typeof instance>>;
const fresh = () => instances.pop() as Awaited<ReturnType<typeof instance>>;

test("every column that holds sealed values is known to re-sealing, and the database records its keys", async () => {
  expect(await columnsWithEnvelopes(one.app.sql, ring("old"))).toEqual(allPlaces);
  const recorded = await one.app.sql`select place from sealed_key order by place collate "C"`;
  expect(recorded.map(({ place }) => place)).toEqual(allPlaces);
  const triggers = await one.app.sql<{ name: string }[]>`
    select t.tgrelid::regclass || ':' || pg_get_triggerdef(t.oid) as name from pg_trigger t
    where t.tgname = 'note_sealed_keys' and t.tgparentid = 0`;
  for (const { table, column, shape } of sealedColumns) {
    const own = triggers.find(({ name }) => name.startsWith(`${table}:`))?.name;
    expect(own).toMatch(new RegExp(`UPDATE OF .*\\b${column}\\b`));
    if (shape !== "bytes") expect(own).toContain(`'${column}', '${shape}'`);
  }
});

test("a text that only looks sealed is not a secret: it neither blocks the start of the service nor keeps a key in use", async () => {
  const ids = await one.app.sql`select distinct key_id from sealed_key`;
  expect(ids).toEqual([{ key_id: idOf("old") }]);
});

test("four steps with several processes lead from one key to another, and at each step every process opens everything", async () => {
  const { app, start, process, submit } = fresh();
  // Step 1: all processes open both keys and seal with the old one.
  expect(await start("old", "next")).toEqual([`no stored secret uses the encryption key ${idOf("next")}`]);
  const first = await process("old", "next");
  await expect(start("next")).rejects.toThrow(new RegExp(`${idOf("old")} \\(in chat_workspace.token.*setting.value.*keys reseal`));
  // Step 2, with one process still at step 1.
  const [advice] = await start("next", "old");
  expect(advice).toMatch(new RegExp(`key ${idOf("next")} encrypts, ${idOf("old")} still decrypts older secrets: .*keys reseal`));
  await start("old");
  const second = await process("next", "old");
  expect((await submit(second)).status).toBe(200);
  expect((await submit(first)).status).toBe(200);
  await openEverything(app.sql, ring("old", "next"));
  await expect(start("old")).rejects.toThrow(
    new RegExp(`encrypted with a key that is not configured: ${idOf("next")} \\(in run.secrets\\)`),
  );
  await expect(start("next")).rejects.toThrow(/not configured/);
  expect((await app.sql`select key_fingerprint as "now" from instance`)[0]?.now).toBe(idOf("old"));
  // Step 3.
  const { last, printed } = await command(app, "reseal", "next", "old");
  expect(last).toBe(`everything is encrypted with key ${idOf("next")}; the other keys can be removed`);
  expect(printed).toContain(`nothing is left under key ${idOf("old")}`);
  expect(printed).toContain(`key ${idOf("old")}: team.parameters 1 of 1 rows`);
  expect(printed.join()).toMatch(/\d runs are still open/);
  expect((await app.sql`select key_fingerprint as "now" from instance`)[0]?.now).toBe(idOf("next"));
  // Step 4: the new key alone opens everything, and no process starts with the old one any more.
  expect(await start("next")).toEqual([]);
  expect(await start("next", "old")).toEqual([`no stored secret uses the encryption key ${idOf("old")}`]);
  const opened = await openEverything(app.sql, ring("next"));
  expect(Object.keys(opened).sort()).toEqual(allPlaces);
  expect(Math.min(...Object.values(opened))).toBeGreaterThan(0);
  expect(await columnsWithEnvelopes(app.sql, ring("old"))).toEqual([]);
  expect((await submit(await process("next"))).status).toBe(200);
  await expect(start("old")).rejects.toThrow(new RegExp(`not configured: ${idOf("next")}`));
  await expect(start("old", "next")).rejects.toThrow(new RegExp(`key ${idOf("old")} is retired.*Put ${idOf("next")} first`));
  expect((await command(app, "reseal", "old", "next")).last).toMatch(/is retired/);
  expect((await command(app, "reseal", "next")).last).toBe(`everything is encrypted with key ${idOf("next")}`);
});

test("documents stay unchanged apart from their sealed values, and no version, event or tag is created", async () => {
  const { app, made } = fresh();
  await app.sql`update workflow_version set document = replace(document::text, '"name":"plain"', '"name":"plain",  "2":1.50, "1":10000000000000000000001')::json`;
  const masked = async () =>
    (
      await app.sql<{ row: string }[]>`
      select regexp_replace(document::text, 'mrsealed:v1:[A-Za-z0-9_-]{20,}', '*', 'g') as row from workflow_version order by id`
    ).map(({ row }) => row);
  const [before, tag] = [await masked(), (await app.as().get(`${made.path}/workflow/${made.workflow}`)).headers["etag"]];
  expect(before.join()).toContain('"2":1.50, "1":10000000000000000000001');
  await resealSecrets(app.sql, ring("next", "old"));
  expect(await masked()).toEqual(before);
  expect((await app.as().get(`${made.path}/workflow/${made.workflow}`)).headers["etag"]).toBe(tag);
});

test("values written with the old key in the meantime are sealed again too, or the write is retried with what is stored now", async () => {
  const { app, process, made } = fresh();
  const late = await process("old", "next");
  const writeSecret = (of: TestApp) =>
    of.as().patch(made.path, { parameters: [{ name: "late", type: "password", value: "secret-of-a-late-process" }] });
  // One row per batch, and between any two batches a process writes with the old key.
  let written = 0;
  const reports = await resealSecrets(app.sql, ring("next", "old"), {
    batchSize: 1,
    async onProgress() {
      if (written++ < 3) expect((await writeSecret(late)).status).toBe(200);
    },
  });
  expect(written).toBeGreaterThan(allPlaces.length);
  expect(reports).toEqual([{ keyId: idOf("old"), resealed: expect.any(Number), left: [], unreadable: [] }]);
  // A transaction that copied an old envelope and writes it after the key was retired is rejected, and retried because of its SQLSTATE.
  const sealed = ring("old").sealText("secret-of-before", `${made.teamId}|team|parameters`);
  let tries = 0;
  await transaction(app.sql, async (tx) => {
    const kept = ++tries === 1 ? sealed : ring("next").sealText("secret-of-before", `${made.teamId}|team|parameters`);
    await tx`update team set parameters = ${JSON.stringify([{ name: "x", type: "password", value: kept }])}::json where id = ${made.teamId}`;
  });
  expect(tries).toBe(2);
  // A process that was forgotten at step 1 can't write secrets that the others can't open.
  expect(await writeSecret(late)).toMatchObject({ status: 503, body: { reason: "NOT_READY" } });
  await openEverything(app.sql, ring("next"));
});

test("re-sealing waits for a transaction that has sealed with the old key and not committed yet, and seals that again as well", async () => {
  const { app, made } = fresh();
  let [commit, written] = [() => {}, () => {}];
  const isHeld = new Promise<void>((resolve) => {
    written = resolve;
  });
  const holding = transaction(app.sql, async (tx) => {
    const sealed = ring("old").sealText("secret-under-way", `${made.teamId}|team|parameters`);
    await tx`insert into team (id, name, display_name, parameters) values
      (${made.teamId.replace(/.$/, made.teamId.endsWith("0") ? "1" : "0")}, 'under-way', 'u', ${JSON.stringify([{ name: "x", type: "password", value: sealed }])}::json)`;
    written();
    await new Promise<void>((resolve) => {
      commit = resolve;
    });
  });
  await isHeld;
  const resealing = resealSecrets(app.sql, ring("next", "old"));
  await until(async () => {
    const [row] = await app.sql`
      select count(*)::int as "waiting" from pg_locks
      where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
    return row?.["waiting"] > 0;
  }, "re-sealing waits for the key's lock");
  commit();
  await holding;
  // A copied row is in a different place, so its value does not open: the value is named, and the key stays.
  const [report] = await resealing;
  expect(report?.left).toEqual([{ place: "team.parameters", rows: 1 }]);
  expect(report?.unreadable.join()).toMatch(/team.parameters of the row .*an encrypted value can.t be decrypted/);
  expect((await command(app, "reseal", "next", "old")).last).toMatch(
    /some values encrypted with key .* can't be decrypted.*enter those secrets again/,
  );
  await app.sql`delete from team where name = 'under-way'`;
  expect((await command(app, "reseal", "next", "old")).last).toMatch(/^everything is encrypted/);
});

test("a backup of before the rotation is readable after it, with the old key behind the new one", async () => {
  const { app } = fresh();
  const file = `/tmp/millrace-key-rotation-${process.pid}.backup`;
  try {
    await backUp(app.sql, file);
    await resealSecrets(app.sql, ring("next", "old"));
    const target = await emptyDatabase();
    await restore(target.sql, file);
    await expect(checkEncryptionKeys(target.sql, ring("next"))).rejects.toThrow(new RegExp(`not configured: ${idOf("old")}`));
    await checkEncryptionKeys(target.sql, ring("next", "old"));
    await resealSecrets(target.sql, ring("next", "old"));
    await checkEncryptionKeys(target.sql, ring("next"));
    expect(await openEverything(target.sql, ring("next"))).toEqual(await openEverything(app.sql, ring("next")));
  } finally {
    rmSync(file, { force: true });
  }
});

test("a wrong key is refused by name, and a lost one can be abandoned: the service starts, and names the secrets that do not open", async () => {
  const { app, start, process, submit, made } = fresh();
  await expect(start("other")).rejects.toThrow(new RegExp(`not configured: ${idOf("old")}.*Configured: ${idOf("other")}`));
  expect((await command(app, "reseal", "other")).last).toMatch(
    new RegExp(`key ${idOf("old")} is not configured: .*keys forget ${idOf("old")}`),
  );
  expect((await command(app, "forget", "old")).last).toMatch(/is configured, so it is not lost/);
  expect((await command(app, "forget", "other")).last).toMatch(/is forgotten: .*enter|entered again: .*rows in run.secrets/);
  expect(await start("other")).toEqual([]);
  const later = await process("other");
  expect(await submit(later)).toMatchObject({
    status: 409,
    body: { reason: "SECRET_UNREADABLE", message: expect.stringContaining(`encrypted with the key ${idOf("old")}`) },
  });
  expect((await later.as().get(`${made.path}/workflowrun/${made.runId}`)).status).toBe(200);
  expect((await command(app, "status", "other")).last).toMatch(new RegExp(`key ${idOf("old")}: not configured, forgotten; used by: `));
  // It was found again.
  expect((await command(app, "reseal", "other", "old")).last).toMatch(/^everything is encrypted/);
  await openEverything(app.sql, ring("other"));
  expect((await submit(later)).status).toBe(200);
});

test("an instance without any secret changes its key with the same command", async () => {
  const app = bare;
  await checkEncryptionKeys(app.sql, ring("old"));
  await expect(checkEncryptionKeys(app.sql, ring("next"))).rejects.toThrow(/key of this instance is .*keys reseal/);
  await checkEncryptionKeys(app.sql, ring("next", "old"));
  await checkEncryptionKeys(app.sql, ring("old"));
  expect((await command(app, "reseal", "next")).last).toMatch(/^everything is encrypted/);
  await checkEncryptionKeys(app.sql, ring("next"));
});

test("an instance whose key was moved on by an earlier version, with nothing sealed by it, starts with the key that opens everything", async () => {
  const { app, start } = fresh();
  await app.sql`update instance set key_fingerprint = ${idOf("next")}`;
  await expect(start("next")).rejects.toThrow(/not configured/);
  await start("next", "old");
  await start("old");
});

test("a command that is killed in the middle leaves everything readable with both keys, and the next one continues from there", async () => {
  const app = await testApp({ beside: shared, keys: [keys.old] });
  await checkEncryptionKeys(app.sql, ring("old"));
  await makeSecrets(app);
  const text = (...names: (keyof typeof keys)[]) => names.map((name) => keys[name].toString("base64")).join(",");
  const keysReseal = () =>
    run(repositoryRoot, [process.execPath, "scripts/db.mjs", "keys", "reseal"], {
      DATABASE_URL: shared.url,
      MILLRACE_ENCRYPTION_KEY: text("next", "old"),
    });
  const killed = keysReseal();
  // Another session locks a row of the last column but one, so the rotation stops there, with most of it done and some left.
  await transaction(app.sql, async (tx) => {
    await tx`select from subscription for update`;
    await killed.until("chat_workspace.token 1 of 1 rows");
    process.kill(-(killed.child.pid as number), "SIGKILL");
    expect(await killed.ended).toMatchObject({ signal: "SIGKILL" });
  });
  const places = await app.sql<{ key: string; count: number }[]>`
    select key_id as key, count(*)::int as count from sealed_key group by key_id`;
  expect(new Set(places.map(({ key }) => key))).toEqual(new Set([idOf("old"), idOf("next")]));
  await openEverything(app.sql, ring("next", "old"));
  for (const name of ["old", "next"] as const) await expect(checkEncryptionKeys(app.sql, ring(name))).rejects.toThrow(/not configured/);
  const again = keysReseal();
  expect(await again.ended).toMatchObject({ code: 0 });
  expect(again.lines.at(-1)).toBe(`everything is encrypted with key ${idOf("next")}; the other keys can be removed`);
  expect(again.lines.join()).not.toContain("chat_workspace.token");
  await openEverything(app.sql, ring("next"));
  const wrong = run(repositoryRoot, [process.execPath, "scripts/db.mjs", "keys", "reseal"], {
    DATABASE_URL: shared.url,
    MILLRACE_ENCRYPTION_KEY: text("other"),
  });
  expect(await wrong.ended).toMatchObject({ code: 1 });
  expect(wrong.lines.at(-1)).toMatch(
    new RegExp(`^millrace: Not everything is encrypted with key ${idOf("other")}: key ${idOf("next")} is not configured`),
  );
});

test("a task whose secret does not open fails with the id of the key, and the others of the same claim run", async () => {
  const { app, made } = fresh();
  const later = await testApp({ beside: app, keys: [keys.other] });
  // A second team without secrets.
  await app.sql`delete from global_parameter`;
  const path = `/api/v2/team/${(await app.make.team()).name}`;
  await app.as().post(`${path}/task`, { name: "plain", type: "template", spec: { script: "true" } });
  await app.as().post(`${path}/workflow`, { name: "open", tasks: [{ name: "a", taskRef: "plain" }] });
  const kit = engineKit(app.sql, later);
  const run = await app.as().post(`${path}/workflow/open/submit?start=true`, {});
  await kit.settle();
  const worker = await kit.worker();
  const claims = await claimTaskRuns(app.sql, worker, 100, ["process"], []);
  const prepared = await prepareJobs(app.sql, later.context, jobSettings, claims);
  const outcome = (runId: string) => prepared.find(({ claim }) => claim.runId === runId);
  expect(outcome(made.runId)?.refusal).toEqual({
    status: "failed",
    reason: "SecretUnreadable",
    message: expect.stringContaining(`encrypted with the key ${idOf("old")}, which is not configured here; configured: ${idOf("other")}`),
  });
  expect(outcome(run.body.id)).toMatchObject({ job: expect.anything() });
});

test("two commands at once share the work, and block neither each other nor runs", async () => {
  const { app, submit } = fresh();
  const [one, two] = await Promise.all([
    resealSecrets(app.sql, ring("next", "old"), { batchSize: 1 }),
    resealSecrets(app.sql, ring("next", "old"), { batchSize: 2 }),
    submit(app),
  ]);
  for (const { left, unreadable } of [...one, ...two]) expect({ left, unreadable }).toEqual({ left: [], unreadable: [] });
  await openEverything(app.sql, ring("next"));
  await checkEncryptionKeys(app.sql, ring("next"));
});
