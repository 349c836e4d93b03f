import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { emptyDatabase } from "../test/kit/database.ts";
import { createLog, type Log } from "./base/process/log.ts";
import { readConfig } from "./config/read-config.ts";
import { openStore, type Store } from "./open-store.ts";

const log = createLog("silent");
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function freshDataDir(): string {
  const folder = mkdtempSync("/tmp/millrace-store-test-");
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "data");
}

async function open(env: Record<string, string>): Promise<Store> {
  const store = await openStore(readConfig(env), log);
  closing.push(() => store.close());
  return store;
}

test("an empty folder becomes a store with its own server and key, and closing it leaves only files", async () => {
  const dataDir = freshDataDir();
  const store = await open({ MILLRACE_DATA_DIR: dataDir });
  expect(await store.sql`select count(*)::int as "count" from team`).toEqual([{ count: 0 }]);
  expect(store.description).toContain(`the embedded database in ${dataDir}/postgres (PostgreSQL 18`);
  expect(readdirSync(dataDir).sort()).toEqual(["encryption-key", "postgres"]);
  const sealed = store.keyring.sealText("secret", "place");
  await store.close();
  expect(existsSync(join(dataDir, "postgres/owner"))).toBe(false);
  const again = await open({ MILLRACE_DATA_DIR: dataDir });
  expect(again.keyring.openText(sealed, "place")).toBe("secret");
});

test("several processes with one database and one key start at once and notify each other", async () => {
  const { url } = await emptyDatabase();
  const env = { DATABASE_URL: url, MILLRACE_ENCRYPTION_KEY: newKey(), MILLRACE_DATA_DIR: freshDataDir() };
  const [a, b] = (await Promise.all([open(env), open(env), open(env)])) as [Store, Store, Store];
  const heard = new Promise<ReadonlySet<string> | undefined>((resolve) => {
    b.wakes.onWake("test", (payloads) => payloads && resolve(payloads));
  });
  a.wakes.wake("test", "hello");
  expect(await heard).toEqual(new Set(["hello"]));
  for (const close of closing.splice(1).reverse()) await close();
});

test("a key that does not open what is stored is refused", async () => {
  const { url } = await emptyDatabase();
  const [first, second] = [newKey(), newKey()];
  const dataDir = freshDataDir();
  const openWith = (key: string) => open({ DATABASE_URL: url, MILLRACE_ENCRYPTION_KEY: key, MILLRACE_DATA_DIR: dataDir });
  const store = await openWith(first);
  const fingerprint = store.keyring.fingerprint();
  await expect(openWith(second)).rejects.toThrow(new RegExp(`key of this instance is ${fingerprint}, but configured is`));
  const sealed = store.keyring.sealText("secret", "setting|mail|password");
  await store.sql`insert into setting (group_key, key, value) values ('mail', 'password', ${sealed})`;
  await store.close();
  await expect(openWith(second)).rejects.toThrow(new RegExp(`not configured: ${fingerprint} \\(in setting.value\\)`));
  await (await openWith(`${second},${first}`)).close();
  await expect(openWith(second)).rejects.toThrow(/not configured/);
  await (await openWith(first)).close();
});

test("a failed start leaves no server behind", async () => {
  const dataDir = freshDataDir();
  const first = await open({ MILLRACE_DATA_DIR: dataDir });
  await first.close();
  rmSync(join(dataDir, "encryption-key"));
  await expect(open({ MILLRACE_DATA_DIR: dataDir })).rejects.toThrow(/key of this instance/);
  rmSync(join(dataDir, "encryption-key"));
  expect(existsSync(join(dataDir, "postgres/owner"))).toBe(false);
});

function newKey(): string {
  return randomBytes(32).toString("base64");
}

test("files that others can read are named at each start, with what corrects it", async () => {
  const { url } = await emptyDatabase();
  const dataDir = freshDataDir();
  mkdirSync(dataDir, { mode: 0o755 });
  chmodSync(dataDir, 0o755);
  const keyFile = join(dataDir, "the-key");
  for (const [name, text] of [
    ["the-key", newKey()],
    ["admin-token", "mrg_x"],
  ] as const) {
    writeFileSync(join(dataDir, name), text);
    chmodSync(join(dataDir, name), 0o644);
  }
  const warnings: string[] = [];
  const listening = { ...log, warn: (message: unknown) => void warnings.push(String(message)) } as Log;
  const settings = readConfig({ DATABASE_URL: url, MILLRACE_DATA_DIR: dataDir, MILLRACE_ENCRYPTION_KEY_FILE: keyFile });
  const store = await openStore(settings, listening);
  await store.close();
  const commands = warnings.map((warning) => /Correct it with: (.*)$/.exec(warning)?.[1] as string);
  expect(commands).toEqual([`chmod 600 ${keyFile}`, `chmod 600 ${dataDir}/admin-token`, `chmod go-rw ${dataDir}`]);
  for (const command of commands) execFileSync("sh", ["-c", command]);
  warnings.length = 0;
  await (await openStore(settings, listening)).close();
  expect(warnings).toEqual([]);
});
