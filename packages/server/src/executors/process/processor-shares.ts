import { join } from "node:path";
import { sharesOf } from "../steps/team-shares.ts";
import type { ControlGroupTree } from "./control-group-tree.ts";
import { trySetKernelValue } from "./kernel-file.ts";

/**
 * The processor time of teams. The weights of all attempts of a team add up to the same for every team, so a team with fifty busy
 * scripts has as much of the machine as one with a single script; where the others need less, it is shared by those that want more.
 */
export class ProcessorShares {
  readonly #trees: readonly ControlGroupTree[];
  /** Names of the groups of running attempts, by team. */
  readonly #groups = new Map<string, Set<string>>();

  constructor(trees: readonly ControlGroupTree[]) {
    this.#trees = trees.filter(({ cpu }) => cpu);
  }

  add(teamId: string, name: string): void {
    const names = this.#groups.get(teamId) ?? new Set();
    this.#groups.set(teamId, names.add(name));
    this.#balance(names);
  }

  remove(teamId: string, name: string): void {
    const names = this.#groups.get(teamId);
    if (!names?.delete(name)) return;
    if (names.size === 0) this.#groups.delete(teamId);
    else this.#balance(names);
  }

  #balance(names: ReadonlySet<string>): void {
    for (const { folder, version } of this.#trees) {
      const [file, value] = version === 2 ? ["cpu.weight", weightOf(names.size)] : ["cpu.shares", sharesOf(names.size)];
      for (const name of names) trySetKernelValue(join(folder, name, file), `${value}\n`);
    }
  }
}

/** `cpu.weight` of version 2, from 1 to 10,000. */
function weightOf(attempts: number): number {
  return Math.max(1, Math.round(10_000 / attempts));
}
