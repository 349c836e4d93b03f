import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { workerSettings } from "../../../src/config/worker-settings.ts";
import { FaultProxy } from "../../fakes/fault-proxy.ts";
import { buildProgram } from "../../kit/build-program.ts";
import { moveTime, testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { engineNode } from "../../kit/run/engine-node.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { until } from "../../kit/until.ts";
import { testExecutor } from "../../kit/worker/test-executor.ts";

/** Real processes with the default lease of the service: what is taken over, when, and what is not. */
const { sql, address } = await testDatabase();
const kit = engineKit(sql);
const leaseSeconds = Number(workerSettings.leaseSeconds.default);
const promisedMs = 10_000;

let program = "";
let heartbeat = "";
beforeAll(async () => {
  program = await buildProgram(fileURLToPath(new URL("../../processes/takeover-program.ts", import.meta.url)));
  heartbeat = await buildProgram(fileURLToPath(new URL("../../../src/heartbeat-thread.ts", import.meta.url)));
}, 120_000);

const children = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
  children.clear();
});

interface World {
  first: ChildProcess;
  runId: string;
  team: string;
  /** Lines so far: `begin ATTEMPT PROCESS`. */
  effects(): string[];
  second(): Promise<ChildProcess>;
}

/** A run whose task is held by the first of two processes; the second one is idle beside it. */
async function begin(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "takeover-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "effects");
  const start = async (name: string) => {
    const settings = JSON.stringify({ address, effects: file, name, leaseSeconds, heartbeat });
    const child = spawn(process.execPath, [program, settings], { stdio: ["pipe", "pipe", "inherit"] });
    children.add(child);
    await once(createInterface(child.stdout!), "line");
    return child;
  };
  const effects = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
  const first = await start("first");
  const team = await kit.team();
  await kit.workflow(team, "one", workflow(node("a", "script", ["start"], { params: [{ name: "script", value: "true" }] })));
  const { id: runId } = await kit.submit(team, "one", { start: true });
  await until(() => effects().includes("begin 1 first"), "the first process has begun");
  return { first, runId, team, effects, second: () => start("second") };
}

/** An engine needs to have seen a worker for a moment: two heartbeats in a row. */
async function seesTwoBeats(): Promise<void> {
  const untils = new Set<string>();
  await until(async () => {
    for (const { leaseUntil } of await sql<{ leaseUntil: Date }[]>`select max(lease_until) as "leaseUntil" from worker`)
      untils.add(leaseUntil.toISOString());
    return untils.size > 3;
  }, "heartbeats come");
}

async function takeover(act: (world: World) => void): Promise<{ world: World; second: ChildProcess; tookMs: number }> {
  const world = await begin();
  const second = await world.second();
  await seesTwoBeats();
  const startedAt = performance.now();
  act(world);
  await until(() => world.effects().includes("begin 2 second"), "the second process has taken over", 30_000);
  return { world, second, tookMs: performance.now() - startedAt };
}

async function finish({ runId, team }: World, child: ChildProcess): Promise<void> {
  child.stdin!.write("finish\n");
  await until(async () => (await kit.run(team, runId)).status === "succeeded", "the run is over");
}

test("the tasks of a killed process start again elsewhere within 10 s", { timeout: 90_000 }, async () => {
  const { world, second, tookMs } = await takeover(({ first }) => first.kill("SIGKILL"));
  expect(tookMs).toBeLessThan(promisedMs);
  await finish(world, second);
});

test("so do the tasks of a stopped process, which ends its own step when it continues, and its result is refused", {
  timeout: 90_000,
}, async () => {
  const { world, second, tookMs } = await takeover(({ first }) => first.kill("SIGSTOP"));
  expect(tookMs).toBeLessThan(promisedMs);
  world.first.kill("SIGCONT");
  await until(() => world.effects().includes("stopped 1 first"), "the first process has ended its step");
  await finish(world, second);
  const [task] = (await kit.tasks(world.team, world.runId)).filter(({ name }) => name === "a");
  expect(task).toMatchObject({ status: "succeeded", attempt: 2 });
  expect(world.effects().filter((line) => line.startsWith("begin"))).toEqual(["begin 1 first", "begin 2 second"]);
});

test("a process whose main loop is blocked for nearly twice its lease keeps its task", { timeout: 90_000 }, async () => {
  const world = await begin();
  await world.second();
  await seesTwoBeats();
  world.first.stdin!.write(`block ${leaseSeconds * 1000 + 7_000}\n`);
  await until(() => world.effects().includes("unblocked first"), "the first process goes on", 60_000);
  await finish(world, world.first);
  expect(world.effects()).toEqual(["begin 1 first", "blocked first", "unblocked first", "finished 1 first"]);
});

test("a database that does not answer for 60 s, by its clock, loses no attempt", { timeout: 90_000 }, async () => {
  const proxy = await FaultProxy.start(address);
  onTestFinished(() => proxy.stop());
  let begun = 0;
  let finishAll = () => {};
  const finished = new Promise<void>((resolve) => {
    finishAll = resolve;
  });
  const executor = testExecutor(async (_job, _script, _print, stopped) => {
    begun++;
    await Promise.race([finished, stopped]);
    return {};
  });
  const nodes = [0, 1].map(() => engineNode(proxy.address, { executor, leaseSeconds }));
  onTestFinished(async () => {
    for (const one of nodes) await one.stop();
  });
  for (const one of nodes) await one.start();
  const team = await kit.team();
  await kit.workflow(team, "kept", workflow(node("a", "script", ["start"], { params: [{ name: "script", value: "true" }] })));
  const { id } = await kit.submit(team, "kept", { start: true });
  for (const one of nodes) one.bus.wake("tasks");
  await until(() => begun === 1, "it has begun");
  await seesTwoBeats();
  proxy.pause();
  await moveTime(sql, 60_000);
  await until(() => proxy.refused > 5, "connections were tried in vain");
  proxy.resume();
  await seesTwoBeats();
  await seesTwoBeats();
  finishAll();
  await until(async () => (await kit.run(team, id)).status === "succeeded", "the run is over");
  const [task] = (await kit.tasks(team, id)).filter(({ name }) => name === "a");
  expect(task).toMatchObject({ status: "succeeded", attempt: 1 });
  expect(begun).toBe(1);
});
