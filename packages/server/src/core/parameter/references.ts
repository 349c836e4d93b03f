import { shorten } from "../../base/text/shorten.ts";
/**
 * Finds references in text: `$(params.NAME.path)`, `$(team.params.NAME)`, `$(tasks.TASK NAME.results.RESULT.path)` and so on;
 * docs/parameters.md has the whole list. Only text that begins like one of these forms is examined, so a shell's own `$( … )`
 * is left alone, and a reference inside one is found. Time is linear in the text: a scan that fails continues behind its `$(`,
 * and what it had read can hold no other beginning.
 */

/** `loop` has the values of a round and is not a layer of parameters: a reference without a layer never means it. */
export type ScopedLayer = "global" | "team" | "workflow" | "context" | "loop";
/** A member name, or the index of a list. */
export type PathStep = string | number;

interface Anchored {
  /** As written, `$(` and `)` included. */
  text: string;
  path: PathStep[];
  /** Ends in `[*]`: all elements; in a list, each becomes an element of its own. */
  spread: boolean;
}

/** A parameter of one layer or, if layer is undefined, of the highest layer that has it. */
export interface ParamReference extends Anchored {
  kind: "param";
  layer: ScopedLayer | undefined;
  name: string;
}

/** A result of another task of the run. */
export interface ResultReference extends Anchored {
  kind: "result";
  task: string;
  name: string;
}

/** What only the executor knows: `$(results.NAME.path)`, `$(workspaces.NAME.path)`, `$(context.taskRun.name)` and similar. */
export interface PlaceReference {
  kind: "place";
  text: string;
  words: string[];
  /** Ends in `[*]`, as only results of steps can. */
  spread?: true;
}

export type Reference = ParamReference | ResultReference | PlaceReference;

/** A reference and its position in the text. */
export interface FoundReference {
  start: number;
  end: number;
  reference: Reference;
  problem?: undefined;
}
/** Text that begins like a reference but is none; `text` is its beginning. */
export interface MalformedReference {
  start: number;
  end: number;
  reference?: undefined;
  text: string;
  problem: string;
}
export type Found = FoundReference | MalformedReference;

/** All references of a text, in order, without overlap. */
export function scanReferences(text: string): Found[] {
  const all: Found[] = [];
  let start = text.indexOf("$(");
  while (start !== -1) {
    const found = readReference(text, start);
    if (found) all.push(found);
    start = text.indexOf("$(", found?.reference ? found.end : start + 2);
  }
  return all;
}

/** All references in the texts of a value, at any depth, each spelling once. Malformed ones are left out. */
export function findReferences(value: unknown): Reference[] {
  const references = new Map<string, Reference>();
  for (const text of textsOf(value)) {
    for (const { reference } of scanReferences(text)) if (reference) references.set(reference.text, reference);
  }
  return [...references.values()];
}

/** All texts of a value, at any depth. */
export function textsOf(value: unknown): string[] {
  const texts: string[] = [];
  const pending: unknown[] = [value];
  const seen = new Set<unknown>();
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === "string") texts.push(next);
    else if (next !== null && typeof next === "object" && !seen.has(next)) {
      seen.add(next);
      for (const child of Object.values(next)) pending.push(child);
    }
  }
  return texts;
}

/** References to this name find the end of a graph, whatever its node is called. */
export const endTask = "end";

const flatRoot = /(?:inputs\.)?params(?=[.[])/y;
const layerRoot = /(global|team|workflow|context)\.params(?=[.[])/y;
const taskRoot = /tasks?(?=[.[])/y;
const placeRoot = /(results|workspaces|steps?|context|credentials)(?=\.)/y;
/** What handlers can read about their run, after `$(run.`. */
export const outcomeNames = ["status", "reason", "message", "tasks", "notUndone"] as const;
const runRoot = new RegExp(String.raw`run(?=\.(?:${outcomeNames.join("|")})[.[)])`, "y");
/** What a round can read about its loop, after `$(loop.`. */
const loopRoot = /loop(?=\.(?:index|previous)[.[)])/y;
/** The results of the round before: the prefix of their names in the layer `loop`. */
export const previousResults = "previous.results.";
export const previousStatus = "previous.status";
const allParams = "allParams)";

function readReference(text: string, start: number): Found | undefined {
  const at = start + 2;
  const flat = match(flatRoot, text, at);
  if (flat) return readParam(text, start, at + flat[0].length, undefined);
  const layer = match(layerRoot, text, at);
  if (layer) return readParam(text, start, at + layer[0].length, layer[1] as ScopedLayer);
  const task = match(taskRoot, text, at);
  if (task) return readResult(text, start, at + task[0].length);
  const run = match(runRoot, text, at);
  if (run) return readRun(text, start, at + run[0].length);
  const loop = match(loopRoot, text, at);
  if (loop) return readLoop(text, start, at + loop[0].length);
  const place = match(placeRoot, text, at);
  if (place) return readPlace(text, start, at + place[0].length, place[1] as string);
  if (!text.startsWith(allParams, at)) return undefined;
  return malformed(text, start, at + allParams.length, "allParams is not supported: it would put every secret into one text");
}

function readParam(text: string, start: number, at: number, layer: ScopedLayer | undefined): Found {
  const tail = readTail(text, at);
  if ("failedAt" in tail) return malformed(text, start, tail.failedAt, unclosed);
  const [name, ...path] = tail.steps;
  if (typeof name !== "string") return malformed(text, start, tail.end, "the name of a parameter must follow: $(params.NAME)");
  const reference: Reference = { kind: "param", text: text.slice(start, tail.end), layer, name, path, spread: tail.spread };
  return { start, end: tail.end, reference };
}

function readResult(text: string, start: number, at: number): Found {
  const tail = readTail(text, at);
  if ("failedAt" in tail) return malformed(text, start, tail.failedAt, unclosed);
  const [task, word, name, ...path] = tail.steps;
  if (typeof task !== "string" || word !== "results" || typeof name !== "string") {
    return malformed(
      text,
      start,
      tail.end,
      "a result is $(tasks.TASK.results.RESULT); put a name with a dot in brackets: $(tasks['v1.2'].results.RESULT)",
    );
  }
  const reference: Reference = { kind: "result", text: text.slice(start, tail.end), task, name, path, spread: tail.spread };
  return { start, end: tail.end, reference };
}

/** The outcome is in the results of the end node (core/run/handlers/run-outcome.ts), whatever that is called. */
function readRun(text: string, start: number, at: number): Found {
  const tail = readTail(text, at);
  if ("failedAt" in tail) return malformed(text, start, tail.failedAt, unclosed);
  const [name, ...path] = tail.steps as [string, ...PathStep[]];
  const reference: Reference = { kind: "result", text: text.slice(start, tail.end), task: endTask, name, path, spread: tail.spread };
  return { start, end: tail.end, reference };
}

function readLoop(text: string, start: number, at: number): Found {
  const tail = readTail(text, at);
  if ("failedAt" in tail) return malformed(text, start, tail.failedAt, unclosed);
  const read = loopName(tail.steps);
  if (read === undefined) {
    const known = "of a loop there are $(loop.index), $(loop.previous.status) and $(loop.previous.results.RESULT)";
    return malformed(text, start, tail.end, known);
  }
  const reference: Reference = { kind: "param", text: text.slice(start, tail.end), layer: "loop", ...read, spread: tail.spread };
  return { start, end: tail.end, reference };
}

function loopName([first, second, third, ...path]: readonly PathStep[]): { name: string; path: PathStep[] } | undefined {
  if (first === "index") return second === undefined ? { name: first, path: [] } : undefined;
  if (second === "status") return third === undefined ? { name: previousStatus, path: [] } : undefined;
  return second === "results" && typeof third === "string" ? { name: `${previousResults}${third}`, path } : undefined;
}

function readPlace(text: string, start: number, at: number, root: string): Found | undefined {
  const tail = readTail(text, at);
  if ("failedAt" in tail || (tail.spread && root !== "steps")) return undefined;
  const words = [root, ...tail.steps.map(String)];
  const reference: Reference = { kind: "place", text: text.slice(start, tail.end), words, ...(tail.spread && { spread: true }) };
  return { start, end: tail.end, reference };
}

const unclosed = "it is malformed: names follow a dot or are in brackets ['a.b'], [0], and ) closes it";

function malformed(text: string, start: number, end: number, problem: string): Found {
  return { start, end, text: text.slice(start, Math.min(end, start + 100)), problem };
}

/** `.name` or `["name"]` or `['name']` or `[3]`; a last `[*]` is the spread. */
const dotted = /\.([^.()[\]\p{Cc}]{1,500})/uy;
const bracket = /\[(?:'([^'\p{Cc}]{1,500})'|"([^"\p{Cc}]{1,500})"|(\d{1,9}))\]/uy;
const spreadEnd = "[*])";
const maxSteps = 64;

type Tail = { steps: PathStep[]; spread: boolean; end: number } | { failedAt: number };

function readTail(text: string, from: number): Tail {
  const steps: PathStep[] = [];
  let at = from;
  while (steps.length < maxSteps) {
    if (text[at] === ")") return { steps, spread: false, end: at + 1 };
    if (text.startsWith(spreadEnd, at)) return { steps, spread: true, end: at + spreadEnd.length };
    const step = match(dotted, text, at) ?? match(bracket, text, at);
    if (!step) return { failedAt: at };
    steps.push(step[3] === undefined ? ((step[1] ?? step[2]) as string) : Number(step[3]));
    at += step[0].length;
  }
  return { failedAt: at };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const plainName = /^[^.()[\]'"\s\p{Cc}]+(?: +[^.()[\]'"\s\p{Cc}]+)*$/u;

/** How a name is written after its parent: `.name`, or in brackets if it contains dots or brackets itself. */
export function writeStep(name: string): string {
  if (plainName.test(name)) return `.${name}`;
  return name.includes("'") ? `["${name}"]` : `['${name}']`;
}

/**
 * The context parameter that holds callback addresses by topic. With such an address, an external system can complete a wait of the run
 * without a token. The topics are those that the tasks of the workflow refer to: `$(context.params.callback-url.paid)` is the address for
 * the topic `paid`.
 */
export const callbackParameter = "callback-url";

/** The most common case, which needs no closer look: the text has only well-formed references. */
export function isInOrder(text: string, found: readonly Found[]): boolean {
  return text.split("$(").length - 1 === found.filter(({ reference }) => reference !== undefined && reference.kind !== "place").length;
}

export type PathEnd = { found: true; value: unknown } | { found: false; why: string };

/**
 * Follows a path into a value: own members and indexes only, nothing inherited. A text on the way is read as JSON.
 * @param parse parses JSON text to a value; undefined if it is not JSON
 */
export function followPath(value: unknown, path: readonly PathStep[], parse: (text: string) => unknown = parseJson): PathEnd {
  let current = value;
  for (const [index, step] of path.entries()) {
    if (typeof current === "string") current = parse(current);
    const child = childOf(current, step);
    if (child === undefined) return { found: false, why: `it has no ${describe(path.slice(0, index + 1))}` };
    current = child;
  }
  return { found: true, value: current };
}

function childOf(value: unknown, step: PathStep): unknown {
  if (value === null || typeof value !== "object") return undefined;
  if (Array.isArray(value)) return isIndex(step) ? value[Number(step)] : undefined;
  return Object.hasOwn(value, step) ? (value as Record<PathStep, unknown>)[step] : undefined;
}

function isIndex(step: PathStep): boolean {
  return typeof step === "number" || /^\d{1,9}$/.test(step);
}

function describe(path: readonly PathStep[]): string {
  const text = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  return shorten(text, 100);
}

/** Parses JSON objects and lists only: other values have no parts that a path could select. */
export function parseJson(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
