import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { addressOptions, type DatabaseAddress } from "../../src/store/database/database-address.ts";

/**
 * A proxy between a pool and its database that breaks connections at the worst moments. It parses the messages of PostgreSQL's protocol
 * (version 3, "Message Formats") just enough to know which statement is in progress and when the server has finished it.
 */
export interface Fault {
  /** Matches the statement as the driver sends it. */
  statement: RegExp;
  /**
   * `before`: it never reaches the server. `after`: the server has executed it (and committed, if it says so), but the response is lost.
   */
  how: "before" | "after";
  /** How many times; counted down. */
  times: number;
  /** This many pass unharmed first; counted down. */
  skip?: number;
}

export class FaultProxy {
  /** Where a pool must connect to. */
  readonly address: DatabaseAddress;
  readonly faults: Fault[] = [];
  /** Faults that have happened, in order. */
  readonly happened: string[] = [];
  /** The most recent statement, for the message of a test that hangs. */
  lastStatement = "";
  /** Called just before a connection breaks; with `after`, the server has finished the statement by then. */
  onFault: () => void = () => undefined;
  /** Connections that were tried while paused. */
  refused = 0;
  #isPaused = false;
  readonly #server: Server;
  readonly #folder: string;
  readonly #links = new Set<() => void>();

  // biome-ignore lint/style/useConsistentMemberAccessibility: there is no #constructor
  private constructor(address: DatabaseAddress, server: Server, folder: string) {
    this.address = address;
    this.#server = server;
    this.#folder = folder;
  }

  static async start(target: DatabaseAddress): Promise<FaultProxy> {
    const folder = await mkdtemp("/tmp/millrace-proxy-");
    const server = createServer();
    const proxy = new FaultProxy(proxied(target, folder), server, folder);
    server.on("connection", (client) => proxy.#accept(client, target));
    await new Promise<void>((resolve) => server.listen(join(folder, ".s.PGSQL.5432"), resolve));
    return proxy;
  }

  /** Cuts every connection, and each new one, until `resume`. */
  pause(): void {
    this.#isPaused = true;
    this.cutAll();
  }

  resume(): void {
    this.#isPaused = false;
  }

  /** Cuts every connection. */
  cutAll(): void {
    for (const cut of [...this.#links]) cut();
  }

  async stop(): Promise<void> {
    this.cutAll();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#folder, { recursive: true, force: true });
  }

  #accept(client: Socket, target: DatabaseAddress): void {
    if (!this.#isPaused) return this.#link(client, connectTo(target));
    this.refused++;
    client.on("error", () => undefined).destroy();
  }

  #link(client: Socket, server: Socket): void {
    const cut = () => {
      client.destroy();
      server.destroy();
      this.#links.delete(cut);
    };
    this.#links.add(cut);
    const session = new Session((sql) => this.#next(sql));
    const breakOff = () => {
      this.onFault();
      cut();
    };
    client.on("data", (data: Buffer) => (session.fromClient(data) === "cut" ? breakOff() : server.write(data)));
    server.on("data", (data: Buffer) => {
      const { forward, isOver } = session.fromServer(data);
      if (isOver) breakOff();
      else if (forward.length > 0) client.write(forward);
    });
    for (const socket of [client, server]) socket.on("close", cut).on("error", cut);
  }

  #next(sql: string): Fault["how"] | undefined {
    this.lastStatement = sql;
    const fault = this.faults.find(({ statement, times }) => times > 0 && statement.test(sql));
    if (!fault) return undefined;
    if (fault.skip) {
      fault.skip -= 1;
      return undefined;
    }
    fault.times -= 1;
    this.happened.push(`${fault.how} ${fault.statement.source}`);
    return fault.how;
  }
}

/** The statements in progress on one connection. */
class Session {
  readonly #client = new Messages(false);
  readonly #server = new Messages(true);
  readonly #prepared = new Map<string, string>();
  /** One entry for each response that the server owes; true if it is to be lost. */
  readonly #owed: boolean[] = [false];
  #isDoomed = false;
  readonly #fault: (sql: string) => Fault["how"] | undefined;

  constructor(fault: (sql: string) => Fault["how"] | undefined) {
    this.#fault = fault;
  }

  fromClient(data: Buffer): "cut" | undefined {
    for (const { type, body } of this.#client.read(data)) {
      const fate = this.#statement(type, body);
      if (fate === "before") return "cut";
      if (fate === "after") this.#isDoomed = true;
      if (type === "S" || type === "Q") {
        this.#owed.push(this.#isDoomed);
        this.#isDoomed = false;
      }
    }
    return undefined;
  }

  /** A response that is to be lost is held back until it is complete; then the connection is cut. */
  fromServer(data: Buffer): { forward: Buffer; isOver: boolean } {
    const forward: Buffer[] = [];
    for (const { type, whole } of this.#server.read(data)) {
      if (!this.#owed[0]) forward.push(whole);
      if (type === "Z" && this.#owed.shift()) return { forward: Buffer.alloc(0), isOver: true };
    }
    return { forward: Buffer.concat(forward), isOver: false };
  }

  /** Parse names a statement, Bind uses one; Query contains its text. */
  #statement(type: string, body: Buffer): Fault["how"] | undefined {
    if (type === "Q") return this.#fault(textAt(body, 0));
    if (type === "P") {
      const name = textAt(body, 0);
      this.#prepared.set(name, textAt(body, Buffer.byteLength(name) + 1));
    }
    if (type !== "B") return undefined;
    const portal = textAt(body, 0);
    return this.#fault(this.#prepared.get(textAt(body, Buffer.byteLength(portal) + 1)) ?? "");
  }
}

/** Splits a stream of bytes into messages. The first message of a client has no type. */
class Messages {
  #rest = Buffer.alloc(0);
  #hasType: boolean;

  constructor(hasType: boolean) {
    this.#hasType = hasType;
  }

  read(data: Buffer): { type: string; body: Buffer; whole: Buffer }[] {
    this.#rest = Buffer.concat([this.#rest, data]);
    const messages: { type: string; body: Buffer; whole: Buffer }[] = [];
    for (;;) {
      const head = this.#hasType ? 1 : 0;
      if (this.#rest.length < head + 4) return messages;
      const length = head + this.#rest.readInt32BE(head);
      if (this.#rest.length < length) return messages;
      const whole = this.#rest.subarray(0, length);
      messages.push({ type: head === 1 ? String.fromCharCode(whole[0] as number) : "", body: whole.subarray(head + 4), whole });
      this.#rest = this.#rest.subarray(length);
      this.#hasType = true;
    }
  }
}

function textAt(body: Buffer, start: number): string {
  return body.toString("utf8", start, body.indexOf(0, start));
}

function proxied(target: DatabaseAddress, socketFolder: string): DatabaseAddress {
  const { user, database, password } = addressOptions(target);
  return { socketFolder, user: user ?? "", database: database ?? "", ...(password && { password }) };
}

function connectTo(target: DatabaseAddress): Socket {
  const { path, host, port } = addressOptions(target);
  return path === undefined ? connect([port].flat()[0] ?? 5432, host?.[0] ?? "localhost") : connect(path);
}
