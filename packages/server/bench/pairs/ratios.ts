import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../../src/base/file/repository-root.ts";
import type { BenchContext } from "../bench-context.ts";
import { startBareRoute } from "../floors.ts";
import { cpuSeconds } from "../processes.ts";
import type { Measurement } from "../report.ts";
import { median, repeat } from "../statistics.ts";
import { chain } from "../workflows.ts";

/**
 * A short check that CI repeats: the processor time of a run, and of a script, as a multiple of its floor. Processor time depends least on
 * other work on the machine; five pairs, each floor right before what is compared with it; the median may exceed the file by a quarter.
 */
const allowed = 1.25;
const pairs = 5;

/** The highest medians of a few measurements on two cores. Lower them when the product gets faster. */
interface Expected {
  run: number;
  script: number;
}

const run = promisify(execFile);

export async function measureRatios(context: BenchContext): Promise<Measurement[]> {
  const expected: Expected = JSON.parse(readFileSync(join(repositoryRoot, "packages/server/bench/expected-ratios.json"), "utf8"));
  const { client } = context;
  await client.createWorkflow(chain("pure", 3)).catch(() => undefined);
  await client.createWorkflow(chain("script", 40)).catch(() => undefined);
  await context.service.database`create table if not exists bench_floor (id bigint generated always as identity primary key, note text)`;
  const route = await startBareRoute();
  try {
    const runs = await pairRatios(
      () => floorOfRun(context, route.call, 2_000),
      () => serviceMs(context, 1_000, (count) => repeat(count, 100, () => client.submitAndWait(chain("pure", 3).name, { start: true }))),
    );
    const measured = [ratio("a run of 3 pure tasks", runs, expected.run, "a bare request and a one-row commit")];
    if (!(await hasBubblewrap())) return measured;
    const scripts = await pairRatios(
      () => floorOfScript(40),
      () => serviceMs(context, 40, () => client.submitAndWait(chain("script", 40).name, { start: true })),
    );
    return [...measured, ratio("a script", scripts, expected.script, "a bare bwrap sh")];
  } finally {
    await context.service.database`drop table bench_floor`;
    await route.stop();
  }
}

function ratio(name: string, values: readonly number[], expected: number, floor: string): Measurement {
  const value = median(values);
  const range = `${Math.min(...values).toPrecision(3)} to ${Math.max(...values).toPrecision(3)}`;
  return { name: `processor time of ${name} (${range})`, value, unit: `x ${floor}`, aim: { atMost: expected * allowed }, mustMeet: true };
}

async function pairRatios(floor: () => Promise<number>, work: () => Promise<number>): Promise<number[]> {
  // Users don't notice the first compilation and the cold caches.
  await floor();
  await work();
  await work();
  const ratios: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const base = await floor();
    ratios.push((await work()) / base);
  }
  return ratios;
}

/** Milliseconds of the service, its database and its steps for each of `count` repetitions. */
async function serviceMs({ service }: BenchContext, count: number, work: (count: number) => Promise<unknown>): Promise<number> {
  const before = cpuSeconds(service.pid);
  await work(count);
  const after = cpuSeconds(service.pid);
  return ((after.service + after.others - before.service - before.others) * 1000) / count;
}

/** A request through a bare route, with its client, and a commit, with its database. */
async function floorOfRun({ service }: BenchContext, call: () => Promise<void>, count: number): Promise<number> {
  const before = cpuSeconds(service.pid).others + ownSeconds();
  await repeat(count, 32, call);
  await repeat(
    count,
    32,
    () => service.database`insert into bench_floor (note) values ('a row of about the size of a state change, give or take')`,
  );
  return ((cpuSeconds(service.pid).others + ownSeconds() - before) * 1000) / count;
}

/** The same kinds of namespaces as a step's, without its files, filter and control group. */
async function floorOfScript(count: number): Promise<number> {
  const args = ["--unshare-all", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib"];
  const lib64 = ["--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"];
  const before = endedChildrenSeconds();
  for (let index = 0; index < count; index++) await run("bwrap", [...args, ...lib64, "sh", "-c", ":"]);
  return ((endedChildrenSeconds() - before) * 1000) / count;
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Of the children of this process that have ended. */
function endedChildrenSeconds(): number {
  const text = readFileSync("/proc/self/stat", "latin1");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

async function hasBubblewrap(): Promise<boolean> {
  return await run("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"]).then(
    () => true,
    () => false,
  );
}
