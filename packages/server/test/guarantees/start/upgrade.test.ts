import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { restore } from "../../../src/store/database/backup/restore.ts";
import { dumpSchema } from "../../../src/store/database/schema/schema-dump.ts";
import { migrationsFolder, newestVersion, readSchema } from "../../../src/store/database/schema/schema-files.ts";
import { webhookReceiver } from "../../fakes/webhook-receiver.ts";
import { emptyDatabase, setTestTime } from "../../kit/database.ts";
import { type StartedService, startService } from "../../kit/start/start-service.ts";
import { type UpgradeDump, upgradeDumps } from "../../kit/start/upgrade-dump.ts";
import { until } from "../../kit/until.ts";

/**
 * This version takes over the database of each release (`processes/upgrade-dump-program.ts`): waiting work continues to its end, nothing is
 * lost or done twice, and history, logs, secrets and tokens are unchanged.
 */

const dumps = readdirSync(upgradeDumps)
  .filter((file) => file.endsWith(".json"))
  .map((file) => JSON.parse(readFileSync(join(upgradeDumps, file), "utf8")) as UpgradeDump);
const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** The service on that database, with its clock set to an hour after the dump was made, however long ago that is. */
async function takeOver(dump: UpgradeDump): Promise<{ service: StartedService; schemaVersion: number }> {
  const { sql, url } = await emptyDatabase();
  const file = join(upgradeDumps, `${dump.version}.millrace`);
  expect(statSync(file).size).toBeLessThan(1e6);
  await restore(sql, file);
  expect(await dumpSchema(sql)).toBe(readFileSync(join(migrationsFolder, "schema.sql"), "utf8"));
  await setTestTime(sql, Date.parse(dump.takenAt) + 3_600_000 - Date.now());
  const folder = mkdtempSync("/tmp/millrace-upgrade-test-");
  chmodSync(folder, 0o755);
  const service = await startService(folder, {
    DATABASE_URL: url,
    MILLRACE_ENCRYPTION_KEY: dump.encryptionKey,
    MILLRACE_ADMIN_TOKEN: dump.adminToken,
    MILLRACE_OUTBOUND_ALLOW: "127.0.0.1",
    MILLRACE_ALLOW_UNSANDBOXED: "true",
  });
  onTestFinished(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const [row] = await sql<{ version: number }[]>`select max(version)::int as version from schema_migration`;
  return { service, schemaVersion: row!.version };
}

interface Run {
  id: string;
  status: string;
  trigger: string;
  tasks: { id: string; name: string; status: string; attempt: number }[];
}

/** The API with tokens other than the administrator's. */
async function callAs(service: StartedService, token: string, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { "content-type": "application/json" }) };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${service.address}/api/v2${path}`, { method, headers, ...sent });
  return { status: answer.status, text: await answer.text() };
}

test("there is a dump of the first release", () => expect(dumps.map(({ version }) => version)).toContain("0.1.0"));

test.each(dumps)("a database of $version is taken over with all its work", { timeout: 240_000 }, async (dump) => {
  const { service, schemaVersion } = await takeOver(dump);
  expect(schemaVersion).toBe(newestVersion(await readSchema()));
  const { api } = service;
  const team = `/team/${dump.team}`;
  const readRun = (id: string) => api<Run>("GET", `${team}/workflowrun/${id}`);
  const ends = async (id: string, what: string) => until(async () => (await readRun(id)).status === "succeeded", `${what} has ended`);
  const linesOf = async (id: string) => {
    const print = (await readRun(id)).tasks.find(({ name }) => name === "print");
    expect(print).toMatchObject({ status: "succeeded", attempt: 1 });
    return (await callAs(service, dump.adminToken, "GET", `/taskrun/${print!.id}/log`)).text.trim().split("\n");
  };

  // Finished runs, and users.
  expect((await readRun(dump.finished.run)).status).toBe("succeeded");
  expect(await linesOf(dump.finished.run)).toEqual(dump.finished.lines);
  const { members } = await api<{ members: { email: string }[] }>("GET", team);
  expect(members.map(({ email }) => email).sort()).toEqual([...dump.members].sort());
  expect((await callAs(service, dump.memberToken, "GET", team)).status).toBe(200);
  expect((await callAs(service, dump.memberToken, "PATCH", team, { approverGroups: [{ name: "g" }] })).status).toBe(403);

  // Work that only needed time, or a worker.
  for (const name of ["sleep", "script", "queued"] as const) await ends(dump.waiting[name], name);
  let scheduled = "";
  await until(async () => {
    const { content } = await api<{ content: { workflowRunRef?: string }[] }>("GET", `${team}/schedule/${dump.schedule}/firings`);
    scheduled = content[0]?.workflowRunRef ?? "";
    return scheduled !== "";
  }, "the schedule has fired");
  await ends(scheduled, "the run of the schedule");

  // Work that waits for requests continues when they arrive, with the old tokens, and not earlier.
  for (const name of ["approval", "event", "lock", "lockHolder"] as const)
    expect((await readRun(dump.waiting[name])).status).toBe("running");
  const { content: actions } = await api<{ content: { id: string }[] }>("GET", `${team}/action/query?statuses=submitted`);
  expect(actions).toHaveLength(1);
  const vote = [{ id: actions[0]!.id, approved: true }];
  expect((await callAs(service, dump.memberToken, "PUT", `${team}/action`, vote)).status).toBeLessThan(300);
  const callback = (run: string, topic: string) =>
    callAs(service, dump.teamToken, "POST", `/callback?ref=${run}&topic=${topic}&status=succeeded`, {});
  expect((await callback(dump.waiting.event, "go")).status).toBeLessThan(300);
  expect((await callback(dump.waiting.lockHolder, "free")).status).toBeLessThan(300);
  for (const name of ["approval", "event", "lockHolder"] as const) await ends(dump.waiting[name], name);
  expect((await callback(dump.waiting.lock, "free")).status).toBeLessThan(300);
  await ends(dump.waiting.lock, "the run that waited for the lock");

  // Nothing is lost or done twice: each run printed the secret once, in its first attempt.
  const runs = [...Object.values(dump.waiting), scheduled];
  for (const id of runs) expect(await linesOf(id)).toEqual([dump.secretHash]);
  const { totalElements } = await api<{ totalElements: number }>("GET", `${team}/workflowrun/query`);
  expect(totalElements).toBe(runs.length + 1);

  // Deliveries that could not be sent are sent once there is a receiver.
  const receiver = await webhookReceiver(webhookSecret);
  const target = { url: receiver.url };
  await api("PATCH", `${team}/subscription/${dump.subscription}`, { target, secret: webhookSecret, isActive: true });
  await until(() => receiver.received.length > 0, "the delivery arrives");
  expect(receiver.received.map(({ id }) => id)).toEqual([dump.delivery]);
  expect(receiver.received[0]!.event.subject).toContain(dump.finished.run);
});
