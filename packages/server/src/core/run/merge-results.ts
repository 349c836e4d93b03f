import { lengthOf } from "./result-sizes.ts";
import type { RunResult } from "./run-state.ts";

/** For each name, the newest value wins; names stay in the order of their first appearance. */
function mergeByName(results: readonly RunResult[], more: readonly RunResult[]): RunResult[] {
  const merged = new Map(results.map((result) => [result.name, result]));
  for (const result of more) merged.set(result.name, { ...merged.get(result.name), ...result });
  return [...merged.values()];
}

/** Results that grow one by one, by the same rules: adding one takes the same time, however many there are. */
export class NamedResults {
  readonly list: RunResult[];
  readonly #places: Map<string, number>;
  /** Characters of JSON. */
  #length: number;

  constructor(results: readonly RunResult[]) {
    this.list = mergeByName([], results);
    this.#places = new Map(this.list.map(({ name }, place) => [name, place]));
    // Without the comma that the first element does not need.
    this.#length = this.list.length === 0 ? 1 : lengthOf(this.list);
  }

  /** Adds all of them. If they would become too long together, it changes nothing and returns false. */
  add(more: readonly RunResult[], maxLength: number): boolean {
    const added = mergeByName(
      more.flatMap(({ name }) => this.#find(name) ?? []),
      more,
    );
    const length = added.reduce((sum, result) => sum + jsonLength(result) - jsonLength(this.#find(result.name)), this.#length);
    if (length > maxLength) return false;
    this.#length = length;
    for (const result of added) this.#put(result);
    return true;
  }

  #find(name: string): RunResult | undefined {
    const place = this.#places.get(name);
    return place === undefined ? undefined : this.list[place];
  }

  #put(result: RunResult): void {
    const place = this.#places.get(result.name) ?? this.list.length;
    this.#places.set(result.name, place);
    this.list[place] = result;
  }
}

/** In a list, with the comma. */
function jsonLength(result: RunResult | undefined): number {
  return result === undefined ? 0 : JSON.stringify(result).length + 1;
}
