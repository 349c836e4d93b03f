import { isFinal, type Status } from "@millrace/contract/status.ts";
import { isHeld, needsPlace } from "../run-activity.ts";

/**
 * The items of one forEach node, in order. There may be a hundred thousand of them, and a change of a run writes to a few. So a copy shares
 * all chunks that it does not write to, and the counts that each change needs are kept up to date as items are written.
 *
 * A list that was copied no longer writes in place to the shared chunks: neither list sees what is written to the other.
 */

const chunkSize = 128;

/** The number of items in each state. */
interface Counts {
  /** Not ended. */
  open: number;
  /** Not started. */
  untouched: number;
  /** At a worker, or ready for one. */
  active: number;
  /** Ready, and delayed until the run has a slot. */
  held: number;
  /** Waiting for people. */
  actions: number;
  /** Ended, and neither succeeded nor skipped. */
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
  /** As `compacted` computed it; undefined: the chunk was written to since. */
  weight: number | undefined;
}

export class ItemList<Task extends Item> implements Iterable<Task> {
  readonly length: number;
  readonly #chunks: Chunk<Task>[];
  readonly #counts: Counts;
  /** Indexes of chunks that this list shares with no other. */
  readonly #own: Set<number>;
  /** All items in chunks before this one have started: an item that has started never goes back. */
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

  /** A list with more items at the end. This list does not change. @param tasks in order */
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

  /** The number of items that have started and not ended. */
  get inProgress(): number {
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

  /** The first item that has not started. */
  firstUntouched(): Task | undefined {
    while (this.#chunks[this.#begun]?.untouched === 0) this.#begun += 1;
    return this.#chunks[this.#begun]?.tasks.find(isUntouched);
  }

  *[Symbol.iterator](): Generator<Task> {
    for (const { tasks } of this.#chunks) yield* tasks;
  }

  /** All items that have not ended. */
  *openItems(): Generator<Task> {
    for (const { open, tasks } of this.#chunks) if (open > 0) for (const task of tasks) if (!isFinal(task.status)) yield task;
  }

  /** All items that have started and not ended. */
  *itemsInProgress(): Generator<Task> {
    for (const { open, untouched, tasks } of this.#chunks) {
      if (open > untouched) for (const task of tasks) if (!isFinal(task.status) && !isUntouched(task)) yield task;
    }
  }

  /** Replaces an item with its newer state. */
  put(task: Task): void {
    const { chunk, at } = this.#ownChunk(task);
    const before = chunk.tasks[at];
    if (!before) throw new Error(`there is no item ${task.item} among ${this.length}`);
    this.#count(chunk, countsOf(before), -1);
    chunk.tasks[at] = task;
    this.#count(chunk, countsOf(task), 1);
  }

  /** Changes an item of this list in place, by both patches. @param task the object in this list, which no other list may contain */
  amend(task: Task, patch: Partial<Task>, then?: Partial<Task>): void {
    const { chunk } = this.#ownChunk(task);
    this.#count(chunk, countsOf(task), -1);
    Object.assign(task, patch, then);
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
   * @param compact must not change anything that is counted here
   */
  compacted(compact: (task: Task) => Task, weightOf: (task: Task) => number): ItemList<Task> {
    const chunks = this.#chunks.map((chunk) => {
      if (chunk.weight !== undefined) return chunk;
      const tasks = chunk.tasks.map(compact);
      return { ...chunk, tasks, weight: tasks.reduce((sum, task) => sum + weightOf(task), 0) };
    });
    this.#own.clear();
    return new ItemList(this.length, chunks, new Set());
  }

  /** The total weight of all items, as far as `compacted` has computed it. */
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
