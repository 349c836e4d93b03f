import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import type { BenchContext } from "./bench-context.ts";
import { type BenchCase, cases } from "./cases.ts";
import { BenchClient } from "./client.ts";
import { comparePairs } from "./pairs/pairs.ts";
import { isMet, type Measurement, printTable } from "./report.ts";
import { startService } from "./service.ts";

/**
 * `npm run bench -- [--quick] [--long] [--json FILE] [--against CHECKOUT] [CASE…]`: measures the service as its users experience it, over
 * HTTP, on a fresh data folder, and in the same run the floors below it: the database alone, an HTTP route alone, a bare process. Ratios to
 * the floors can be compared between machines. `--against` compares some cases with another checkout instead (pairs.ts).
 */
interface Options {
  isQuick: boolean;
  isLong: boolean;
  jsonFile: string | undefined;
  against: string | undefined;
  names: string[];
}

function readOptions(args: readonly string[]): Options {
  const names: string[] = [];
  let jsonFile: string | undefined;
  let against: string | undefined;
  for (let at = 0; at < args.length; at++) {
    if (args[at] === "--json") jsonFile = args[++at];
    else if (args[at] === "--against") against = args[++at];
    else if (args[at] !== "--quick" && args[at] !== "--long") names.push(args[at] as string);
  }
  const unknown = names.filter((name) => !cases.some((one) => one.name === name));
  if (unknown.length > 0) throw new Error(`There is no case ${unknown.join(", ")}; known: ${cases.map((one) => one.name).join(", ")}`);
  return { isQuick: args.includes("--quick"), isLong: args.includes("--long"), jsonFile, against, names };
}

async function measure(one: BenchCase, context: BenchContext): Promise<Measurement[]> {
  process.stderr.write(`${one.name}: ${one.what} …\n`);
  try {
    return await one.measure(context);
  } catch (error) {
    process.stderr.write(`${one.name} failed: ${error instanceof Error ? error.message : String(error)}\n`);
    return [{ name: `${one.name} failed`, value: Number.NaN, unit: "" }];
  }
}

async function main(): Promise<void> {
  const { isQuick, isLong, jsonFile, against, names } = readOptions(process.argv.slice(2));
  if (against !== undefined) return comparePairs(against, isQuick, names);
  const service = await startService();
  const measurements: Measurement[] = [];
  try {
    const client = new BenchClient(service.url, [service.token]);
    const context: BenchContext = { service, client, isQuick, isLong, results: measurements };
    await client.prepareTeam();
    for (const one of cases) {
      const isWanted = names.includes(one.name) || (names.length === 0 && !one.isOnRequest);
      if (!isWanted && !one.isFloor) continue;
      measurements.push(...(await measure(one, context)));
    }
  } finally {
    await service.stop();
  }
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length, isQuick };
  printTable(machine, measurements);
  if (jsonFile) writeFileSync(jsonFile, `${JSON.stringify({ at: new Date().toISOString(), machine, measurements }, undefined, 2)}\n`);
  if (measurements.some((one) => Number.isNaN(one.value) || (one.mustMeet && !isMet(one)))) process.exitCode = 1;
}

await main();
