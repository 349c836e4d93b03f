import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Long computations that share the main loop with other requests. They are written as generators that yield after each small part, so that
 * pure code needs to know neither time nor promises: the caller decides whether all parts run at once or in slices.
 */
export type Steps<T> = Generator<undefined, T>;

/** Long enough that the turns in between cost little, and short enough that nobody notices the wait. */
const sliceMs = 10;

/** All parts in one turn of the event loop. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Other work gets its turn after each slice of 10 ms. What takes less is over in this turn. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  let startedAt = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - startedAt < sliceMs) continue;
    await nextTurn();
    startedAt = performance.now();
  }
}

/** Like `flatMap` of a list. */
export function* flatMapSteps<T, R>(items: readonly T[], map: (item: T, index: number) => readonly R[]): Steps<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    for (const result of map(item, index)) results.push(result);
    yield;
  }
  return results;
}

/** A list from this size on is worth turns of its own between the parts of its work. */
const largeSize = 500;

/** Between two parts of the work on a list: others get their turn if the list is large. */
export async function pauseIfLarge(size: number): Promise<void> {
  if (size >= largeSize) await nextTurn();
}

/** A shorter list is written at once. */
const longList = 200;

/** What `JSON.stringify` writes, in steps of one element of a long list, which may be a member at the first two levels. */
export function* jsonSteps(value: unknown, levels = 2): Steps<string | undefined> {
  if (Array.isArray(value) && value.length >= longList) return yield* listSteps(value);
  if (levels === 0 || !isPlain(value) || !hasLongList(value, levels)) return JSON.stringify(value);
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    const text = yield* jsonSteps(member, levels - 1);
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join(",")}}`;
}

function* listSteps(list: readonly unknown[]): Steps<string> {
  const elements: string[] = [];
  for (const element of list) {
    elements.push(JSON.stringify(element) ?? "null");
    yield;
  }
  return `[${elements.join(",")}]`;
}

function hasLongList(value: object, levels: number): boolean {
  return Object.values(value).some((member) =>
    Array.isArray(member) ? member.length >= longList : levels > 1 && isPlain(member) && hasLongList(member, levels - 1),
  );
}

/** An object whose members are what is written. */
function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype && !("toJSON" in value);
}
