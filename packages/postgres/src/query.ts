import type { Readable, Writable } from "node:stream";

/** The text of a statement with `$1`, `$2` …, the values for them, and the types that they are sent with. */
export interface CompiledStatement {
  text: string;
  values: readonly unknown[];
  types: readonly number[];
}

/** A statement, as the code sees it that sends it and delivers its result. */
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

/** A statement whose text must still be built from its parts. */
export interface NewQuery extends SentQuery {
  readonly strings: readonly string[];
  readonly args: readonly unknown[];
  compiled: CompiledStatement;
}

/**
 * A statement that is sent when it is awaited (`await`, `then`), or a part of another one, which is never sent by itself. Resolves to its
 * rows.
 */
export class Query<T> implements Promise<T>, NewQuery {
  readonly [Symbol.toStringTag] = "Query";
  readonly strings: readonly string[];
  readonly args: readonly unknown[];
  /** How it is sent. */
  readonly options: QueryOptions;
  /** In the form in which it is sent; compiled at that time. */
  compiled: CompiledStatement = notCompiled;
  /** The place in the program where it was created. */
  origin: Error | undefined;
  /** Whether the server had forgotten the prepared statement, so that it was prepared once more. */
  wasPreparedAgain = false;
  /** The server's command tag (`COMMIT`); only for a statement that is sent as plain text. */
  command: string | undefined;
  /** Id of the server process, as announced at the start of the connection; set once the result arrives. */
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

  /** For a COPY … FROM STDIN: a stream whose data is sent to the server. It finishes when the server has accepted everything. */
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

  /**
   * Adds to an error which statement it belongs to, and where in the program that was created, since the stack of the driver itself does
   * not help. The stack is only written when it is read: most errors are expected and handled, and the first stack loads the source map.
   */
  reject(error: unknown): void {
    if (error instanceof Error && !("query" in error)) {
      Object.defineProperty(error, "query", { value: this.compiled.text });
      const { origin } = this;
      if (origin !== undefined) {
        const get = () => [`${error.name}: ${error.message}`, ...(origin.stack ?? "").split("\n").slice(1)].join("\n");
        Object.defineProperty(error, "stack", { get, configurable: true });
      }
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
  /** Sent as one text, which may contain several statements but no parameters ("Simple Query" of the protocol). */
  isSimple?: boolean;
  /** Parsed every time. */
  isUnprepared?: boolean;
}
