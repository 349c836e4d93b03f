import { escapePointer, unescapePointer } from "@millrace/contract/json-pointer.ts";
import { namedSchemas } from "@millrace/contract/schema.ts";
import type { TSchema } from "typebox";

/**
 * To list the faults of a value takes a hundred times as long as to check it. A request with a list of ten thousand items, one of them
 * wrong, would hold up all others meanwhile. So the items that are right are left out of long lists first, and members of large objects:
 * the faults of the rest are the same, at other places. `placeOf` gives their places in the whole value.
 *
 * `faults` are those that the rest does not show: that a list or an object is too large.
 */
export interface ShortValue {
  value: unknown;
  faults: SizeFault[];
  /** @param path a JSON pointer into the short value */
  placeOf(path: string): string;
}

export interface SizeFault {
  keyword: "maxItems" | "maxProperties";
  instancePath: string;
  params: { limit: number };
  message: string;
}

/** What of JSON Schema matters here; the contract uses no other keyword that depends on how many items or members there are. */
interface SchemaPart {
  $ref?: string;
  type?: unknown;
  anyOf?: readonly SchemaPart[];
  items?: SchemaPart;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Readonly<Record<string, SchemaPart>>;
  patternProperties?: Readonly<Record<string, SchemaPart>>;
  additionalProperties?: SchemaPart | boolean;
  maxProperties?: number;
  propertyNames?: SchemaPart;
}

/** Up to this many items or members stay: to find those that fit would cost more than to list their faults. */
const few = 64;
/** As many faults as are listed at most. */
const mostFaults = 8;

type Fits = (schema: TSchema, value: unknown) => boolean;

export function shortenValue(schema: TSchema, value: unknown, fits: Fits): ShortValue {
  const shortening = new Shortening(fits);
  const short = shortening.shorten(schema as SchemaPart, value, "");
  return { value: short, faults: shortening.faults, placeOf: (path) => placeIn(short, shortening.indices, path) };
}

class Shortening {
  readonly faults: SizeFault[] = [];
  /** By shortened list: where each of its items was. */
  readonly indices = new Map<unknown, readonly number[]>();
  readonly #fits: Fits;

  constructor(fits: Fits) {
    this.#fits = fits;
  }

  shorten(schema: SchemaPart, value: unknown, path: string): unknown {
    if (typeof value !== "object" || value === null) return value;
    const part = partFor(schema, value);
    if (part === undefined) return value;
    if (!Array.isArray(value)) return this.#shortenObject(part, value as Record<string, unknown>, path);
    return part.items === undefined || part.uniqueItems ? value : this.#shortenList(part, part.items, value, path);
  }

  #shortenList(part: SchemaPart, items: SchemaPart, list: readonly unknown[], path: string): unknown[] {
    const shown = list.slice(0, part.maxItems);
    if (shown.length < list.length) this.#addSizeFault("maxItems", path, part.maxItems!, "items");
    if (list.length <= few) return list.map((item, index) => this.shorten(items, item, `${path}/${index}`));
    const kept: number[] = [];
    // A list must not become shorter than it has to be.
    let toFill = part.minItems ?? 0;
    for (const [index, item] of shown.entries()) {
      if (kept.length >= Math.max(mostFaults, part.minItems ?? 0)) break;
      if (toFill-- <= 0 && this.#fits(items as TSchema, item)) continue;
      kept.push(index);
    }
    const short = kept.map((index) => this.shorten(items, list[index], `${path}/${index}`));
    this.indices.set(short, kept);
    return short;
  }

  #shortenObject(part: SchemaPart, object: Readonly<Record<string, unknown>>, path: string): unknown {
    const names = Object.keys(object);
    const limit = part.maxProperties;
    const isTooLarge = limit !== undefined && names.length > Math.max(limit, few);
    if (isTooLarge) this.#addSizeFault("maxProperties", path, limit, "properties");
    const { properties = {} } = part;
    const patterns = Object.entries(part.patternProperties ?? {}).map(([pattern, inner]) => [new RegExp(pattern, "u"), inner] as const);
    const kept: [string, unknown][] = [];
    let others = 0;
    for (const name of isTooLarge && part.properties === undefined ? names.slice(0, limit) : names) {
      const value = object[name];
      const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (inner !== undefined) kept.push([name, this.shorten(inner, value, `${path}/${escapePointer(name)}`)]);
      else if (names.length <= few || (others < mostFaults && !this.#isFree(part, patterns, name, value))) {
        others++;
        kept.push([name, value]);
      }
    }
    return Object.fromEntries(kept);
  }

  /** Whether a member that is not declared by its name can have no fault. */
  #isFree(part: SchemaPart, patterns: (readonly [RegExp, SchemaPart])[], name: string, value: unknown): boolean {
    const matching = patterns.filter(([pattern]) => pattern.test(name));
    if (part.propertyNames !== undefined && !this.#fits(part.propertyNames as TSchema, name)) return false;
    if (!matching.every(([, inner]) => this.#fits(inner as TSchema, value))) return false;
    const more = part.additionalProperties ?? true;
    if (matching.length > 0 || more === true) return true;
    return more !== false && this.#fits(more as TSchema, value);
  }

  #addSizeFault(keyword: SizeFault["keyword"], instancePath: string, limit: number, what: string): void {
    this.faults.push({ keyword, instancePath, params: { limit }, message: `must not have more than ${limit} ${what}` });
  }
}

/** The part of a schema that describes a list or an object; undefined if it depends on more than that which part it is. */
function partFor(schema: SchemaPart, value: object): SchemaPart | undefined {
  if (schema.$ref !== undefined) {
    const named = namedSchemas().get(schema.$ref);
    return named && partFor(named as SchemaPart, value);
  }
  const type = Array.isArray(value) ? "array" : "object";
  if (schema.anyOf === undefined) return [schema.type].flat().includes(type) ? schema : undefined;
  const parts = schema.anyOf.map((choice) => partFor(choice, value)).filter((part) => part !== undefined);
  return parts.length === 1 ? parts[0] : undefined;
}

function placeIn(short: unknown, indices: ReadonlyMap<unknown, readonly number[]>, path: string): string {
  let place = "";
  let value = short;
  for (const part of path.split("/").slice(1)) {
    place += `/${indices.get(value)?.[Number(part)] ?? part}`;
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[unescapePointer(part)] : undefined;
  }
  return place;
}
