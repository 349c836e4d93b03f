import { createHash, randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { productVersion } from "../../src/base/file/repository-root.ts";
import { createLog } from "../../src/base/process/log.ts";
import { readConfig } from "../../src/config/read-config.ts";
import { backUp } from "../../src/store/database/backup/backup.ts";
import { readSchemaVersion } from "../../src/store/database/schema/migrate.ts";
import { withDatabase } from "../../src/with-database.ts";
import { type StartedService, startService } from "../kit/start/start-service.ts";
import { type UpgradeDump, upgradeDumps } from "../kit/start/upgrade-dump.ts";
import { until } from "../kit/until.ts";

/**
 * `node scripts/upgrade-dump.mjs`, once for each release: fills a database over the API of this version, stops the service while work waits
 * in every possible way, and stores the database and its description. Tests check that each later version takes it over.
 */

const team = "upgrade";
const secret = "the wheel turns the stone";
const half = 30 * 60_000;

export async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-upgrade-"));
  chmodSync(folder, 0o755);
  const keys = { encryptionKey: randomBytes(32).toString("base64"), adminToken: "administrator-of-the-upgrade-test" };
  const settings = {
    MILLRACE_ENCRYPTION_KEY: keys.encryptionKey,
    MILLRACE_ADMIN_TOKEN: keys.adminToken,
    MILLRACE_OUTBOUND_ALLOW: "127.0.0.1",
    MILLRACE_SEED: "false",
    MILLRACE_ALLOW_UNSANDBOXED: "true",
  };
  try {
    const withWorker = await startService(folder, settings);
    const made = await fill(withWorker);
    await withWorker.stop();
    const withoutWorker = await startService(folder, { ...settings, MILLRACE_ROLES: "api,engine" });
    const waiting = await submitWaiting(withoutWorker);
    await withoutWorker.stop();
    const apiAlone = await startService(folder, { ...settings, MILLRACE_ROLES: "api" });
    const { id: queued } = await submit(apiAlone, "work");
    await apiAlone.stop();
    await save(join(folder, ".millrace"), { ...keys, ...made, waiting: { ...waiting, queued } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Made = Omit<UpgradeDump, "version" | "schemaVersion" | "takenAt" | "encryptionKey" | "adminToken" | "waiting">;

async function fill({ api }: StartedService): Promise<Made> {
  const members = ["ada@example.com", "ben@example.com"];
  await api("POST", "/team", { name: team, displayName: "Upgrade", members: [{ email: members[0], role: "owner" }] });
  const parameters = [{ name: "seal", type: "password", value: secret }];
  await api("PATCH", `/team/${team}`, { members: [{ email: members[1], role: "editor" }], parameters });
  const token = async (body: object) => (await api<{ token: string }>("POST", "/token", { name: "kept", ...body })).token;
  const memberToken = await token({ type: "user", principal: members[1] });
  const teamToken = await token({ type: "team", principal: team, permissions: ["workflowrun/read", "webhook/action"] });
  for (const workflow of workflows) await api("PUT", `/team/${team}/workflow`, workflow);
  const target = { url: "http://127.0.0.1:9/" };
  const filters = [{ exact: { type: "dev.millrace.workflowrun.succeeded" } }];
  const { id: subscription } = await api<{ id: string }>("POST", `/team/${team}/subscription`, { name: "ends", target, filters });
  const run = await submitIn(api, "work");
  await until(async () => (await readRun(api, run.id)).status === "succeeded", "the run has ended");
  const deliveries = `/team/${team}/subscription/${subscription}/delivery/query`;
  let delivery: string | undefined;
  await until(async () => {
    const { content } = await api<{ content: { id: string; status: string; attempts: number }[] }>("GET", deliveries);
    delivery = content.find(({ status }) => status === "pending")?.id;
    return delivery !== undefined;
  }, "the delivery is pending");
  // Nothing else is sent from now on, and this one waits until there is a receiver.
  await api("PATCH", `/team/${team}/subscription/${subscription}`, { isActive: false });
  const dateSchedule = new Date(Date.now() + half).toISOString();
  const once = { workflowRef: "work", name: "once", type: "runOnce", dateSchedule, timezone: "Etc/UTC" };
  const { id: schedule } = await api<{ id: string }>("POST", `/team/${team}/schedule`, once);
  const secretHash = createHash("sha256").update(secret).digest("hex");
  const finished = { run: run.id, lines: [secretHash] };
  return { team, members, memberToken, teamToken, secretHash, finished, schedule, subscription, delivery: delivery! };
}

/** Each is in a different state when this returns. */
async function submitWaiting(service: StartedService): Promise<Omit<UpgradeDump["waiting"], "queued">> {
  const waits: Record<string, string> = {};
  for (const [name, workflow] of Object.entries({
    sleep: "sleep",
    approval: "approval",
    event: "event",
    lockHolder: "lock",
    script: "work",
  })) {
    const { id } = await submit(service, workflow);
    waits[name] = id;
    await until(async () => await isWaiting(service, id), `${name} waits`);
  }
  const { id: lock } = await submit(service, "lock");
  await until(async () => isWaiting(service, lock), "the second run waits for the lock");
  return { ...waits, lock } as Omit<UpgradeDump["waiting"], "queued">;
}

async function isWaiting({ api }: StartedService, id: string): Promise<boolean> {
  const { tasks = [] } = await readRun(api, id);
  return tasks.some(({ status }) => status === "waiting" || status === "ready");
}

type Api = StartedService["api"];
const readRun = (api: Api, id: string) =>
  api<{ status: string; tasks?: { id: string; status: string }[] }>("GET", `/team/${team}/workflowrun/${id}`);
const submitIn = (api: Api, workflow: string) => api<{ id: string }>("POST", `/team/${team}/workflow/${workflow}/submit`, {});
const submit = ({ api }: StartedService, workflow: string) => submitIn(api, workflow);

/** Without the names of the machine on which it was created. */
async function save(dataDir: string, made: Omit<UpgradeDump, "version" | "schemaVersion" | "takenAt">): Promise<void> {
  const { database } = readConfig({ MILLRACE_DATA_DIR: dataDir, MILLRACE_ENCRYPTION_KEY: made.encryptionKey });
  const file = join(upgradeDumps, `${productVersion}.millrace`);
  mkdirSync(upgradeDumps, { recursive: true });
  rmSync(file, { force: true });
  await withDatabase(
    database,
    false,
    async (sql) => {
      await sql`update worker set host = 'worker.example.com'`;
      await sql`update place set host = 'worker.example.com', path = '/var/lib/millrace'`;
      await backUp(sql, file);
      chmodSync(file, 0o644);
      const dump: UpgradeDump = {
        version: productVersion,
        schemaVersion: await readSchemaVersion(sql),
        takenAt: new Date().toISOString(),
        ...made,
      };
      writeFileSync(join(upgradeDumps, `${productVersion}.json`), `${JSON.stringify(dump, null, 2)}\n`);
      process.stdout.write(`${file}: schema ${dump.schemaVersion}\n`);
    },
    createLog("warn"),
  );
}

interface Step {
  name: string;
  type: string;
  taskRef: string;
  params: Record<string, string>;
}

const script: Step = {
  name: "print",
  type: "script",
  taskRef: "execute-shell",
  params: { script: `printf %s "$(team.params.seal)" | sha256sum | cut -d ' ' -f 1` },
};
const event = (name: string, topic: string): Step => ({ name, type: "eventwait", taskRef: "wait-for-event", params: { topic } });

const workflows = [
  chain("work"),
  chain("sleep", { name: "rest", type: "sleep", taskRef: "sleep", params: { duration: String(half) } }),
  chain("approval", { name: "ask", type: "approval", taskRef: "manual-approval", params: { numberOfApprovers: "1" } }),
  chain("event", event("wait", "go")),
  chain(
    "lock",
    { name: "lock", type: "acquirelock", taskRef: "acquire-lock", params: { key: "mill", timeout: "604800" } },
    event("hold", "free"),
  ),
];

/** The steps one after another, and finally the script, which shows that the secret can be read. */
function chain(name: string, ...steps: Step[]) {
  let before = "start";
  const tasks = [...steps, script].map(({ params, ...step }) => {
    const dependencies = [{ taskRef: before }];
    before = step.name;
    return { ...step, dependencies, params: Object.entries(params).map(([key, value]) => ({ name: key, value })) };
  });
  const end = { name: "end", type: "end", dependencies: [{ taskRef: before }] };
  return { name, triggers: { schedule: { enabled: true } }, tasks: [{ name: "start", type: "start" }, ...tasks, end] };
}
