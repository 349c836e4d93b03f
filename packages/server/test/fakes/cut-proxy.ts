import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { addressOptions, type DatabaseAddress } from "../../src/store/database/database-address.ts";

/** Where connections are cut: the `connection`th from now on, counted from 1, once the server has sent this many bytes on it. */
export interface Cut {
  connection: number;
  afterBytes: number;
  /** Also cuts all later ones, at their first byte. */
  andAllLater?: boolean;
}

/** A proxy between a service and its database that cuts connections without understanding the protocol. */
export class CutProxy {
  /** Where the service must connect to. */
  readonly url: string;
  /** Bytes from the server on each connection since the last `plan`. */
  seen: number[] = [];
  hasCut = false;
  /** What comes from either side is lost, without any error: a network that drops packets, a server whose disk hangs. */
  isSilent = false;
  #cut: Cut | undefined;
  readonly #server: Server;
  readonly #folder: string;
  readonly #sockets = new Set<Socket>();

  // biome-ignore lint/style/useConsistentMemberAccessibility: there is no #constructor
  private constructor(url: string, server: Server, folder: string) {
    this.url = url;
    this.#server = server;
    this.#folder = folder;
  }

  static async start(target: DatabaseAddress): Promise<CutProxy> {
    const folder = await mkdtemp("/tmp/millrace-cut-");
    const { user, database, password, path, host, port } = addressOptions(target);
    const server = createServer();
    const login = password === undefined ? user : `${user}:${encodeURIComponent(password)}`;
    const proxy = new CutProxy(`postgres://${login}@localhost/${database}?host=${encodeURIComponent(folder)}`, server, folder);
    const dial = () => (path === undefined ? connect([port].flat()[0] ?? 5432, host?.[0] ?? "localhost") : connect(path));
    server.on("connection", (client) => proxy.#link(client, dial()));
    await new Promise<void>((resolve) => server.listen(join(folder, ".s.PGSQL.5432"), resolve));
    return proxy;
  }

  /** Restarts the counts. */
  plan(cut?: Cut): void {
    this.#cut = cut;
    this.seen = [];
    this.hasCut = false;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.#folder, { recursive: true, force: true });
  }

  #link(client: Socket, server: Socket): void {
    const seen = this.seen;
    const index = seen.push(0) - 1;
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on("error", end).on("close", () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    client.on("data", (data: Buffer) => void (this.isSilent || server.write(data)));
    server.on("data", (data: Buffer) => {
      if (this.isSilent) return;
      const left = seen === this.seen ? this.#leftOn(index + 1, seen[index] as number) : Number.POSITIVE_INFINITY;
      seen[index] = (seen[index] as number) + data.length;
      if (left >= data.length) return void client.write(data);
      this.hasCut = true;
      if (left > 0) client.write(data.subarray(0, left));
      client.destroySoon();
      server.destroy();
    });
  }

  /** How many bytes may still pass. */
  #leftOn(connection: number, sent: number): number {
    const cut = this.#cut;
    if (cut === undefined || connection < cut.connection) return Number.POSITIVE_INFINITY;
    if (connection > cut.connection) return cut.andAllLater ? 0 : Number.POSITIVE_INFINITY;
    return Math.max(cut.afterBytes - sent, 0);
  }
}
