import { maskPatterns, minSecretLength } from "./mask-patterns.ts";

/**
 * Masks secrets in text and in streams of bytes: many patterns at once (Aho-Corasick), linear in the length of the stream, on bytes, so
 * that neither a chunk border nor a split character hides a secret. A stream holds back exactly the longest tail that could still become a
 * secret, until the next bytes or the end decide; never by time, because a timer would let half a secret through.
 *
 * A line break inside a secret does not hide it: `base64`, `fold` and mail programs break long texts anywhere. Breaks and the indentation
 * after them are skipped once enough of a long pattern has been read that the end of an ordinary line is not held back.
 */
export interface Masker {
  maskText(text: string): string;
  /** Masks every text inside a JSON value; a number whose digits contain a secret becomes masked text. */
  maskValue(value: unknown): unknown;
  openStream(): MaskStream;
}

export interface MaskStream {
  /** @returns the bytes that are decided so far */
  push(chunk: Buffer): Buffer;
  /** @returns what was held back; nothing may be pushed after it */
  end(): Buffer;
}

const maskBytes = Buffer.from("***");
const nothing = Buffer.alloc(0);

/** @param secrets in clear; those under 4 characters are ignored */
export function createMasker(secrets: readonly string[]): Masker {
  const patterns = secrets.length === 0 ? [] : maskPatterns(secrets);
  const automaton = patterns.length === 0 ? undefined : buildAutomaton(patterns);
  const openStream = (): MaskStream => (automaton === undefined ? openPlainStream() : new AutomatonStream(automaton));
  const mask = (text: string): string => {
    if (automaton === undefined) return text;
    const stream = openStream();
    return Buffer.concat([stream.push(Buffer.from(text, "utf8")), stream.end()]).toString("utf8");
  };
  return { maskText: mask, maskValue: (value) => maskDeep(value, mask), openStream };
}

function maskDeep(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value === "number") return maskNumber(value, mask);
  if (Array.isArray(value)) return value.map((item) => maskDeep(item, mask));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), maskDeep(item, mask)]));
}

function maskNumber(value: number, mask: (text: string) => string): unknown {
  const text = String(value);
  if (text.length < minSecretLength) return value;
  const masked = mask(text);
  return masked === text ? value : masked;
}

interface Automaton {
  /** The transition from the root, by byte; 0 stays there. */
  root: Int32Array;
  /** Next state by `state * 256 + byte`. */
  next: Map<number, number>;
  /** The state of the longest proper suffix that is also a prefix of a pattern. */
  fail: Int32Array;
  /** How many bytes of the tail could still become a secret: what the state has read, or its longest suffix that can continue. */
  hold: Int32Array;
  /** Length of the longest pattern that ends here, or 0. */
  match: Int32Array;
  /** 1 where a line break is skipped: enough has been read, more must follow, and no pattern ends here. */
  isBreakable: Uint8Array;
}

/** Shorter patterns are not searched across line breaks: four digits below each other are no secret. */
const minBrokenLength = 8;
/** What must have been read before the first break, in bytes, and how many different ones: not the dashes of a ruler. */
const minBeforeBreak = { bytes: 4, different: 3 };
/** Bytes of a break with its indentation; more of them end the search, so that what is held back stays bounded. */
const maxBreakBytes = 16;

function buildAutomaton(patterns: readonly string[]): Automaton {
  const states = 1 + patterns.reduce((sum, pattern) => sum + pattern.length, 0);
  const automaton: Automaton = {
    root: new Int32Array(256),
    next: new Map(),
    fail: new Int32Array(states),
    hold: new Int32Array(states),
    match: new Int32Array(states),
    isBreakable: new Uint8Array(states),
  };
  const byDepth = plantPatterns(automaton, patterns);
  linkSuffixes(automaton, byDepth);
  for (let state = 0; state < states; state++) if (automaton.match[state] !== 0) automaton.isBreakable[state] = 0;
  return automaton;
}

/** Builds the tree of all patterns, level by level. @returns its edges as [parent, byte, child], the shallow ones first */
function plantPatterns(automaton: Automaton, patterns: readonly string[]): [number, number, number][] {
  const edges: [number, number, number][] = [];
  const states = new Int32Array(patterns.length);
  let open = patterns.map((pattern, index) => ({ pattern, index, firstBreak: firstBreakOf(pattern) }));
  for (let at = 0; open.length > 0; at++) {
    for (const { pattern, index, firstBreak } of open) {
      const byte = pattern.charCodeAt(at);
      const parent = states[index] ?? 0;
      const known = automaton.next.get(parent * 256 + byte);
      const child = known ?? edges.length + 1;
      if (known === undefined) {
        automaton.next.set(parent * 256 + byte, child);
        automaton.hold[child] = at + 1;
        if (parent === 0) automaton.root[byte] = child;
        edges.push([parent, byte, child]);
      }
      states[index] = child;
      if (at + 1 >= firstBreak) automaton.isBreakable[child] = 1;
      if (pattern.length === at + 1) automaton.match[child] = pattern.length;
    }
    open = open.filter(({ pattern }) => pattern.length > at + 1);
  }
  return edges;
}

/** How many bytes of the pattern must be read before a break may follow. */
function firstBreakOf(pattern: string): number {
  if (pattern.length < minBrokenLength) return pattern.length + 1;
  let length = minBeforeBreak.bytes;
  while (length < pattern.length && new Set(pattern.slice(0, length)).size < minBeforeBreak.different) length += 1;
  return length;
}

function linkSuffixes(automaton: Automaton, edges: readonly [number, number, number][]): void {
  const canGoOn = new Uint8Array(automaton.fail.length);
  for (const [parent] of edges) canGoOn[parent] = 1;
  for (const [parent, byte, child] of edges) {
    const suffix = parent === 0 ? 0 : step(automaton, automaton.fail[parent] ?? 0, byte);
    automaton.fail[child] = suffix;
    if (canGoOn[child] === 0) automaton.hold[child] = automaton.hold[suffix] ?? 0;
    automaton.match[child] = Math.max(automaton.match[child] ?? 0, automaton.match[suffix] ?? 0);
  }
}

function step(automaton: Automaton, from: number, byte: number): number {
  let state = from;
  while (state !== 0) {
    const next = automaton.next.get(state * 256 + byte);
    if (next !== undefined) return next;
    state = automaton.fail[state] ?? 0;
  }
  return automaton.root[byte] ?? 0;
}

function openPlainStream(): MaskStream {
  return { push: (chunk) => chunk, end: () => nothing };
}

interface Interval {
  start: number;
  end: number;
}

class AutomatonStream implements MaskStream {
  readonly #automaton: Automaton;
  #state = 0;
  #held: Buffer = nothing;
  /** How many of the held bytes belong to a mask that is already written. */
  #masked = 0;
  /** Whether the last output was a mask that ends here: adjacent masked text belongs to it. */
  #isCovered = false;
  /** Ranges of `held` to mask, disjoint and in order. */
  #found: Interval[] = [];
  /** Places in `held` of line breaks that were skipped on the way to the state. */
  #skipped: number[] = [];
  /** How many of them are directly before the next byte. */
  #run = 0;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
  }

  push(chunk: Buffer): Buffer {
    const data = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#scan(data, this.#held.length);
    return this.#release(data, this.#startOf(this.#automaton.hold[this.#state] ?? 0, data.length));
  }

  end(): Buffer {
    return this.#release(this.#held, this.#held.length);
  }

  /** Returns what is before `until`, masked, and holds the rest. */
  #release(data: Buffer, until: number): Buffer {
    const parts: Buffer[] = [];
    let cursor = this.#masked;
    for (const { start, end } of this.#found) {
      if (start >= until) break;
      if (start > cursor || (start === cursor && !this.#isCovered)) parts.push(data.subarray(cursor, start), maskBytes);
      cursor = Math.max(cursor, end);
      this.#isCovered = true;
    }
    if (cursor < until) {
      parts.push(data.subarray(cursor, until));
      this.#isCovered = false;
    }
    this.#hold(data, until, cursor);
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  #hold(data: Buffer, from: number, maskedUntil: number): void {
    const later = this.#found.filter(({ start }) => start >= from);
    this.#found = later.map(({ start, end }) => ({ start: start - from, end: end - from }));
    this.#masked = Math.max(0, maskedUntil - from);
    this.#held = Buffer.from(data.subarray(from));
    this.#skipped = this.#skipped.filter((at) => at >= from).map((at) => at - from);
  }

  /** Reads data from `from` on, and adds matches to what was found, disjoint and in order. */
  #scan(data: Buffer, from: number): void {
    const automaton = this.#automaton;
    const { root, match, isBreakable } = automaton;
    let state = this.#state;
    for (let at = from; at < data.length; at++) {
      const byte = data[at] ?? 0;
      if (state === 0) {
        state = root[byte] ?? 0;
        if (state === 0) continue;
      } else {
        const next = step(automaton, state, byte);
        if (next === 0 && isBreakable[state] === 1 && isBreak(byte, this.#run)) {
          this.#skipped.push(at);
          this.#run += 1;
          continue;
        }
        state = next;
        this.#run = 0;
        if (state === 0 && this.#skipped.length > 0) this.#skipped = [];
      }
      const length = match[state] ?? 0;
      if (length > 0) addInterval(this.#found, { start: this.#startOf(length, at + 1), end: at + 1 });
    }
    this.#state = state;
  }

  /** Where the last `length` bytes before `end` begin that are not skipped. */
  #startOf(length: number, end: number): number {
    let start = end - length;
    for (let index = this.#skipped.length - 1; index >= 0 && (this.#skipped[index] ?? 0) >= start; index--) start -= 1;
    return start;
  }
}

/** @param run bytes of the break so far */
function isBreak(byte: number, run: number): boolean {
  if (run >= maxBreakBytes) return false;
  return byte === lineFeed || byte === carriageReturn || (run > 0 && (byte === space || byte === tab));
}

const [tab, lineFeed, carriageReturn, space] = [9, 10, 13, 32];

function addInterval(found: Interval[], interval: Interval): void {
  let { start } = interval;
  for (let last = found.at(-1); last !== undefined && last.end >= start; last = found.at(-1)) {
    start = Math.min(start, last.start);
    found.pop();
  }
  found.push({ start, end: interval.end });
}
