import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { emptyDatabase } from "../test/database.ts";
import { createLog } from "./base/log.ts";
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

test("several processes with one database and one key start at once and hear each other", async () => {
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

test("another key than that of the stored secrets is refused, unless the old one comes along", async () => {
  const { url } = await emptyDatabase();
  const [first, second] = [newKey(), newKey()];
  const dataDir = freshDataDir();
  const openWith = (key: string) => open({ DATABASE_URL: url, MILLRACE_ENCRYPTION_KEY: key, MILLRACE_DATA_DIR: dataDir });
  const store = await openWith(first);
  const fingerprint = store.keyring.fingerprint();
  await store.close();
  await expect(openWith(second)).rejects.toThrow(new RegExp(`sealed with the encryption key ${fingerprint}, but the configured one is`));
  await (await openWith(`${second},${first}`)).close();
  await (await openWith(second)).close();
});

test("a failed start leaves no server behind", async () => {
  const dataDir = freshDataDir();
  const first = await open({ MILLRACE_DATA_DIR: dataDir });
  await first.close();
  rmSync(join(dataDir, "encryption-key"));
  await expect(open({ MILLRACE_DATA_DIR: dataDir })).rejects.toThrow(/sealed with the encryption key/);
  rmSync(join(dataDir, "encryption-key"));
  expect(existsSync(join(dataDir, "postgres/owner"))).toBe(false);
});

function newKey(): string {
  return randomBytes(32).toString("base64");
}
