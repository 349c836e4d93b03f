import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { markMoved } from "../../../src/store/embedded/moved-mark.ts";
import { run } from "../../kit/start/start-fixture.ts";
import { type StartedService, startService } from "../../kit/start/start-service.ts";

// The commands as an operator runs them, beside a service that `npm start` started.

const folder = mkdtempSync("/tmp/millrace-admin-command-test-");
chmodSync(folder, 0o755);
const dataDir = join(folder, ".millrace");
let service: StartedService;
beforeAll(async () => {
  service = await startService(folder);
}, 180_000);
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = (args: readonly string[], environment: Record<string, string> = {}) =>
  run(repositoryRoot, [process.execPath, "scripts/admin.mjs", ...args], { MILLRACE_DATA_DIR: dataDir, ...environment });

async function admin(args: readonly string[], environment?: Record<string, string>) {
  const command = start(args, environment);
  const { code } = await command.ended;
  return { code, output: command.lines.join("\n") };
}

const readToken = () => readFileSync(join(dataDir, "admin-token"), "utf8").trim();
const call = async (token: string, method: string, path: string, body?: unknown) => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${service.address}/api/v2${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return answer.status;
};

test("an operator who lost access gets a new token from the running service, and the lost one stops working", async () => {
  const lost = readToken();
  const { code, output } = await admin(["reset-access", "--end-sessions"]);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(`is in ${dataDir}/admin-token`) });
  expect(output).not.toMatch(/mrg_/);
  expect(readToken()).not.toBe(lost);
  expect(await call(readToken(), "PUT", "/activate")).toBe(200);
  expect(await call(lost, "GET", "/auth/caller")).toBe(401);
});

test("a refused command prints one line, and creates nothing", async () => {
  const nowhere = join(folder, "nowhere");
  expect(await admin(["reset-access"], { MILLRACE_DATA_DIR: nowhere })).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^millrace: There is no database in .*nowhere\/postgres\. Set MILLRACE_DATA_DIR or DATABASE_URL/),
  });
  expect(existsSync(nowhere)).toBe(false);
  expect(await admin(["reset-acces"])).toMatchObject({ code: 1, output: expect.stringContaining("Use npm run admin -- reset-access") });
  const inVariable = { MILLRACE_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64") };
  expect(await admin(["rotate-key"], inVariable)).toMatchObject({ code: 1, output: expect.stringContaining("in MILLRACE_ENCRYPTION_KEY") });
});

test("a copy whose data was moved away is refused: its files are those of the service, which uses another database", async () => {
  const left = join(folder, "left");
  markMoved(join(left, "postgres"), "db.example.com, database millrace");
  const files = ["admin-token", "encryption-key"].map((name) => join(left, name));
  for (const file of files) writeFileSync(file, `${Buffer.alloc(32, 7).toString("base64")}\n`, { mode: 0o600 });
  const before = files.map((file) => readFileSync(file, "utf8"));
  for (const verb of ["reset-access", "rotate-key"])
    expect(await admin([verb], { MILLRACE_DATA_DIR: left })).toMatchObject({
      code: 1,
      output: expect.stringMatching(/was moved to db\.example\.com, database millrace on .*: set DATABASE_URL/),
    });
  expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(before);
});

test("killed at any moment and run again, the key is replaced while the service continues, also after its restart", async () => {
  const lines = () => readFileSync(join(dataDir, "encryption-key"), "utf8").trim().split("\n");
  const keys = () => lines().filter((line) => !line.startsWith("#"));
  const [old] = keys();
  const saveSecret = (name: string) =>
    call(readToken(), "PATCH", "/team/getting-started", { parameters: [{ name, type: "password", value: "secret" }] });
  expect(await saveSecret("before")).toBeLessThan(300);
  for (const line of ["new key", "waiting until", "new secrets are encrypted"]) {
    const command = start(["rotate-key"]);
    // A later command may have nothing left to do in the step at which it is to be killed.
    if ((await command.until(line).catch(() => undefined)) === undefined) break;
    command.child.kill("SIGKILL");
    await command.ended;
    expect(await saveSecret("between")).toBeLessThan(300);
  }
  const { code, output } = await admin(["rotate-key"]);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/The encryption key is now [0-9a-f]{16}$/) });
  expect(keys()).toHaveLength(1);
  expect(keys()).not.toContain(old);
  expect(lines().at(-1)).toMatch(/^# retired /);
  expect(await saveSecret("after")).toBeLessThan(300);
  await service.stop();
  service = await startService(folder);
  expect(service.said.join()).not.toMatch(/warning: .*key/);
  expect(await saveSecret("again")).toBeLessThan(300);
});
