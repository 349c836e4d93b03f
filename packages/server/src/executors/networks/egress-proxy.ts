import { closeSync, openSync, rmSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { basename, dirname } from "node:path";
import type { Duplex } from "node:stream";
import type { NameResolver } from "../../base/network/name-resolver.ts";
import { splitEndpoint } from "../../base/text/endpoint-text.ts";
import { openFilesLimit } from "../machine/machine-memory.ts";
import { EgressClient } from "./egress-client.ts";
import { BrokenConnection, connectOutbound, type Destination, RefusedConnection } from "./egress-connect.ts";
import { forwardRequest } from "./forward-request.ts";
import type { OutboundPolicy } from "./outbound-policy.ts";

/**
 * The outbound access of steps with the network `outbound`: an HTTP proxy of the service (CONNECT for anything, absolute URLs for plain
 * HTTP) on a socket that belongs to one attempt. A step has no other network, so it can't bypass the check; and each redirect that a
 * program follows is a separate connection. What waits here is bounded: connections, headers, and idle time.
 */
export interface EgressProxy {
  /** @param refused receives a line for the log of the attempt */
  listen(where: EgressAddress, teamId: string, refused: (line: string) => void): Promise<EgressListener>;
}

/** A socket file, or any free port of the loopback address if steps share the machine's network. */
export type EgressAddress = { path: string } | "loopback";

export interface EgressListener {
  /** Its port on the loopback address; 0 for a socket file. */
  readonly port: number;
  /**
   * Where the kernel describes our end of each of its connections: a step can send open files there, which are then in none of its own
   * lists.
   */
  descriptions(): string[];
  /** Closes it with all of its connections, and removes the socket file. Safe to call twice. */
  close(): void;
}

/** No team can use all connections, and all of them together leave most descriptors to the service: each connection takes two. */
export const maxConnections = connectionLimits(openFilesLimit);

/** @param openFiles limit of the service; undefined: not known */
export function connectionLimits(openFiles: number | undefined): { attempt: number; team: number; service: number } {
  const service = Math.max(16, Math.min(4_096, Math.floor((openFiles ?? Number.POSITIVE_INFINITY) / 8)));
  const team = Math.floor(service / 2);
  return { attempt: Math.min(256, team), team, service };
}
/** How long nothing was sent in either direction. */
const idleMs = 15 * 60_000;
const headerTimeoutMs = 30_000;
/** How many different lines about refusals an attempt gets. */
const maxRefusals = 20;

export function createEgressProxy(policy: OutboundPolicy, limits = maxConnections): EgressProxy {
  const open = new OpenConnections(limits);
  return {
    async listen(where, teamId, refused) {
      const attempt = new EgressAttempt(policy, open.of(teamId), refused);
      const server = createServer({ maxHeaderSize: 65_536, headersTimeout: headerTimeoutMs, requestTimeout: 0 });
      server.on("connection", (socket) => attempt.admit(socket));
      server.on("request", (request, response) => attempt.forward(request, response));
      server.on("connect", (request, socket, head) => attempt.tunnel(request, socket, head));
      server.on("clientError", (_error, socket) => socket.destroy());
      const bound = await bind(server, where);
      let isClosed = false;
      return {
        port: bound.port,
        descriptions: () => attempt.descriptions(),
        close() {
          // At a second call, the descriptor of its folder may already be reused for a socket.
          if (isClosed) return;
          isClosed = true;
          attempt.end();
          server.close();
          bound.release();
        },
      };
    },
  };
}

/** A path may be too long for the address of a socket, so it is given relative to the open folder. */
async function bind(server: ReturnType<typeof createServer>, where: EgressAddress): Promise<{ port: number; release(): void }> {
  const listen = (options: object): Promise<void> =>
    new Promise((done, fail) => {
      server.once("error", fail).listen(options, () => {
        server.off("error", fail).on("error", () => undefined);
        done();
      });
    });
  if (where === "loopback") {
    await listen({ host: "127.0.0.1", port: 0 });
    return { port: (server.address() as AddressInfo).port, release: () => undefined };
  }
  const folder = openSync(dirname(where.path), "r");
  try {
    await listen({ path: `/proc/self/fd/${folder}/${basename(where.path)}` });
    // Only steps of this attempt see the file, whichever user they have.
    await chmod(where.path, 0o666);
  } catch (error) {
    closeSync(folder);
    throw error;
  }
  // Node removes the file by the path that it was given, so the folder stays open until then.
  const release = (): void => {
    rmSync(where.path, { force: true });
    closeSync(folder);
  };
  return { port: 0, release };
}

/** Counts the connections of all attempts. */
class OpenConnections {
  #all = 0;
  readonly #byTeam = new Map<string, number>();
  readonly #limits: typeof maxConnections;

  constructor(limits: typeof maxConnections) {
    this.#limits = limits;
  }

  of(teamId: string): TeamConnections {
    return {
      take: () => {
        const own = this.#byTeam.get(teamId) ?? 0;
        if (own >= this.#limits.team || this.#all >= this.#limits.service) return false;
        this.#all++;
        this.#byTeam.set(teamId, own + 1);
        return true;
      },
      close: () => {
        this.#all--;
        const left = (this.#byTeam.get(teamId) ?? 1) - 1;
        if (left > 0) this.#byTeam.set(teamId, left);
        else this.#byTeam.delete(teamId);
      },
    };
  }
}

interface TeamConnections {
  /** @returns false if the maximum is reached */
  take(): boolean;
  close(): void;
}

/** A tunnel that a client requests, with the bytes that came after the request. */
interface Asked {
  client: EgressClient;
  socket: Duplex;
  head: Buffer;
}

/** The connections of one attempt. */
class EgressAttempt {
  readonly #policy: OutboundPolicy;
  readonly #names: NameResolver;
  readonly #open: TeamConnections;
  readonly #refused: (line: string) => void;
  readonly #ending = new AbortController();
  readonly #clients = new Map<Duplex, EgressClient>();
  readonly #reported = new Set<string>();

  constructor(policy: OutboundPolicy, open: TeamConnections, refused: (line: string) => void) {
    this.#policy = policy;
    this.#names = policy.stepNames();
    this.#open = open;
    this.#refused = refused;
  }

  admit(socket: Socket): void {
    if (this.#clients.size >= maxConnections.attempt) {
      this.#report(`more than ${maxConnections.attempt} connections at once: the others are closed`);
      return void socket.destroy();
    }
    if (!this.#open.take()) {
      this.#report(
        `the tasks of the team, or of this worker, have too many connections at once (${maxConnections.team}, ${maxConnections.service})`,
      );
      return void socket.destroy();
    }
    this.#clients.set(socket, new EgressClient(socket));
    socket.setTimeout(idleMs, () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      this.#open.close();
      this.#clients.delete(socket);
    });
  }

  descriptions(): string[] {
    return [...this.#clients.keys()].flatMap(descriptionOf);
  }

  end(): void {
    this.#ending.abort();
    this.#names.end();
    for (const socket of this.#clients.keys()) socket.destroy();
  }

  tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const client = this.#clients.get(socket);
    client?.take(() => this.#tunnel(request, { client, socket, head }));
  }

  forward(request: IncomingMessage, response: ServerResponse): void {
    const client = this.#clients.get(request.socket);
    client?.take(() => this.#forward(client, request, response));
  }

  async #tunnel(request: IncomingMessage, { client, socket, head }: Asked): Promise<void> {
    const target = readDestination(request.url ?? "");
    if (target === undefined) return void socket.end(plainAnswer(400, "CONNECT needs a host and a port, such as example.com:443"));
    try {
      const upstream = await this.#connect(target, client);
      if (socket.destroyed) return void upstream.destroy();
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      if (head.length > 0) upstream.write(head);
      joinStreams(socket, upstream);
    } catch (error) {
      socket.end(plainAnswer(...explain(error)));
    }
  }

  async #forward(client: EgressClient, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await forwardRequest(request, response, (target) => this.#connect(target, client));
    } catch (error) {
      if (response.headersSent) return void response.destroy();
      const [status, text, code] = explain(error);
      response.writeHead(status, { ...refusalHeaders(code), connection: "close" });
      response.end(`${text}\n`);
    }
  }

  async #connect(target: Destination, { signal }: EgressClient): Promise<Socket> {
    try {
      const isOver = AbortSignal.any([this.#ending.signal, signal]);
      const socket = await connectOutbound(this.#policy, this.#names, target, isOver);
      socket.setTimeout(idleMs, () => socket.destroy());
      return socket;
    } catch (error) {
      if (error instanceof RefusedConnection) this.#report(error.message);
      throw error;
    }
  }

  #report(line: string): void {
    if (this.#reported.size >= maxRefusals || this.#reported.has(line)) return;
    this.#reported.add(line);
    this.#refused(line);
    if (this.#reported.size === maxRefusals) this.#refused("further refused connections are not logged");
  }
}

/** Node has no other way to get the number of a descriptor. */
function descriptionOf(socket: Duplex): string[] {
  const { fd = -1 } = (socket as { _handle?: { fd?: number } | null })._handle ?? {};
  return fd < 0 ? [] : [`/proc/self/fdinfo/${fd}`];
}

function readDestination(text: string): Destination | undefined {
  const { host, port } = splitEndpoint(text);
  if (!/^[\w.:%-]{1,255}$/.test(host) || port === undefined || !/^\d{1,5}$/.test(port)) return undefined;
  const number = Number(port);
  return number >= 1 && number <= 65_535 ? { host, port: number } : undefined;
}

/**
 * Sends bytes both ways until one side closes. What a server sent before it closed still reaches a client that reads slowly: then the client
 * is closed after that. The other way round nothing waits, since only clients count as connections of their team.
 */
export function joinStreams(client: Duplex, upstream: Duplex): void {
  client.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
  upstream
    .on("error", () => client.destroy())
    .on("close", () => (upstream.readableEnded ? client.end(() => client.destroy()) : client.destroy()));
  client.pipe(upstream).pipe(client);
}

function explain(error: unknown): [status: number, text: string, code: string] {
  if (error instanceof RefusedConnection) return [403, error.message, "REFUSED"];
  if (error instanceof BrokenConnection) return [502, error.message, error.code];
  const { code = "EPROTO", message } = error as NodeJS.ErrnoException;
  return code === "BAD_REQUEST" ? [400, message, code] : [502, `the connection broke (${code})`, code];
}

/** For our own programs, which distinguish a refusal from a broken connection. */
function refusalHeaders(code: string): Record<string, string> {
  return { "content-type": "text/plain; charset=utf-8", "x-millrace-egress": code };
}

const words: Record<number, string> = { 400: "Bad Request", 403: "Forbidden", 502: "Bad Gateway" };

function plainAnswer(status: number, text: string, code = "BAD_REQUEST"): string {
  const head = Object.entries({ ...refusalHeaders(code), "content-length": Buffer.byteLength(text) + 1, connection: "close" });
  return `HTTP/1.1 ${status} ${words[status]}\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${text}\n`;
}
