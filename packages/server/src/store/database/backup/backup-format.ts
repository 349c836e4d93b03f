import type { Writable } from "node:stream";
import { StartError } from "../../../base/error/start-error.ts";
import { dbCommand } from "../../../base/file/repository-root.ts";

/**
 * The file of a backup, before compression with gzip:
 *
 *     header   one line of JSON
 *     tables   in the header's order: chunks of COPY's text format, each behind its length in 4 bytes; a length of 0 ends the table
 *     trailer  one chunk of JSON, the number of rows of each table; without it the file is not complete
 *
 * Text, not PostgreSQL's binary format, because that one may change with the major version.
 */
export interface BackupHeader {
  format: "millrace backup 1";
  createdAt: string;
  /** The migration that the tables belong to; `restore` begins there and continues to the newest. */
  schemaVersion: number;
  tables: { name: string; columns: string[] }[];
  /** Partitions by month, which must exist before their rows are inserted. */
  partitions: { parent: string; name: string; from: string; to: string }[];
  /** The last value of each numbered column. */
  sequences: { table: string; column: string; value: number }[];
}

export const backupFormat = "millrace backup 1";

export interface BackupTrailer {
  rows: Record<string, number>;
}

export async function writeHeader(out: Writable, header: BackupHeader): Promise<void> {
  await write(out, Buffer.from(`${JSON.stringify(header)}\n`));
}

/** An empty chunk ends a table. */
export async function writeChunk(out: Writable, chunk: Uint8Array): Promise<void> {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(chunk.length);
  await write(out, length);
  if (chunk.length > 0) await write(out, chunk);
}

async function write(out: Writable, bytes: Uint8Array): Promise<void> {
  if (out.write(bytes)) return;
  await new Promise<void>((resolve, reject) => {
    const done = (error?: Error | null) => {
      out.off("drain", done).off("error", done);
      if (error) reject(error);
      else resolve();
    };
    out.once("drain", done).once("error", done);
  });
}

const maxHeaderBytes = 16 * 1024 * 1024;
const maxChunkBytes = 1024 * 1024 * 1024;

/** Reads a backup from front to back. Any error in the file is a StartError. */
export class BackupReader {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #file: string;
  #rest = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>, file: string) {
    this.#source = source[Symbol.asyncIterator]();
    this.#file = file;
  }

  async readHeader(): Promise<BackupHeader> {
    let end = this.#rest.indexOf("\n");
    while (end < 0) {
      const isLong = this.#rest.length > maxHeaderBytes;
      if (isLong || !(await this.#more())) throw this.#notABackup();
      end = this.#rest.indexOf("\n");
    }
    const line = this.#take(end + 1).toString("utf8");
    try {
      const header = JSON.parse(line) as BackupHeader;
      if (header.format === backupFormat) return header;
    } catch {
      // answered below
    }
    throw this.#notABackup();
  }

  /** The chunks of the next table. */
  async *readTable(): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = await this.#readChunk();
      if (chunk.length === 0) return;
      yield chunk;
    }
  }

  async readTrailer(): Promise<BackupTrailer> {
    return JSON.parse((await this.#readChunk()).toString("utf8"));
  }

  async #readChunk(): Promise<Buffer> {
    const length = (await this.#exactly(4)).readUInt32BE();
    if (length > maxChunkBytes) throw this.#incomplete();
    return this.#exactly(length);
  }

  async #exactly(length: number): Promise<Buffer> {
    while (this.#rest.length < length) {
      if (!(await this.#more())) throw this.#incomplete();
    }
    return this.#take(length);
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  async #more(): Promise<boolean> {
    try {
      const next = await this.#source.next();
      if (next.done) return false;
      this.#rest = Buffer.concat([this.#rest, next.value]);
      return true;
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === "Z_DATA_ERROR" && this.#rest.length === 0) throw this.#notABackup(cause);
      if (code?.startsWith("Z_")) throw this.#incomplete(cause);
      throw new StartError(`${this.#file} cannot be read (${code})`, { cause });
    }
  }

  #notABackup(cause?: unknown): StartError {
    return new StartError(`${this.#file} is not a backup of Millrace (${dbCommand} backup FILE creates one)`, { cause });
  }

  #incomplete(cause?: unknown): StartError {
    return new StartError(`${this.#file} is damaged or incomplete; use another backup`, { cause });
  }
}
