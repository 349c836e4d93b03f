import type { Readable, Writable } from "node:stream";

/** The text of a statement with `$1`, `$2` …, the values for them, and the types that they are sent with. */
export interface CompiledStatement {
  text: string;
  values: readonly unknown[];
  types: readonly number[];
}

/** A statement, as those see it who send it and bring its answer. */
export interface SentQuery {
  readonly compiled: CompiledStatement;
  readonly options: QueryOptions;
  wasPreparedAgain: boolean;
  command: string | undefined;
  processId: number | undefined;
  resolve(rows: unknown): void;
  reject(error: unknown): void;
  catch(onReject: (error: unknown) => void): Promise<unknown>;
}

/** A statement whose text is still to be made of its parts. */
export interface NewQuery extends SentQuery {
  readonly strings: readonly string[];
  readonly args: readonly unknown[];
  compiled: CompiledStatement;
}

/**
 * A statement that is sent when it is awaited (`await`, `then`), or a part of another one, which is never sent by itself.
 * Answers the rows.
 */
export class Query<T> implements Promise<T>, NewQuery {
  readonly [Symbol.toStringTag] = "Query";
  readonly strings: readonly string[];
  readonly args: readonly unknown[];
  /** How it is sent. */
  readonly options: QueryOptions;
  /** As it is sent; made when it is. */
  compiled: CompiledStatement = notCompiled;
  /** Where in the program it was first written. */
  origin: Error | undefined;
  /** Whether the server had forgotten the prepared statement, and it was prepared once more. */
  wasPreparedAgain = false;
  /** What the server says it has done (`COMMIT`); only of a statement that is sent as a text. */
  command: string | undefined;
  /** Of the server's process, as it was announced at the start of the connection; known with the answer. */
  processId: number | undefined;
  readonly #submit: (query: NewQuery) => void;
  #answer: Promise<T> | undefined;
  #resolve!: (rows: unknown) => void;
  #reject!: (error: unknown) => void;

  constructor(strings: readonly string[], args: readonly unknown[], submit: (query: NewQuery) => void, options: QueryOptions = {}) {
    this.strings = strings;
    this.args = args;
    this.options = options;
    this.#submit = submit;
  }

  /** For a COPY … FROM STDIN: what is written into the stream goes to the server. The stream is finished when the server took all. */
  writable(): Promise<Writable> {
    return this.#answered() as Promise<unknown> as Promise<Writable>;
  }

  /** For a COPY … TO STDOUT. */
  readable(): Promise<Readable> {
    return this.#answered() as Promise<unknown> as Promise<Readable>;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is awaited like any promise, but starts only then
  then<A = T, B = never>(
    onResolve?: ((rows: T) => A | PromiseLike<A>) | null,
    onReject?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answered().then(onResolve, onReject);
  }

  catch<B = never>(onReject?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.#answered().catch(onReject);
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.#answered().finally(onEnd);
  }

  resolve(rows: unknown): void {
    this.#resolve(rows);
  }

  /** An error says which statement it belongs to, and where in the program that was written; the driver's own steps say nothing. */
  reject(error: unknown): void {
    if (error instanceof Error && !("query" in error)) {
      const origin = this.origin?.stack?.split("\n").slice(1).join("\n");
      const stack = origin ? `${error.name}: ${error.message}\n${origin}` : error.stack;
      Object.defineProperties(error, { query: { value: this.compiled.text }, stack: { value: stack } });
    }
    this.#reject(error);
  }

  #answered(): Promise<T> {
    if (this.#answer === undefined) {
      this.#answer = new Promise((resolve, reject) => {
        this.#resolve = resolve as (rows: unknown) => void;
        this.#reject = reject;
      });
      this.#submit(this);
    }
    return this.#answer;
  }
}

const notCompiled: CompiledStatement = { text: "", values: [], types: [] };

export interface QueryOptions {
  /** As one text that may hold several statements, without parameters ("Simple Query" of the protocol). */
  isSimple?: boolean;
  /** Parsed anew each time. */
  isUnprepared?: boolean;
}
