import type { ParseValue } from "./parse-value.ts";

export interface Column {
  name: string;
  parse: ParseValue;
}

/** What one connection knows about a statement. */
export interface Statement {
  /** Its name on the server; empty for one that is parsed every time. */
  name: string;
  text: string;
  /** The parameter types that it was parsed with; 0 left the choice to the server. */
  sentTypes: readonly number[];
  /** Types of the parameters, as the server has described them to this or another connection. */
  types: readonly number[];
  /** Whether the server has described it on this connection: until then it may turn out not to exist there. */
  isDescribed: boolean;
  columns: readonly Column[];
}

interface Entry {
  text: string;
  sentTypes: readonly number[];
}

/** Finds the data about a statement by its text and by the types that its parameters are sent with. */
export class StatementTable<T extends Entry> {
  readonly #byText = new Map<string, T[]>();
  readonly #most: number;

  /** @param most texts; if there are more, all are forgotten */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  find(text: string, sentTypes: readonly number[]): T | undefined {
    return this.#byText.get(text)?.find((entry) => isEqual(entry.sentTypes, sentTypes));
  }

  add(entry: T): void {
    if (this.#byText.size >= this.#most) this.#byText.clear();
    this.forget(entry);
    this.#byText.set(entry.text, [...(this.#byText.get(entry.text) ?? []), entry]);
  }

  forget({ text, sentTypes }: Entry): void {
    const left = this.#byText.get(text)?.filter((entry) => !isEqual(entry.sentTypes, sentTypes));
    if (left !== undefined && left.length > 0) this.#byText.set(text, left);
    else this.#byText.delete(text);
  }
}

function isEqual(left: readonly number[], right: readonly number[]): boolean {
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false;
  return left.length === right.length;
}
