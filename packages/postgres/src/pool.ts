import { Connection, type KnownTypes } from "./connection.ts";
import { driverError } from "./database-error.ts";
import { connectTimeout, openSession } from "./open-session.ts";
import type { PoolOptions } from "./options.ts";
import type { SentQuery } from "./query.ts";
import { Session } from "./session.ts";
import { StatementTable } from "./statement-table.ts";

/** A statement to be sent on any connection, or a request to reserve a connection for a while. */
type Work = { send: SentQuery } | { reserve: (session: Session) => void; reject: (error: unknown) => void };

interface Member {
  connection: Connection;
  /** Set while the connection is reserved. */
  session: Session | undefined;
  openedAt: number;
  freeSince: number;
}

export interface PoolFigures {
  open: number;
  /** How many of these are idle. */
  free: number;
  /** Statements and transactions that wait for a connection. */
  waiting: number;
}

/**
 * Connections, opened when they are needed. Work goes to an idle connection (the most recently used one, so that the others can be closed),
 * otherwise to a new one, otherwise behind the statements in progress on a busy one, in turn. If none can take it, it waits.
 */
export class ConnectionPool {
  readonly #options: PoolOptions;
  readonly #knownTypes: KnownTypes = new StatementTable(2_000);
  readonly #members = new Map<Connection, Member>();
  readonly #free: Member[] = [];
  /** Busy connections that can take more statements, used in turn. */
  #busy: Member[] = [];
  readonly #opening = new Set<AbortController>();
  readonly #waiting: Work[] = [];
  #failures = 0;
  #openNotBefore = 0;
  readonly #upkeep: NodeJS.Timeout | undefined;
  #onEnded: (() => void) | undefined;
  #ended: Promise<void> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    const everyMs = Math.min(options.idleTimeoutMs ?? Number.POSITIVE_INFINITY, options.lifetimeMs ?? Number.POSITIVE_INFINITY) / 4;
    if (everyMs < Number.POSITIVE_INFINITY) this.#upkeep = setInterval(() => this.#closeOld(), everyMs).unref();
  }

  send(query: SentQuery): void {
    this.#submit({ send: query });
  }

  /** How many connections are in use, and how much work waits for one. */
  get figures(): PoolFigures {
    return { open: this.#members.size, free: this.#free.length, waiting: this.#waiting.length };
  }

  /** For how many milliseconds the server has answered nothing on any connection that waits for it; 0 if none does. */
  get silentMs(): number {
    const waiting = [...this.#members.keys()].filter(({ isFree }) => !isFree);
    return waiting.length === 0 ? 0 : Math.min(...waiting.map(({ silentMs }) => silentMs));
  }

  /** Closes all connections at once, since the server does not answer: what is in progress fails. The next work opens new ones. */
  breakOff(): void {
    const error = driverError("CONNECTION_DESTROYED", "The database did not answer, so the connection to it was closed");
    for (const connection of [...this.#members.keys()]) connection.destroy(error);
  }

  /** Reserves a connection. It must be returned by `release`. */
  reserve(): Promise<Session> {
    return new Promise((reserve, reject) => this.#submit({ reserve, reject }));
  }

  release(session: Session): void {
    const connection = session.end();
    const member = this.#members.get(connection);
    if (member === undefined) return;
    member.session = undefined;
    if (connection.isFree) this.#onFree(connection);
  }

  /**
   * Accepts no new work, completes the accepted work, and closes.
   * @param timeoutMs after which unfinished work fails
   */
  end(timeoutMs?: number): Promise<void> {
    this.#ended ??= this.#finish(timeoutMs);
    return this.#ended;
  }

  async #finish(timeoutMs: number | undefined): Promise<void> {
    clearInterval(this.#upkeep);
    const ended = new Promise<void>((resolve) => {
      this.#onEnded = resolve;
    });
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#destroy(), timeoutMs);
    for (const member of this.#free.splice(0)) member.connection.close();
    this.#lookForEnd();
    await ended;
    clearTimeout(timer);
  }

  #destroy(): void {
    const error = driverError("CONNECTION_DESTROYED", "The connections to the database were closed before this was done");
    for (const work of this.#waiting.splice(0)) reject(work, error);
    for (const controller of this.#opening) controller.abort(error);
    for (const connection of this.#members.keys()) connection.destroy(error);
    this.#lookForEnd();
  }

  #lookForEnd(): void {
    if (this.#onEnded === undefined) return;
    if (this.#waiting.length === 0) for (const controller of this.#opening) controller.abort(endedError());
    if (this.#members.size === 0 && this.#opening.size === 0) this.#onEnded();
  }

  #submit(work: Work): void {
    if (this.#ended !== undefined) return reject(work, endedError());
    const member = this.#free.pop() ?? (this.#mayOpen ? undefined : this.#busy.shift());
    if (member !== undefined) return this.#give(member, work);
    this.#waiting.push(work);
    this.#openForWaiting();
  }

  get #mayOpen(): boolean {
    return this.#members.size + this.#opening.size < this.#options.maxConnections;
  }

  #give(member: Member, work: Work): void {
    if ("reserve" in work) {
      member.session = new Session(member.connection);
      return work.reserve(member.session);
    }
    member.connection.send(work.send);
    this.#file(member);
  }

  /** Puts a connection into the list where it can be found; one that can't take more is put back when it is free. */
  #file(member: Member): void {
    if (member.connection.isFree) this.#rest(member);
    else if (member.connection.takesMore) this.#busy.push(member);
  }

  #rest(member: Member): void {
    if (this.#ended !== undefined) return member.connection.close();
    member.freeSince = performance.now();
    this.#free.push(member);
  }

  #openForWaiting(): void {
    while (this.#mayOpen && this.#opening.size < this.#waiting.length) void this.#open();
  }

  async #open(): Promise<void> {
    const controller = new AbortController();
    this.#opening.add(controller);
    try {
      await pauseUntil(this.#openNotBefore, controller.signal);
      const opened = await openSession(this.#options, controller);
      this.#opening.delete(controller);
      this.#failures = 0;
      const events = {
        onFree: (one: Connection) => this.#onFree(one),
        onClosed: (one: Connection, error: Error) => this.#onClosed(one, error),
      };
      const connection = new Connection(opened, this.#options, events, this.#knownTypes);
      const now = performance.now();
      this.#members.set(connection, { connection, session: undefined, openedAt: now, freeSince: now });
      this.#onFree(connection);
    } catch (error) {
      this.#opening.delete(controller);
      this.#onNotOpened(error);
    }
    this.#lookForEnd();
  }

  /**
   * The work that has waited longest fails with this error, so nothing waits forever; after a pause, the next one tries again. If the server
   * does not answer at all, each attempt takes long, so everything that waits fails at once.
   */
  #onNotOpened(error: unknown): void {
    this.#failures++;
    this.#openNotBefore = performance.now() + this.#options.pauseMs(this.#failures);
    const isSilent = this.#members.size === 0 && (error as { code?: unknown }).code === connectTimeout;
    for (const work of this.#waiting.splice(0, isSilent ? this.#waiting.length : 1)) reject(work, error);
    this.#options.onClose?.();
    this.#openForWaiting();
  }

  #onFree(connection: Connection): void {
    const member = this.#members.get(connection);
    if (member === undefined) return;
    if (member.session !== undefined) return member.session.onFree();
    remove(this.#busy, member);
    if (connection.transactionStatus !== "I") return connection.destroy(leftOpenError());
    const isOld = this.#isOld(member);
    if (isOld) return this.#retire(member);
    let most = Math.ceil(this.#waiting.length / (this.#opening.size + 1));
    while (most-- > 0 && connection.takesMore && member.session === undefined) {
      const work = this.#waiting.shift();
      if (work === undefined) break;
      if ("reserve" in work) return this.#give(member, work);
      connection.send(work.send);
    }
    this.#file(member);
    this.#lookForEnd();
  }

  #onClosed(connection: Connection, error: Error): void {
    const member = this.#members.get(connection);
    if (member === undefined) return;
    this.#members.delete(connection);
    remove(this.#free, member);
    remove(this.#busy, member);
    member.session?.onClosed(error);
    this.#options.onClose?.();
    this.#openForWaiting();
    this.#lookForEnd();
  }

  #closeOld(): void {
    const { idleTimeoutMs = Number.POSITIVE_INFINITY } = this.#options;
    const now = performance.now();
    for (const member of [...this.#free]) {
      if (now - member.freeSince < idleTimeoutMs && !this.#isOld(member)) continue;
      remove(this.#free, member);
      this.#retire(member);
    }
  }

  #isOld({ openedAt }: Member): boolean {
    return performance.now() - openedAt > (this.#options.lifetimeMs ?? Number.POSITIVE_INFINITY);
  }

  #retire(member: Member): void {
    member.connection.close();
  }
}

function reject(work: Work, error: unknown): void {
  if (!("reserve" in work)) return work.send.reject(error);
  // As with statements (query.ts): so callers know that it is of a database.
  if (error instanceof Error && !("query" in error)) Object.defineProperty(error, "query", { value: "begin" });
  work.reject(error);
}

function remove<T>(list: T[], one: T): void {
  const at = list.indexOf(one);
  if (at >= 0) list.splice(at, 1);
}

function endedError(): Error {
  return driverError("CONNECTION_ENDED", "The connections to the database are closed, so nothing more is sent");
}

function leftOpenError(): Error {
  return driverError("TRANSACTION_LEFT_OPEN", "A statement has begun a transaction outside of `begin`");
}

function pauseUntil(at: number, signal: AbortSignal): Promise<void> | undefined {
  const ms = at - performance.now();
  if (ms <= 0) return undefined;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
