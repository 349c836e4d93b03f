import type { Steps } from "../process/slices.ts";

/** A shorter list is written at once. */
const largeSize = 200;

/** What `JSON.stringify` writes, in steps of one element of a large list, which may be a member at the first two levels. */
export function* jsonSteps(value: unknown, levels = 2): Steps<string | undefined> {
  if (Array.isArray(value) && value.length >= largeSize) return yield* listSteps(value);
  if (levels === 0 || !isPlain(value) || !hasLargeList(value, levels)) return JSON.stringify(value);
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

function hasLargeList(value: object, levels: number): boolean {
  return Object.values(value).some((member) =>
    Array.isArray(member) ? member.length >= largeSize : levels > 1 && isPlain(member) && hasLargeList(member, levels - 1),
  );
}

/** An object whose members are what is written. */
function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype && !("toJSON" in value);
}
