import { isFinal, type Status } from "@millrace/contract/status.ts";
import { isHeld, needsPlace } from "../run-activity.ts";

/**
 * The items of one forEach node, in order. A change of a run writes to a few of what may be a hundred thousand, so a copy shares all
 * chunks that it does not write to, and what is asked at each change is counted as items are written.
 *
 * A list that was copied no longer writes in place to what it shares: neither sees what the other one writes.
 */

const chunkSize = 128;

/** How many items are in what state. */
interface Counts {
  /** Not over. */
  open: number;
  /** Not begun. */
  untouched: number;
  /** At a worker, or ready for one. */
  active: number;
  /** Ready, and delayed until the run has a slot. */
  held: number;
  /** Waiting for people. */
  actions: number;
  /** Over, and neither succeeded nor skipped. */
  failed: number;
}

/** What is examined of a task run. */
interface Item {
  item: number | null;
  readonly status: Status;
  executor: unknown;
  waitKind: string | null;
}

interface Chunk<Task> extends Counts {
  readonly tasks: Task[];
  /** As `lightened` has found it; undefined: written to since. */
  weight: number | undefined;
}

export class ItemList<Task extends Item> implements Iterable<Task> {
  readonly length: number;
  readonly #chunks: Chunk<Task>[];
  readonly #counts: Counts;
  /** Places of chunks that no other list has. */
  readonly #own: Set<number>;
  /** No chunk before this place has an item that has not begun: what has begun never is as if it had not. */
  #begun = 0;

  constructor(length: number, chunks: Chunk<Task>[], own: Set<number>) {
    this.length = length;
    this.#chunks = chunks;
    this.#own = own;
    this.#counts = noItems();
    for (const chunk of chunks) add(this.#counts, chunk, 1);
  }

  /** @param tasks all items, in order */
  static of<Task extends Item>(tasks: readonly Task[]): ItemList<Task> {
    const chunks: Chunk<Task>[] = [];
    for (let start = 0; start < tasks.length; start += chunkSize) chunks.push(chunkOf(tasks.slice(start, start + chunkSize)));
    return new ItemList(tasks.length, chunks, new Set(chunks.keys()));
  }

  /** With more items behind the last one. This list does not change. @param tasks in order */
  extended(tasks: readonly Task[]): ItemList<Task> {
    const { length, chunks } = { length: this.length + tasks.length, chunks: [...this.#chunks] };
    const last = this.length % chunkSize === 0 ? undefined : chunks.pop();
    const kept = chunks.length;
    const more = [...(last?.tasks ?? []), ...tasks];
    for (let start = 0; start < more.length; start += chunkSize) chunks.push(chunkOf(more.slice(start, start + chunkSize)));
    this.#own.clear();
    return new ItemList(length, chunks, new Set([...chunks.keys()].slice(kept)));
  }

  copy(): ItemList<Task> {
    this.#own.clear();
    return new ItemList(this.length, [...this.#chunks], new Set());
  }

  get open(): number {
    return this.#counts.open;
  }

  /** Begun and not over. */
  get underWay(): number {
    return this.#counts.open - this.#counts.untouched;
  }

  get isActive(): boolean {
    return this.#counts.active > 0;
  }

  get hasHeld(): boolean {
    return this.#counts.held > 0;
  }

  get hasActions(): boolean {
    return this.#counts.actions > 0;
  }

  get failed(): number {
    return this.#counts.failed;
  }

  at(index: number): Task | undefined {
    return this.#chunks[Math.floor(index / chunkSize)]?.tasks[index % chunkSize];
  }

  /** The first that has not begun. */
  firstUntouched(): Task | undefined {
    while (this.#chunks[this.#begun]?.untouched === 0) this.#begun += 1;
    return this.#chunks[this.#begun]?.tasks.find(isUntouched);
  }

  *[Symbol.iterator](): Generator<Task> {
    for (const { tasks } of this.#chunks) yield* tasks;
  }

  /** All that are not over. */
  *openItems(): Generator<Task> {
    for (const { open, tasks } of this.#chunks) if (open > 0) for (const task of tasks) if (!isFinal(task.status)) yield task;
  }

  /** All that have begun and are not over. */
  *itemsUnderWay(): Generator<Task> {
    for (const { open, untouched, tasks } of this.#chunks) {
      if (open > untouched) for (const task of tasks) if (!isFinal(task.status) && !isUntouched(task)) yield task;
    }
  }

  /** Writes the newer state of one item. */
  put(task: Task): void {
    const { chunk, at } = this.#ownChunk(task);
    const before = chunk.tasks[at];
    if (!before) throw new Error(`there is no item ${task.item} among ${this.length}`);
    this.#count(chunk, countsOf(before), -1);
    chunk.tasks[at] = task;
    this.#count(chunk, countsOf(task), 1);
  }

  /** Changes an item of this list in place. @param task the object that the list holds, which no other list has */
  amend(task: Task, patch: Partial<Task>): void {
    const { chunk } = this.#ownChunk(task);
    this.#count(chunk, countsOf(task), -1);
    Object.assign(task, patch);
    this.#count(chunk, countsOf(task), 1);
  }

  #ownChunk({ item }: Task): { chunk: Chunk<Task>; at: number } {
    const index = item ?? -1;
    const place = Math.floor(index / chunkSize);
    const present = this.#chunks[place];
    if (!present) throw new Error(`there is no item ${index} among ${this.length}`);
    const chunk = this.#own.has(place) ? present : { ...present, tasks: [...present.tasks] };
    this.#own.add(place);
    this.#chunks[place] = chunk;
    chunk.weight = undefined;
    return { chunk, at: index % chunkSize };
  }

  #count(chunk: Counts, counts: Counts, sign: 1 | -1): void {
    add(chunk, counts, sign);
    add(this.#counts, counts, sign);
  }

  /**
   * The same items without what is not to be kept. Only what was written since the last time is examined.
   *
   * @param lighten must change nothing that is counted here
   */
  lightened(lighten: (task: Task) => Task, weightOf: (task: Task) => number): ItemList<Task> {
    const chunks = this.#chunks.map((chunk) => {
      if (chunk.weight !== undefined) return chunk;
      const tasks = chunk.tasks.map(lighten);
      return { ...chunk, tasks, weight: tasks.reduce((sum, task) => sum + weightOf(task), 0) };
    });
    this.#own.clear();
    return new ItemList(this.length, chunks, new Set());
  }

  /** Of all items, as far as `lightened` has found it. */
  get weight(): number {
    return this.#chunks.reduce((sum, { weight = 0 }) => sum + weight, 0);
  }
}

function chunkOf<Task extends Item>(tasks: Task[]): Chunk<Task> {
  const chunk: Chunk<Task> = { tasks, weight: undefined, ...noItems() };
  for (const task of tasks) add(chunk, countsOf(task), 1);
  return chunk;
}

function noItems(): Counts {
  return { open: 0, untouched: 0, active: 0, held: 0, actions: 0, failed: 0 };
}

function countsOf(task: Item): Counts {
  return {
    open: isFinal(task.status) ? 0 : 1,
    untouched: isUntouched(task) ? 1 : 0,
    active: needsPlace(task) ? 1 : 0,
    held: isHeld(task) ? 1 : 0,
    actions: task.waitKind === "action" ? 1 : 0,
    failed: isFinal(task.status) && task.status !== "succeeded" && task.status !== "skipped" ? 1 : 0,
  };
}

function add(counts: Counts, more: Counts, sign: 1 | -1): void {
  counts.open += sign * more.open;
  counts.untouched += sign * more.untouched;
  counts.active += sign * more.active;
  counts.held += sign * more.held;
  counts.actions += sign * more.actions;
  counts.failed += sign * more.failed;
}

function isUntouched({ status }: Item): boolean {
  return status === "notstarted";
}
