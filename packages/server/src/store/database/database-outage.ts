import { statfsSync } from "node:fs";
import type { Log } from "../../base/process/log.ts";
import { createPool, type Database } from "./database.ts";
import type { DatabaseAddress } from "./database-address.ts";
import { isDiskFull, sqlState } from "./database-error.ts";

/**
 * An outage of the database as seen by the whole process: from the first statement that fails because the server is unreachable or its disk
 * is full, or from when the server does not answer at all, until a probe has written again. It is logged in one line when it begins and one when it ends; failures in between for the same
 * reason are part of it (`covers`), and the log leaves them out.
 *
 *     well --(a statement fails; too little space on the embedded server's disk; silence)--> outage --(a probe writes)--> well
 *
 * Silence fails nothing by itself: a server whose disk hangs, or a network that drops packets, leaves statements without an answer, for
 * hours. A statement may take long, too. So when nothing was answered for some seconds, a new connection asks: if it gets no answer
 * either, all others are closed, so that what waits for them fails.
 *
 * A server whose write-ahead log does not fit on the disk any more ends and can't start, so while the disk is full a refused connection
 * also counts as "full".
 */
export interface OutageState {
  kind: "full" | "away";
  /** For all users: contains no paths or addresses. */
  text: string;
}

interface OutageParts {
  sql: Database;
  /** Of the server that `sql` uses. */
  address: DatabaseAddress;
  log: Log;
  /** Of the embedded server, whose disk can be examined. */
  folder: string | undefined;
  /** Between two checks while all is well, and between two probes during an outage. */
  intervalMs?: number;
  /** After so long without any answer a new connection asks, and waits for so long twice. */
  silenceMs?: number;
}

const defaultSilenceMs = 5_000;

/** A segment of the server's write-ahead log (16 MiB) must fit, with some reserve. */
const leastRoomBytes = 24 * 1024 * 1024;
/** More than the minimum, so that it does not begin and end repeatedly. */
const roomToGoOnBytes = 40 * 1024 * 1024;

export class DatabaseOutage {
  #parts: OutageParts | undefined;
  #timer: NodeJS.Timeout | undefined;
  #state: OutageState | undefined;
  #beganAt = 0;
  #leftOut = 0;

  /** Until it is watched, no failure belongs to an outage: the start reports its own. */
  watch(parts: OutageParts): void {
    this.#parts = parts;
    this.#plan();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#parts = undefined;
    this.#state = undefined;
  }

  /** As it is now; for an embedded server this checks its disk. */
  current(): OutageState | undefined {
    if (this.#parts !== undefined && this.#roomBytes() < leastRoomBytes) this.#begin(full);
    return this.#state;
  }

  /** Returns the outage that a failure belongs to, and begins it with the first failure; undefined for any other failure. */
  note(error: unknown): OutageState | undefined {
    if (this.#parts === undefined || !isOfOutage(error)) return undefined;
    this.#begin(isDiskFull(error) || this.#roomBytes() < leastRoomBytes ? full : stateOf(error), error);
    return this.#state;
  }

  /** For the log: whether a failure is part of an outage, which has a line of its own. */
  covers(error: unknown): boolean {
    if (this.note(error) === undefined) return false;
    this.#leftOut++;
    return true;
  }

  #begin(state: OutageState, error?: unknown): void {
    const parts = this.#parts;
    if (parts === undefined || this.#state?.kind === state.kind || this.#state === full) return;
    if (this.#state === undefined) {
      this.#beganAt = performance.now();
      this.#leftOut = 0;
    }
    this.#state = state;
    const { message, code } = (error ?? {}) as NodeJS.ErrnoException;
    const where = parts.folder === undefined ? {} : { folder: parts.folder, freeMiB: Math.floor(this.#roomBytes() / 1024 / 1024) };
    const remedy = state === full ? "free space on it" : "retrying";
    parts.log.error(
      { ...where, code, failure: message },
      `${state.text}; ${remedy}. Until it recovers, requests get 503 and this is not logged again`,
    );
    this.#plan();
  }

  #plan(): void {
    clearTimeout(this.#timer);
    const everyMs = this.#parts?.intervalMs ?? (this.#state === undefined ? 5_000 : 1_000);
    this.#timer = setTimeout(() => void this.#look(), everyMs).unref();
  }

  async #look(): Promise<void> {
    const parts = this.#parts;
    if (parts === undefined) return;
    if (this.#state === undefined) await this.#listen(parts);
    if (this.current() !== undefined && (this.#state !== full || this.#roomBytes() >= roomToGoOnBytes)) {
      await probe(parts.sql).then(
        () => this.#end(),
        // Even if it refuses the probe for another reason (no right to create temporary tables), the server responds.
        (error: unknown) => this.note(error) ?? this.#end(),
      );
    }
    if (this.#parts !== undefined) this.#plan();
  }

  async #listen({ sql, address, silenceMs = defaultSilenceMs }: OutageParts): Promise<void> {
    if (sql.silentMs() < silenceMs) return;
    const failure = await findSilence(address, 2 * silenceMs);
    // The others may have been answered meanwhile.
    if (failure === undefined || this.#parts === undefined || sql.silentMs() < silenceMs) return;
    this.#begin(away, failure);
    sql.breakOff();
  }

  #end(): void {
    if (this.#parts === undefined || this.#state === undefined) return;
    this.#state = undefined;
    const seconds = Math.round((performance.now() - this.#beganAt) / 100) / 10;
    this.#parts.log.info({ seconds, leftOut: this.#leftOut }, "the database accepts changes again");
  }

  #roomBytes(): number {
    const folder = this.#parts?.folder;
    if (folder === undefined) return Number.POSITIVE_INFINITY;
    try {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }
}

const full: OutageState = { kind: "full", text: "the disk of the database is full" };
const away: OutageState = { kind: "away", text: "the database does not respond" };
/** A standby after a failover, or a server whose provider stops changes because its disk is full. */
const readOnly: OutageState = { kind: "away", text: "the database accepts no changes: it is read-only" };
/** The password or the rights were changed, or the database was renamed, while the service runs. */
const refusing: OutageState = { kind: "away", text: "the database refuses the connections of the service" };

function stateOf(error: unknown): OutageState {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (code === "25006") return readOnly;
  return /^(?:28|3D)/.test(code) ? refusing : away;
}

/** @returns the failure if a new connection is not answered in time; any answer, even a refusal, is one */
async function findSilence(address: DatabaseAddress, withinMs: number): Promise<unknown> {
  const single = createPool(address, { maxConnections: 1, applicationName: "millrace check", sendsTimeouts: false });
  const timer = setTimeout(() => void single.end({ timeout: 0 }), withinMs);
  try {
    await single`select 1`;
    return undefined;
  } catch (error) {
    return sqlState(error) === undefined ? error : undefined;
  } finally {
    clearTimeout(timer);
    await single.end({ timeout: 0 });
  }
}

/** Uses additional space on the disk; updating an existing row might not. */
async function probe(sql: Database): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`create temporary table millrace_probe on commit drop as select repeat('room', 2000) as text from generate_series(1, 16)`;
  });
}

/** The driver attaches the query to each failure, which distinguishes those of other connections of this process. */
function isOfOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" && "query" in error && (outageCodes.test(code) || isDiskFull(error));
}

/**
 * SQLSTATE 08 (connection; also all that a pooler says itself), 25006 (read-only), 28 and 3D (credentials, database), 53300 (too many
 * connections), 57P (shutdown, crash, start); those of the driver and of Node.
 */
const outageCodes =
  /^(?:(?:08|28|3D)[0-9A-Z]{3}|25006|53300|57P0[1-5]|CONNECT\w*|CONNECTION_(?:CLOSED|DESTROYED|REFUSED)|ECONN\w+|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)$/;
