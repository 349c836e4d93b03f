import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { EventBus } from "../../../src/base/process/event-bus.ts";
import { createLog } from "../../../src/base/process/log.ts";
import { Keyring } from "../../../src/base/secret/keyring.ts";
import { buildApp } from "../../../src/http/server.ts";
import { CodehostClients } from "../../../src/integrations/codehost/codehost-client.ts";
import { createPool } from "../../../src/store/database/database.ts";
import { activateInstance } from "../../../src/store/settings/instance.ts";
import { FaultProxy } from "../../fakes/fault-proxy.ts";
import { adminToken, testRunContext } from "../../kit/app.ts";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { platformFetch } from "../../kit/platform-fetch.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

// A proxy cuts connections to the database at chosen statements.

const { sql, address } = await testDatabase();
const kit = engineKit(sql);
const child = workflow(node("inner", "script", ["start"], { params: [{ name: "script", value: "true" }] }));

async function prepare(): Promise<string> {
  const team = await kit.team();
  await kit.workflow(team, "child", child);
  return team;
}

describe("a submission whose connection breaks", async () => {
  const proxy = await FaultProxy.start(address);
  const pool = createPool(proxy.address, { maxConnections: 4 });
  const keyring = new Keyring([randomBytes(32)]);
  const log = createLog("silent");
  const services = {
    wake: () => {},
    runs: testRunContext(keyring),
    bus: new EventBus(),
    codehost: new CodehostClients(platformFetch),
    platformFetch,
  };
  const app = buildApp({ sql: pool, keyring, config: { adminToken, checkAnswers: true }, log, services });
  await activateInstance(sql);
  afterAll(async () => {
    await app.close();
    await pool.end({ timeout: 1 });
    await proxy.stop();
  });

  async function submit(team: string, key?: string) {
    const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json", ...(key && { "idempotency-key": key }) };
    return app.inject({ method: "POST", url: `/api/v2/team/${team}/workflow/child/submit`, headers, payload: "{}" });
  }

  const countRuns = async (team: string) =>
    (await sql<{ count: number }[]>`select count(*)::int as count from run where team_id = ${team}`)[0]?.count;

  // Without a key the whole submission is one statement, which commits itself: see recordRun.
  test.each([
    ["after", 1],
    ["before", 0],
  ] as const)("%s its only writing statement is answered with 503, and leaves %i runs", async (how, runs) => {
    const team = await prepare();
    expect((await submit(team)).statusCode).toBe(200);
    proxy.faults.push({ statement: /insert_runs/, how, times: 1 });
    const answer = await submit(team);
    expect([answer.statusCode, answer.json().reason]).toEqual([503, "NOT_READY"]);
    expect(await countRuns(team)).toBe(1 + runs);
  });

  test.each(["after", "before"] as const)("%s its commit is done once when it is repeated with the same Idempotency-Key", async (how) => {
    const team = await prepare();
    proxy.faults.push({ statement: /^commit/i, how, times: 2 });
    const key = randomBytes(8).toString("hex");
    const answers = [await submit(team, key), await submit(team, key), await submit(team, key), await submit(team, key)];
    expect(answers.filter(({ statusCode }) => statusCode === 503).length).toBeGreaterThan(0);
    const ids = answers.filter(({ statusCode }) => statusCode === 200).map((answer) => answer.json().id);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(1);
    expect(await countRuns(team)).toBe(1);
  });

  // The statement that records the run stores the response with it: after a cut, both are there, or none.
  test.each([/insert_runs/, /from team t/, /insert into idempotency/])(
    "at %s leaves nothing half done, and can be repeated",
    async (statement) => {
      const team = await prepare();
      const key = randomBytes(8).toString("hex");
      proxy.faults.push({ statement, how: "after", times: 1 }, { statement, how: "before", times: 1 });
      const broken = [await submit(team, key), await submit(team, key)];
      expect(broken.map(({ statusCode }) => statusCode)).toEqual([503, 503]);
      const [kept] = await sql<
        { count: number }[]
      >`select count(*)::int as count from idempotency where key = ${key} and response is not null`;
      expect(await countRuns(team)).toBe(kept?.count);
      const [first, again] = [await submit(team, key), await submit(team, key)];
      expect([first.statusCode, again.json().id]).toEqual([200, first.json().id]);
      expect(await countRuns(team)).toBe(1);
    },
  );
});
