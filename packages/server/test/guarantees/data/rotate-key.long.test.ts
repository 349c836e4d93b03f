import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createLog } from "../../../src/base/process/log.ts";
import { openKeyring } from "../../../src/base/secret/key-file.ts";
import type { Keyring } from "../../../src/base/secret/keyring.ts";
import { checkEncryptionKeys } from "../../../src/domain/secret/check-encryption-keys.ts";
import { type RotationStep, rotateKey } from "../../../src/domain/secret/rotate-key.ts";
import { createKeyService } from "../../../src/services/key-service.ts";
import { createPool } from "../../../src/store/database/database.ts";
import { type TestApp, testApp } from "../../kit/app.ts";
import { columnsWithEnvelopes, makeSecrets, openEverything } from "../../kit/data/sealed-secrets.ts";
import { moveTime } from "../../kit/database.ts";

// One command replaces the key in its file while processes of the service run; it can be killed at any point.

const folder = mkdtempSync(join(tmpdir(), "millrace-rotate-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const log = createLog("silent");

/** An instance whose key is in a file. */
async function bareInstance() {
  const key = randomBytes(32);
  const file = join(folder, randomBytes(4).toString("hex"));
  writeFileSync(file, `${key.toString("base64")}\n`, { mode: 0o600 });
  const app = await testApp({ keys: [key] });
  await checkEncryptionKeys(app.sql, app.keyring);
  const ids = () => openKeyring({ file, isMadeIfMissing: false }).ids();
  return { app, file, ids, old: app.keyring.fingerprint() };
}

/** The same with a secret in every place that can hold one. */
async function instance() {
  const bare = await bareInstance();
  const made = await makeSecrets(bare.app);
  await endRuns(bare.app);
  return { ...bare, made };
}

async function endRuns({ sql }: TestApp): Promise<void> {
  await sql`update run set phase = 'completed', status = 'cancelled', activity = 'none', active_since = null, ended_at = db_now()
    where ended_at is null`;
}

interface Run {
  onStep?: (step: RotationStep) => void | Promise<void>;
  patienceMs?: number;
}

/** The command as it runs in a process of its own: with one connection. */
async function rotate({ app, file }: { app: TestApp; file: string }, { onStep = () => {}, patienceMs = 20_000 }: Run = {}) {
  const printed: string[] = [];
  const sql = createPool(app.address, { maxConnections: 1, statementTimeoutMs: 0, applicationName: "rotate" });
  try {
    const options = { print: (line: string) => void printed.push(line), onStep, patienceMs, pollMs: 20 };
    const last = await rotateKey(sql, { file, isMadeIfMissing: false }, options);
    return { last, printed };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** A running process of the service, which watches the file. */
async function follow(app: TestApp, file: string, keyring: Keyring = app.keyring) {
  const service = createKeyService({ sql: app.sql, keyring, source: { file, isMadeIfMissing: false }, log });
  onTestFinished(() => service.stop());
  await service.tick();
  return { service, keyring };
}

test("two processes go on while the key is replaced, every secret is encrypted again, and the old key leaves the file last", async () => {
  const one = await instance();
  const { app, file, old } = one;
  chmodSync(file, 0o640);
  const before = statSync(file);
  const [first, second] = [await follow(app, file), await follow(app, file, openKeyring({ file, isMadeIfMissing: false }))];
  await first.service.start();
  await second.service.start();
  const seen: [RotationStep, string[]][] = [];
  const { last, printed } = await rotate(one, {
    async onStep(step) {
      seen.push([step, one.ids()]);
      // Each process opens everything that is stored at that moment, and both can write.
      for (const { keyring } of [first, second]) await openEverything(app.sql, keyring);
      const answer = await app.as().patch(one.made.path, { parameters: [{ name: step, type: "password", value: "secret" }] });
      expect(answer.status).toBeLessThan(300);
    },
  });
  const [next] = one.ids();
  expect(seen).toEqual([
    ["add", [old, next]],
    ["promote", [next, old]],
    ["reseal", [next, old]],
    ["drop", [next]],
  ]);
  expect(last).toEqual([`The encryption key is now ${next}`]);
  expect(printed.join("\n")).toContain(`nothing is left under key ${old}`);
  expect(statSync(file)).toMatchObject({ ino: before.ino, mode: before.mode });
  await openEverything(app.sql, openKeyring({ file, isMadeIfMissing: false }));
  const [, retired] = /^# retired [0-9a-f]{16}: (\S+)$/m.exec(readFileSync(file, "utf8"))!;
  expect(await columnsWithEnvelopes(app.sql, openKeyring({ text: retired!, origin: "the comment" }))).toEqual([]);
  await Promise.all([first.service.tick(), second.service.tick()]);
  expect([first, second].map(({ keyring }) => keyring.ids())).toEqual([[next], [next]]);
  const records = await app.sql`select action, object_name from audit where object_kind = 'encryption-key' order by id`;
  expect(records.map((row) => [row["action"], row["object_name"]])).toEqual([
    ["encryption-key/write", next],
    ["encryption-key/delete", old],
  ]);
});

test("if it is killed after any step, the next one continues there, with the same new key", async () => {
  const one = await instance();
  const steps: RotationStep[] = ["add", "promote", "reseal", "drop"];
  for (const at of steps) {
    const [old] = one.ids();
    const kill = (step: RotationStep) => {
      if (step === at) throw new Error("killed");
    };
    await expect(rotate(one, { onStep: kill })).rejects.toThrow("killed");
    await checkEncryptionKeys(one.app.sql, openKeyring({ file: one.file, isMadeIfMissing: false }));
    await openEverything(one.app.sql, openKeyring({ file: one.file, isMadeIfMissing: false }));
    const next = one.ids().find((id) => id !== old);
    if (at !== "drop") await rotate(one);
    expect(one.ids()).toEqual([next]);
  }
  await openEverything(one.app.sql, openKeyring({ file: one.file, isMadeIfMissing: false }));
  expect(readFileSync(one.file, "utf8").match(/^# retired/gm)).toHaveLength(steps.length);
});

test("it waits for processes without the new key, and gives up before anything is encrypted with it", async () => {
  const one = await bareInstance();
  const held = await follow(one.app, one.file, openKeyring({ file: one.file, isMadeIfMissing: false }));
  await expect(rotate(one, { patienceMs: 100 })).rejects.toThrow(/Not every process has the new key [0-9a-f]{16}: 1 on .* does not/);
  expect(one.ids()).toEqual([one.old, expect.any(String)]);
  await held.service.tick();
  await expect(rotate(one, { patienceMs: 100 })).rejects.toThrow(/Not every process encrypts with/);
  await held.service.tick();
  await rotate(one);
  expect(one.ids()).toHaveLength(1);
});

test("a killed process counts as running for a minute, one that ended not at all", async () => {
  const one = await bareInstance();
  await follow(one.app, one.file);
  const ended = await follow(one.app, one.file);
  await ended.service.stop();
  expect(await one.app.sql`select from key_holder`).toHaveLength(1);
  await expect(rotate(one, { patienceMs: 50 })).rejects.toThrow(/: 1 on/);
  await moveTime(one.app.sql, 61_000);
  await rotate(one);
});

test("the old key stays while a run is open whose callback address it may have signed", async () => {
  const one = await instance();
  const { runId } = one.made;
  await one.app.sql`update run set phase = 'queued', status = 'ready', ended_at = null where id = ${runId}`;
  const { last, printed } = await rotate(one);
  expect(last).toEqual([]);
  expect(printed.join("\n")).toMatch(/1 runs that are still open. When they have ended, run .* rotate-key again/);
  expect(one.ids()).toEqual([expect.any(String), one.old]);
  expect(readFileSync(one.file, "utf8")).not.toContain("#");
  const [next] = one.ids();
  await endRuns(one.app);
  expect((await rotate(one)).last).toEqual([`The encryption key is now ${next}`]);
  expect(one.ids()).toEqual([next]);
});

test("a second command at the same time is refused", async () => {
  const one = await bareInstance();
  await rotate(one, { onStep: (step) => (step === "add" ? expect(rotate(one)).rejects.toThrow(/Another .* is running/) : undefined) });
});

test("a key in a variable can't be replaced by the command, which says where the steps are", async () => {
  const { app } = await bareInstance();
  const source = { text: "x", origin: "MILLRACE_ENCRYPTION_KEY" };
  await expect(rotateKey(app.sql, source, { print: () => {} })).rejects.toThrow(
    /in MILLRACE_ENCRYPTION_KEY, which this command can't change/,
  );
});

test("a running process rejects keys that it could not start with", async () => {
  const one = await bareInstance();
  const { service, keyring } = await follow(one.app, one.file);
  const good = readFileSync(one.file, "utf8");
  for (const bad of ["", "half-a-key", `${randomBytes(32).toString("base64")}\n`]) {
    writeFileSync(one.file, bad);
    await service.tick();
    expect(keyring.ids()).toEqual([one.old]);
  }
  rmSync(one.file);
  await service.tick();
  writeFileSync(one.file, `${good}${randomBytes(32).toString("base64")}\n`);
  await service.tick();
  expect(keyring.ids()).toEqual(one.ids());
});
