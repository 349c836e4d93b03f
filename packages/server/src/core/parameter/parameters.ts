import { type AbstractParam, type ParamKind, paramKind, type RunParam } from "@millrace/contract/common.ts";
import { looksLikeJson, substituteJsonText } from "./parameters-json-text.ts";
import { type Lookup, type ParameterSource, type ParameterWarning, Substitution } from "./parameters-substitution.ts";
import { type Found, isInOrder, type ScopedLayer, scanReferences } from "./references.ts";

/**
 * Substitution of references by values (docs/parameters.md). It is one pass: references in inserted values are never replaced, so text from
 * outside stays text. It works on values, never on their JSON, so types are preserved. It never throws, whatever the input.
 */

/** Values by name. Null and undefined count as absent, so they do not hide a lower layer. */
export type Layer = Readonly<Record<string, unknown>>;

export interface ParameterScope {
  global?: Layer;
  team?: Layer;
  workflow?: Layer;
  /** The task's own parameters, and those that only it has (`item`, `item-index`). Only `$(params.NAME)` can reach them. */
  task?: Layer;
  context?: Layer;
  /** Parameters of the layer workflow that have no value to continue with, each with why. */
  unresolved?: Readonly<Record<string, string>>;
  result?(task: string, name: string): Lookup;
  /** In a round: looks up what it can read about its loop. If not found without `why`, there is no warning. */
  loop?(name: string): Lookup;
  /** Looks up `results.NAME.path`, `workspaces.NAME.path` and similar, as words. If not found without `why`, there is no warning. */
  extra?(words: readonly string[]): Lookup;
}

/** The kind of value that a parameter should have. `any`: whatever its references resolve to. */
export type TargetKind = ParamKind | "any";

export interface Resolved<T> {
  value: T;
  warnings: ParameterWarning[];
}

export interface ResolvedParams {
  params: { name: string; value: unknown }[];
  warnings: ParameterWarning[];
  /** Not everything fit: the values of references have more than `maxNodeParamsLength` characters together. */
  isOverfull: boolean;
}

/** Numbers and booleans accept any value; everything else that a form shows as text is text. */
function targetKind(type: string | undefined): TargetKind {
  return type === "number" || type === "boolean" ? "any" : paramKind(type);
}

/** Text with each reference replaced: texts are inserted as they are, other values as JSON. */
export function resolveText(text: string, scope: ParameterScope): Resolved<string> {
  const { value, warnings } = resolveValue(text, "string", scope);
  return { value: value as string, warnings };
}

/** A value with the references in all its texts replaced; everything else keeps its type. */
export function resolveValue(value: unknown, kind: TargetKind, scope: ParameterScope): Resolved<unknown> {
  const substitution = new Substitution(sourceOf(scope));
  return { value: substitute(value, kind, substitution), warnings: substitution.warnings };
}

/**
 * The parameters of a task run: declared defaults overridden by the values of the node, with references replaced in both. Parameters may
 * refer to each other. A reference of a parameter to its own name means the layer below, so `name: $(params.name)` passes on the workflow's
 * parameter. Undeclared parameters are kept; parameters without a value are left out.
 */
export function resolveParams(given: readonly RunParam[], declared: readonly AbstractParam[], scope: ParameterScope): ResolvedParams {
  return resolveOwn(scope, declared, given, "task");
}

/**
 * The parameters of a run: declared defaults, with their references replaced, overridden by the values of the request, which come from
 * outside and are never changed.
 */
export function resolveRunParams(given: readonly RunParam[], declared: readonly AbstractParam[], scope: ParameterScope): ResolvedParams {
  return resolveOwn(scope, declared, given, "workflow");
}

function resolveOwn(...parts: ConstructorParameters<typeof OwnParams>): ResolvedParams {
  const [, declared, given] = parts;
  if (declared.length === 0 && given.length === 0) return { params: [], warnings: [], isOverfull: false };
  return new OwnParams(...parts).resolveAll();
}

/** Deeper is left as it is; documents that deep are refused everywhere anyway. */
const maxDepth = 64;

function substitute(value: unknown, kind: TargetKind, substitution: Substitution, depth = 0): unknown {
  if (typeof value === "string") return substituteString(value, kind, substitution);
  if (value === null || typeof value !== "object" || depth >= maxDepth) return value;
  substitution.nesting += 1;
  const result = substituteInside(value, substitution, depth);
  substitution.nesting -= 1;
  return result;
}

function substituteInside(value: object, substitution: Substitution, depth: number): unknown {
  if (Array.isArray(value)) {
    // The list of a forEach: to take each of 100,000 elements apart would hold up everything else.
    if (value.every(isPlain)) return [...value];
    return value.flatMap((element) => substituteElement(element, substitution, depth));
  }
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, substitute(child, "any", substitution, depth + 1)]));
}

/** A value in which there is nothing to replace. */
function isPlain(value: unknown): boolean {
  return typeof value === "string" ? !value.includes("$(") : value === null || typeof value !== "object";
}

function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** One element of a list; `$(params.list[*])` is replaced by all elements of that list. */
function substituteElement(element: unknown, substitution: Substitution, depth: number): unknown[] {
  const result = substitute(element, "any", substitution, depth + 1);
  return Array.isArray(result) && typeof element === "string" && element.endsWith("[*])") ? result : [result];
}

function substituteString(text: string, kind: TargetKind, substitution: Substitution): unknown {
  if (!text.includes("$(")) return text;
  const all = scanReferences(text);
  if (!isInOrder(text, all)) substitution.noteMisspelt(text);
  if (all.length === 0) return text;
  if (kind !== "string") {
    const whole = wholeReference(text, all, kind);
    if (whole) {
      const target = substitution.value(whole);
      if (!target) return text;
      return kind === "any" ? target.value : substitution.asStructure(target.value);
    }
    if (kind !== "any" && looksLikeJson(text)) return substituteJsonText(text, all, substitution);
  }
  return splice(text, all, substitution);
}

/** The reference, if the text consists of one; for lists and objects, spaces around it are allowed. */
function wholeReference(text: string, all: readonly Found[], kind: TargetKind): Found | undefined {
  const [first] = all;
  if (!first?.reference) return undefined;
  const around = text.slice(0, first.start) + text.slice(first.end);
  return around === "" || (kind !== "any" && around.trim() === "") ? first : undefined;
}

function splice(text: string, all: readonly Found[], substitution: Substitution): string {
  const parts: string[] = [];
  let at = 0;
  for (const found of all) {
    const put = substitution.text(found);
    if (put === undefined) continue;
    parts.push(text.slice(at, found.start), put);
    at = found.end;
  }
  return parts.join("") + text.slice(at);
}

function sourceOf(scope: ParameterScope): ParameterSource {
  return {
    param: (layer, name) => (layer ? own(layerOf(scope, layer), name) : flat(scope, name)),
    brokenParam: (layer, name) => broken(scope, layer, name),
    hasParam: (layer, name) => (layer === undefined ? flatLayers : [layer]).some((each) => isIn(layerOf(scope, each), name)),
    result: (task, name) => scope.result?.(task, name) ?? { found: false },
    loop: (name) => scope.loop?.(name) ?? { found: false },
    extra: (words) => scope.extra?.(words) ?? { found: false },
  };
}

function layerOf(scope: ParameterScope, layer: ScopedLayer | "task"): Layer | undefined {
  return layer === "loop" ? undefined : scope[layer];
}

/** Why the parameter that a reference finds in the workflow layer has no usable value. */
function broken(scope: ParameterScope, layer: ScopedLayer | undefined, name: string): string | undefined {
  if (!scope.unresolved || !Object.hasOwn(scope.unresolved, name) || (layer !== undefined && layer !== "workflow")) return undefined;
  const isHidden = layer === undefined && [scope.context, scope.task].some((higher) => own(higher, name) !== undefined);
  return isHidden ? undefined : scope.unresolved[name];
}

/** From the highest layer down. */
const flatLayers = ["context", "task", "workflow", "team", "global"] as const;

function flat(scope: ParameterScope, name: string, taskParam?: (name: string) => unknown): unknown {
  for (const layer of flatLayers) {
    const value = (layer === "task" ? taskParam?.(name) : undefined) ?? own(scope[layer], name);
    if (value !== undefined) return value;
  }
  return undefined;
}

function isIn(layer: Layer | undefined, name: string): boolean {
  return layer !== undefined && Object.hasOwn(layer, name);
}

function own(layer: Layer | undefined, name: string): unknown {
  return layer && Object.hasOwn(layer, name) ? (layer[name] ?? undefined) : undefined;
}

/**
 * Limits of chains of parameters that refer to each other, and of their total nesting: less than the stack allows, and more than anyone
 * needs.
 */
const maxChain = 50;
const maxNesting = 250;

/**
 * Parameters of one task or run, which may refer to each other; each is resolved once. The parameters of a run are the workflow layer; only
 * their declared defaults are resolved.
 */
class OwnParams {
  readonly #pending = new Map<string, { value: unknown; kind: TargetKind }>();
  readonly #done = new Map<string, unknown>();
  readonly #inProgress = new Set<string>();
  readonly #names: Set<string>;
  readonly #substitution: Substitution;

  constructor(scope: ParameterScope, declared: readonly AbstractParam[], given: readonly RunParam[], ownLayer: "task" | "workflow") {
    this.#names = new Set([...declared, ...given].map((param) => param.name));
    const kinds = new Map(declared.map((param) => [param.name, targetKind(param.type)]));
    for (const param of declared) this.#pending.set(param.name, { value: param.default ?? param.value, kind: targetKind(param.type) });
    for (const { name, value } of given) {
      if (value === null || value === undefined) continue;
      if (ownLayer === "workflow") this.#done.set(name, value);
      else this.#pending.set(name, { value, kind: kinds.get(name) ?? "any" });
    }
    const outer = sourceOf(scope);
    this.#substitution = new Substitution({
      ...outer,
      param: (layer, name) => this.#find(scope, layer, name, ownLayer),
      // The parameter itself has precedence over the workflow's, unless it is being resolved right now.
      brokenParam: (layer, name) =>
        layer === undefined && this.#names.has(name) && !this.#inProgress.has(name) ? undefined : outer.brokenParam(layer, name),
      // A reference of a parameter to itself means the layer below, so it must exist there.
      hasParam: (layer, name) => (this.#isOwn(layer, name, ownLayer) && !this.#inProgress.has(name)) || outer.hasParam(layer, name),
    });
  }

  resolveAll(): ResolvedParams {
    const all = [...this.#names].map((name) => ({ name, value: this.#resolve(name) }));
    return {
      params: all.filter(({ value }) => value !== undefined),
      warnings: this.#substitution.warnings,
      isOverfull: this.#substitution.isOverfull,
    };
  }

  #isOwn(layer: ScopedLayer | undefined, name: string, ownLayer: "task" | "workflow"): boolean {
    return (layer === undefined || layer === ownLayer) && this.#names.has(name);
  }

  #find(scope: ParameterScope, layer: ScopedLayer | undefined, name: string, ownLayer: "task" | "workflow"): unknown {
    if (!layer) return flat(scope, name, (own) => this.#resolve(own));
    return (layer === ownLayer ? this.#resolve(name) : undefined) ?? own(layerOf(scope, layer), name);
  }

  /** Undefined if the name is unknown, has no value, or is being resolved right now (it refers to itself). */
  #resolve(name: string): unknown {
    if (this.#done.has(name)) return this.#done.get(name);
    const entry = this.#pending.get(name);
    if (!entry || this.#inProgress.has(name) || this.#inProgress.size >= maxChain || this.#substitution.nesting >= maxNesting)
      return undefined;
    const outer = this.#substitution.param;
    this.#inProgress.add(name);
    this.#substitution.param = name;
    const value = substitute(entry.value ?? undefined, entry.kind, this.#substitution);
    this.#substitution.param = outer;
    this.#inProgress.delete(name);
    this.#done.set(name, value);
    return value;
  }
}
