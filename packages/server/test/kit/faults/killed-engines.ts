import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DatabaseAddress } from "../../../src/store/database/database-address.ts";
import { FaultProxy } from "../../fakes/fault-proxy.ts";
import { buildProgram } from "../build-program.ts";
import type { EngineKit } from "../engine-kit.ts";
import { until } from "../until.ts";

interface Kills {
  /** The maximum number of processes. */
  kills: number;
  /** The statements at which one is killed. */
  statement?: RegExp;
  /** Chosen from this many of them. */
  spread?: number;
}

/** A series of processes on one database, each with an engine and a worker, and each killed before or after a statement. */
export class KilledEngines {
  /** By a fault. */
  killed = 0;
  readonly #proxy: FaultProxy;
  readonly #program: string;
  readonly #folder: string;
  readonly #random: () => number;
  #child: ChildProcess | undefined;

  // biome-ignore lint/style/useConsistentMemberAccessibility: there is no #constructor
  private constructor(proxy: FaultProxy, program: string, random: () => number) {
    this.#proxy = proxy;
    this.#program = program;
    this.#random = random;
    this.#folder = mkdtempSync(join(tmpdir(), "millrace-killed-"));
    writeFileSync(this.#effects, "");
  }

  static async start(address: DatabaseAddress, random: () => number): Promise<KilledEngines> {
    const program = await buildProgram(fileURLToPath(new URL("../../processes/control-program.ts", import.meta.url)));
    return new KilledEngines(await FaultProxy.start(address), program, random);
  }

  /** Each attempt that started, as often as it did. */
  begun(): string[] {
    return readFileSync(this.#effects, "utf8").split("\n").filter(Boolean);
  }

  /** Kills the processes at one of their next statements of that kind; the last process is left alone until everything has finished. */
  async end(isOver: () => Promise<boolean>, { kills, statement = /^commit/i, spread = 6 }: Kills): Promise<void> {
    for (let kill = 0; kill < kills && !(await isOver()); kill++) {
      const victim = await this.#startProcess();
      const exit = once(victim, "exit");
      this.#proxy.onFault = () => {
        this.killed += 1;
        victim.kill("SIGKILL");
      };
      const how = kill % 2 === 0 ? "before" : "after";
      const fault = { statement, how, skip: Math.floor(this.#random() * spread), times: 1 } as const;
      this.#proxy.faults.splice(0, this.#proxy.faults.length, { ...fault });
      await Promise.race([exit, until(isOver, "all is over", 30_000)]);
      victim.kill("SIGKILL");
      await exit;
    }
    this.#proxy.faults.splice(0);
    this.#proxy.onFault = () => undefined;
    const last = await this.#startProcess();
    await until(isOver, "all is over", 60_000);
    const exit = once(last, "exit");
    last.kill("SIGKILL");
    await exit;
  }

  async stop(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#proxy.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #effects(): string {
    return join(this.#folder, "effects");
  }

  async #startProcess(): Promise<ChildProcess> {
    const settings = JSON.stringify({ address: this.#proxy.address, effects: this.#effects, leaseSeconds: 2 });
    const child = spawn(process.execPath, [this.#program, settings], { stdio: ["ignore", "pipe", "inherit"] });
    this.#child = child;
    await once(child.stdout as NodeJS.ReadableStream, "data");
    return child;
  }
}

/** What the runs of a team have left behind when all have finished: nothing, if everything is correct. */
export async function countLeft({ sql, settle }: EngineKit, team: string): Promise<Record<string, number>> {
  await settle();
  const [left] = await sql<Record<string, number>[]>`
    select (select count(*)::int from run_slot where team_id = ${team}) as slots,
      (select count(*)::int from run_waiting where team_id = ${team}) as waiting,
      (select count(*)::int from run_wake where team_id = ${team} and due_at <= db_now()) as wakes,
      (select count(*)::int from run_signal where team_id = ${team}) as signals,
      (select count(*)::int from task_run where team_id = ${team} and (worker_id is not null or due_at is not null or phase <> 'completed')) as open`;
  return left ?? {};
}

export const nothingLeft = { slots: 0, waiting: 0, wakes: 0, signals: 0, open: 0 };

/** Mulberry32: the same numbers for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
