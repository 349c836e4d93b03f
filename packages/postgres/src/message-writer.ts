/** Types of messages to the server, by their letters. */
const letter = { bind: 66, copyData: 100, copyDone: 99, copyFail: 102, describe: 68, execute: 69, parse: 80, password: 112, query: 81 };

const executeAndSync = Buffer.from([letter.execute, 0, 0, 0, 9, 0, 0, 0, 0, 0, 83, 0, 0, 0, 4]);
const execute = executeAndSync.subarray(0, 10);
const sync = executeAndSync.subarray(10);
const flush = Buffer.from([72, 0, 0, 0, 4]);
const terminate = Buffer.from([88, 0, 0, 0, 4]);

const pageBytes = 32 * 1024;

/**
 * Messages to the server, one after the other in pages of memory, until they are taken and sent, so that those of several statements go out
 * in one packet. Memory that was taken is never overwritten, since the socket may use it for a while.
 */
export class MessageWriter {
  #page = Buffer.allocUnsafeSlow(pageBytes);
  #start = 0;
  #at = 0;

  get waitingBytes(): number {
    return this.#at - this.#start;
  }

  /** For `rollBack`, if a message turns out to be impossible. */
  get mark(): number {
    return this.waitingBytes;
  }

  rollBack(mark: number): void {
    this.#at = this.#start + mark;
  }

  take(): Buffer {
    const taken = this.#page.subarray(this.#start, this.#at);
    this.#start = this.#at;
    return taken;
  }

  parse(name: string, text: string, types: readonly number[]): void {
    const start = this.#begin(letter.parse);
    this.#text(name);
    this.#text(text);
    this.#int16(types.length);
    for (const type of types) this.#int32(type);
    this.#end(start);
  }

  describe(name: string): void {
    const start = this.#begin(letter.describe);
    this.#byte(83);
    this.#text(name);
    this.#end(start);
  }

  /** @param texts values as text, null for NULL */
  bind(name: string, texts: readonly (string | null)[]): void {
    const start = this.#begin(letter.bind);
    this.#byte(0);
    this.#text(name);
    this.#int16(0);
    this.#int16(texts.length);
    for (const text of texts) this.#value(text);
    this.#int16(0);
    this.#end(start);
  }

  execute(): void {
    this.raw(execute);
  }

  executeAndSync(): void {
    this.raw(executeAndSync);
  }

  flush(): void {
    this.raw(flush);
  }

  sync(): void {
    this.raw(sync);
  }

  terminate(): void {
    this.raw(terminate);
  }

  query(text: string): void {
    const start = this.#begin(letter.query);
    this.#text(text);
    this.#end(start);
  }

  /** For cleartext and MD5 passwords, and each step of SASL. */
  password(bytes: Buffer): void {
    const start = this.#begin(letter.password);
    this.raw(bytes);
    this.#end(start);
  }

  copyData(bytes: Uint8Array): void {
    const start = this.#begin(letter.copyData);
    this.raw(bytes);
    this.#end(start);
  }

  copyDone(): void {
    this.#end(this.#begin(letter.copyDone));
  }

  copyFail(why: string): void {
    const start = this.#begin(letter.copyFail);
    this.#text(why);
    this.#end(start);
  }

  /** The first message of a connection has no type. */
  startup(parameters: Readonly<Record<string, string>>): void {
    const start = this.waitingBytes;
    this.#int32(0);
    this.#int32(3 << 16);
    for (const [name, value] of Object.entries(parameters)) {
      this.#text(name);
      this.#text(value);
    }
    this.#byte(0);
    this.#page.writeInt32BE(this.waitingBytes - start, this.#start + start);
  }

  raw(bytes: Uint8Array): void {
    this.#fit(bytes.length);
    this.#page.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /**
   * Returns the start of the message, counted from the beginning of what is waiting, since the page may be replaced before the message
   * ends.
   */
  #begin(type: number): number {
    const start = this.waitingBytes;
    this.#byte(type);
    this.#int32(0);
    return start;
  }

  #end(start: number): void {
    const at = this.#start + start + 1;
    this.#page.writeInt32BE(this.#at - at, at);
  }

  #byte(value: number): void {
    this.#fit(1);
    this.#page[this.#at++] = value;
  }

  #int16(value: number): void {
    this.#fit(2);
    this.#at = this.#page.writeUInt16BE(value, this.#at);
  }

  #int32(value: number): void {
    this.#fit(4);
    this.#at = this.#page.writeInt32BE(value, this.#at);
  }

  #text(text: string): void {
    this.#fit(mostBytes(text) + 1);
    this.#at += this.#page.write(text, this.#at);
    this.#page[this.#at++] = 0;
  }

  #value(text: string | null): void {
    if (text === null) return this.#int32(-1);
    this.#fit(mostBytes(text) + 4);
    const written = this.#page.write(text, this.#at + 4);
    this.#page.writeInt32BE(written, this.#at);
    this.#at += 4 + written;
  }

  #fit(bytes: number): void {
    if (this.#page.length - this.#at >= bytes) return;
    const waiting = this.waitingBytes;
    const page = Buffer.allocUnsafeSlow(Math.max(pageBytes, 2 * (waiting + bytes)));
    this.#page.copy(page, 0, this.#start, this.#at);
    this.#page = page;
    this.#start = 0;
    this.#at = waiting;
  }
}

/** An upper bound: at most three bytes for each UTF-16 unit; long texts are counted exactly. */
function mostBytes(text: string): number {
  return text.length < 1_000 ? text.length * 3 : Buffer.byteLength(text);
}
