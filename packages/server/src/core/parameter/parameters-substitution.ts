import { shorten } from "../../base/text/shorten.ts";
import { cleanText } from "../document/json-guard.ts";
import { maxNodeParamsLength } from "../run/result-sizes.ts";
import { findMisspelt } from "./misspelt-references.ts";
import { type Found, followPath, parseJson, type Reference, type ScopedLayer } from "./references.ts";
import { secretMask } from "./secret-params.ts";

/** A reference that stays as written, or that was replaced by empty text, with the reason. */
export interface ParameterWarning {
  /** The parameter whose value contains it, if parameters were resolved together. */
  param?: string;
  reference: string;
  why: string;
  /** It can't be resolved: callers that continue anyway keep its own text. */
  isUnresolved?: true;
}

/**
 * The result of looking up a name. If nothing was found, `why` is the reason, for people; without `why` there is no warning. If something
 * was found, `why` means that it is empty, and so is everything that a path selects in it.
 */
export interface Lookup {
  found: boolean;
  value?: unknown;
  why?: string;
  /** There is no value yet, which is normal: it is empty, and so is everything that a path selects in it, without a warning. */
  isEmpty?: true;
}

export interface ParameterSource {
  /** The value of a parameter in a layer, or in the highest layer that has it; undefined or null: there is none. */
  param(layer: ScopedLayer | undefined, name: string): unknown;
  /** Whether the parameter exists, with or without a value. */
  hasParam(layer: ScopedLayer | undefined, name: string): boolean;
  /** Why the parameter that the reference takes has no value to continue with; undefined: it has, or there is none. */
  brokenParam(layer: ScopedLayer | undefined, name: string): string | undefined;
  result(task: string, name: string): Lookup;
  /** What a round can read about its loop. */
  loop(name: string): Lookup;
  extra(words: readonly string[]): Lookup;
}

const maxWarnings = 100;

/**
 * One pass of substitution: what references lead to, how much room is left for it, and what could not be resolved.
 * A value that was put in is never examined again.
 */
export class Substitution {
  readonly warnings: ParameterWarning[] = [];
  /** The parameter that is being resolved, for warnings. */
  param: string | undefined;
  /** How deep the substitution currently is in nested lists and objects. */
  nesting = 0;
  /** True once a value no longer fit; its reference was left as written. */
  isOverfull = false;
  /** UTF-16 units that may still be inserted in place of references. */
  #room = maxNodeParamsLength;
  readonly #source: ParameterSource;
  readonly #warned = new Set<string>();
  readonly #parsed = new Map<string, unknown>();
  readonly #written = new WeakMap<object, string | undefined>();

  constructor(source: ParameterSource) {
    this.#source = source;
  }

  /** The text to insert for a reference; undefined: the reference stays. */
  text(found: Found): string | undefined {
    if (found.reference && "spread" in found.reference && found.reference.spread) {
      return this.keep(found, "[*] must be a whole value, or one whole element of a list");
    }
    return this.#insert(found, (value) => this.#asText(value));
  }

  /** The JSON to insert for a reference; undefined: the reference stays. */
  json(found: Found): string | undefined {
    return this.#insert(found, (value) => this.#asJson(value));
  }

  /** The unconverted value to insert for a reference; undefined: the reference stays. */
  value(found: Found): { value: unknown } | undefined {
    const target = this.#read(found);
    if (!target) return undefined;
    return this.#insertText(found, this.#asText(target.value)) === undefined ? undefined : target;
  }

  /** Records why a reference stays. */
  keep(found: Found, why: string): undefined {
    return this.#note(found, why);
  }

  /** Records text that was meant as a reference but is none. The text must not contain inserted values yet, which come from outside. */
  noteMisspelt(text: string): void {
    for (const { text: written, meant } of findMisspelt(text)) {
      if (written.startsWith("$(")) this.#note({ text: written }, `is not a reference and is left as written; did you mean ${meant}?`);
    }
  }

  /** Records that a reference stays because it can't be resolved. */
  #keepUnresolved(found: Found, why: string): undefined {
    return this.#note(found, why, { isUnresolved: true });
  }

  #note(found: Found | { text: string }, why: string, more: Pick<ParameterWarning, "isUnresolved"> = {}): undefined {
    const reference = "reference" in found && found.reference ? found.reference.text : (found as { text: string }).text;
    const key = JSON.stringify([this.param, reference]);
    if (this.#warned.has(key) || this.warnings.length >= maxWarnings) return;
    this.#warned.add(key);
    // The cut can split a surrogate pair, and no column accepts half of one.
    const shown = cleanText(shorten(reference, 200));
    this.warnings.push({ ...(this.param !== undefined && { param: this.param }), reference: shown, why, ...more });
  }

  #insert(found: Found, write: (value: unknown) => string | undefined): string | undefined {
    const target = this.#read(found);
    return target && this.#insertText(found, write(target.value));
  }

  #insertText(found: Found, text: string | undefined): string | undefined {
    if (text === undefined) return this.keep(found, "its value is not a JSON value");
    if (text.length > this.#room) {
      this.isOverfull = true;
      return this.keep(
        found,
        `its value has ${text.length} characters, which is more than there is room for (${maxNodeParamsLength} in all)`,
      );
    }
    this.#room -= text.length;
    return text;
  }

  #read(found: Found): { value: unknown } | undefined {
    if (found.problem !== undefined) return this.keep(found, found.problem);
    const { reference } = found;
    const start = this.#lookUp(reference);
    if (!start.found) return start.why === undefined ? undefined : this.#keepUnresolved(found, start.why);
    if (reference.kind === "place") return { value: start.value };
    if (start.isEmpty) return { value: reference.spread ? [] : "" };
    if (start.why !== undefined) {
      this.#note(found, start.why);
      return { value: reference.spread ? [] : "" };
    }
    const end = followPath(start.value, reference.path, (text) => this.#parse(text));
    // The contents of a masked secret become known only when the job is passed to an executor.
    if (!end.found && start.value === secretMask) return { value: reference.spread ? [secretMask] : secretMask };
    if (!end.found) return this.#keepUnresolved(found, end.why);
    return reference.spread ? this.#readElements(found, end.value) : end;
  }

  #readElements(found: Found, value: unknown): { value: unknown } | undefined {
    const elements = this.asStructure(value);
    return elements !== null && typeof elements === "object"
      ? { value: elements }
      : this.keep(found, "[*] needs a list, but the value is not a list");
  }

  /** Text that is a JSON object or list becomes that object or list; any other value does not change. */
  asStructure(value: unknown): unknown {
    return typeof value === "string" ? (this.#parse(value) ?? value) : value;
  }

  #lookUp(reference: Reference): Lookup {
    if (reference.kind === "place") return this.#source.extra(reference.words);
    if (reference.kind === "result") {
      const result = this.#source.result(reference.task, reference.name);
      return result.found ? result : { found: false, why: result.why ?? `task "${reference.task}" has no result "${reference.name}"` };
    }
    if (reference.layer === "loop") return this.#source.loop(reference.name);
    const broken = this.#source.brokenParam(reference.layer, reference.name);
    if (broken !== undefined) return { found: false, why: `parameter "${reference.name}" has no value: ${broken}` };
    const value = this.#source.param(reference.layer, reference.name) ?? undefined;
    const where = reference.layer ? ` in layer ${reference.layer}` : "";
    if (value !== undefined) return { found: true, value };
    return this.#source.hasParam(reference.layer, reference.name)
      ? { found: true, why: `parameter "${reference.name}"${where} has no value, so an empty text is used` }
      : { found: false, why: `there is no parameter "${reference.name}"${where}` };
  }

  #parse(text: string): unknown {
    if (!this.#parsed.has(text)) this.#parsed.set(text, parseJson(text));
    return this.#parsed.get(text);
  }

  #asText(value: unknown): string | undefined {
    return typeof value === "string" ? value : this.#asJson(value);
  }

  #asJson(value: unknown): string | undefined {
    if (value === null || typeof value !== "object") return writeJson(value);
    if (!this.#written.has(value)) this.#written.set(value, writeJson(value));
    return this.#written.get(value);
  }
}

/** Undefined for values that JSON can't express: functions, cycles, excessive nesting. */
function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
