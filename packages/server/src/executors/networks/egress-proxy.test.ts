import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, fstatSync, openSync } from "node:fs";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect, createServer as createPlainServer, type Server, type Socket } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lookupAll } from "../../base/network/system-names.ts";
import { measureUnlinked } from "../folders/open-files.ts";
import { connectOutbound } from "./egress-connect.ts";
import { connectionLimits, createEgressProxy, type EgressListener, joinStreams, maxConnections } from "./egress-proxy.ts";
import { createOutboundPolicy, defaultOutbound, type OutboundPolicySettings } from "./outbound-policy.ts";
import { createOutboundRule, type OutboundRule } from "./outbound-rule.ts";

/** The proxy as seen by a step: over its socket file, with servers of this machine on the other side. */
let folder: string;
const closers: (() => unknown)[] = [];
beforeAll(async () => {
  // Longer than the maximum length of a socket's address.
  folder = join(await mkdtemp(join(tmpdir(), "millrace-egress-")), "x".repeat(120));
  await mkdir(folder);
});
afterAll(async () => {
  for (const close of closers) close();
  await rm(join(folder, ".."), { recursive: true, force: true });
});

async function listening(server: Server, host = "127.0.0.1"): Promise<number> {
  await new Promise<void>((done) => server.listen(0, host, done));
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

test.each([
  [undefined, { attempt: 256, team: 2_048, service: 4_096 }],
  [1_048_576, { attempt: 256, team: 2_048, service: 4_096 }],
  [4_096, { attempt: 256, team: 256, service: 512 }],
  [1_024, { attempt: 64, team: 64, service: 128 }],
  [64, { attempt: 8, team: 8, service: 16 }],
])("with %s open files connections take at most a quarter of them", (openFiles, limits) => {
  expect(connectionLimits(openFiles)).toEqual(limits);
});

let count = 0;
async function openProxy(settings: Partial<OutboundPolicySettings> = {}, limits = maxConnections) {
  const policy = createOutboundPolicy({ privateNetworks: true, allow: [], guarded: [], ...settings });
  const lines: string[] = [];
  const path = join(folder, `egress-${count++}.sock`);
  const proxy = createEgressProxy(policy, limits);
  const listener = await proxy.listen({ path }, "team-1", (line) => void lines.push(line));
  closers.push(() => listener.close());
  return { proxy, listener, path, lines };
}

/** Through CONNECT: returns the socket of the tunnel, or the proxy's response instead. */
function tunnel(path: string, authority: string): Promise<{ status: number; text: string; socket?: Socket }> {
  return new Promise((done, fail) => {
    const asked = request({ socketPath: asShort(path), method: "CONNECT", path: authority });
    asked.on("error", fail);
    asked.on("connect", (answer, socket: Socket, head) => {
      if (answer.statusCode === 200) return done({ status: 200, text: "", socket });
      let text = head.toString();
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("close", () => done({ status: answer.statusCode ?? 0, text: text.trim() }));
    });
    asked.end();
  });
}

/** A client has the same limit of length; steps see the file at a short path. */
function asShort(path: string): string {
  const [, name] = /([^/]+)$/.exec(path) ?? [];
  return `/proc/self/fd/${folderNumber()}/${name}`;
}
let opened: number | undefined;
function folderNumber(): number {
  opened ??= openSync(folder, "r");
  return opened;
}

function fetchThrough(path: string, url: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
  return new Promise<{ status: number; headers: IncomingMessage["headers"]; text: string }>((done, fail) => {
    const asked = request({ socketPath: asShort(path), path: url, method: options.method ?? "GET", headers: options.headers ?? {} });
    asked.on("error", fail);
    asked.on("response", (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("end", () => done({ status: answer.statusCode ?? 0, headers: answer.headers, text: text.trim() }));
    });
    asked.end(options.body);
  });
}

describe("what an attempt may not reach", () => {
  const forms = ["127.0.0.1", "127.1", "0x7f000001", "2130706433", "017700000001", "0.0.0.0", "0", "localhost", "LOCALHOST."];
  const v6 = ["[::1]", "[::]", "[::ffff:127.0.0.1]", "[0:0:0:0:0:ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fe80::1%lo]"];
  const near = ["169.254.169.254", "[fd00:ec2::254]", "100.100.100.200", "169.254.7.7", "255.255.255.255", "224.0.0.1"];
  test.each([...forms, ...v6, ...near])("%s is refused by name, and the log of the attempt says so", async (host) => {
    const server = createPlainServer((socket) => socket.end("reached"));
    const port = await listening(server);
    const { path, lines } = await openProxy();
    const { status, text } = await tunnel(path, `${host}:${port}`);
    // Some resolvers don't know unusual spellings: then there is nothing to reach.
    if (status === 502) return expect(text).toMatch(/could not be resolved/);
    expect({ status, text }).toEqual({ status: 403, text: expect.stringMatching(/^connection to .* refused: it is /) });
    expect(lines).toEqual([text]);
    const plain = await fetchThrough(path, `http://${host}:${port}/`).catch(() => ({ status: 403, text: "" }));
    expect([400, 403]).toContain(plain.status);
    expect(plain.text).not.toContain("reached");
  });

  test("the addresses of this machine and the database's socket", async () => {
    const address = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .find(({ internal, family }) => !internal && family === "IPv4")?.address;
    const resolve = async (name: string): Promise<string[]> => (name === "db.internal" ? ["10.9.8.7"] : []);
    const { path } = await openProxy({ resolve, guarded: [{ what: "the database", host: "db.internal", port: () => 5432 }] });
    expect((await tunnel(path, "10.9.8.7:5432")).text).toContain("it is the database; only MILLRACE_TASK_OUTBOUND_ALLOW=10.9.8.7:5432");
    expect((await tunnel(path, "db.internal:5432")).text).toContain("it is the database");
    if (address === undefined) return console.log("this machine has no address but loopback");
    expect((await tunnel(path, `${address}:8080`)).text).toContain("an address of this machine");
  });

  test("an address of this machine that is not in any list yet: a connection that ends at the machine is closed", async ({ skip }) => {
    const address = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .find(({ internal, family }) => !internal && family === "IPv4")?.address;
    if (address === undefined) return skip("this machine has no address but loopback");
    let greeted = 0;
    const server = createPlainServer((socket) => socket.on("data", () => greeted++).on("error", () => undefined));
    const port = await listening(server, address);
    const of = (allow: string[]) => createOutboundRule({ privateNetworks: true, allow, machine: [], guarded: [] });
    const connectWith = (rule: OutboundRule) =>
      connectOutbound(
        { ...createOutboundPolicy(defaultOutbound), rule: async () => rule },
        { resolve: lookupAll, end: () => undefined },
        { host: address, port },
        AbortSignal.timeout(15_000),
      );
    await expect(connectWith(of([]))).rejects.toThrow(`connection to ${address}:${port} refused: it is an address of this machine`);
    expect(greeted).toBe(0);
    (await connectWith(of([`${address}:${port}`]))).destroy();
  });

  test("DNS rebinding gains nothing: the connection goes to the address that was checked", async () => {
    const server = createPlainServer((socket) => socket.end("reached"));
    const port = await listening(server);
    const answers = [["127.0.0.9"], ["127.0.0.1"]];
    const resolve = async (): Promise<string[]> => answers.shift() ?? ["127.0.0.1"];
    const { path } = await openProxy({ resolve, allow: [`127.0.0.9:${port}`] });
    // Only 127.0.0.9 is allowed, where nothing listens; resolved a second time, the name would lead to the server.
    expect(await tunnel(path, `rebinding.example:${port}`)).toMatchObject({ status: 502, text: expect.stringContaining("127.0.0.9") });
    expect(await tunnel(path, `rebinding.example:${port}`)).toMatchObject({ status: 403, text: expect.stringContaining("(127.0.0.1)") });
  });

  test("if a name has several addresses, only the allowed ones are tried", async () => {
    const port = await listening(createPlainServer((socket) => socket.end("reached")));
    const resolve = async (): Promise<string[]> => ["::1", "169.254.169.254", "127.0.0.1"];
    const { path } = await openProxy({ resolve, allow: [`127.0.0.1:${port}`] });
    const { status, socket } = await tunnel(path, `several.example:${port}`);
    expect(status).toBe(200);
    expect(socket?.destroy().destroyed).toBe(true);
  });

  test("a redirect opens a separate connection", async () => {
    const inner = await listening(createServer((_request, response) => void response.end("inner")));
    const outer = await listening(
      createServer((_request, response) => void response.writeHead(302, { location: `http://127.0.0.1:${inner}/` }).end()),
    );
    const { path, lines } = await openProxy({ allow: [`127.0.0.1:${outer}`] });
    const first = await fetchThrough(path, `http://127.0.0.1:${outer}/`);
    expect(first.status).toBe(302);
    expect(await fetchThrough(path, String(first.headers.location))).toMatchObject({ status: 403 });
    expect(lines).toEqual([expect.stringContaining(`MILLRACE_TASK_OUTBOUND_ALLOW=127.0.0.1:${inner} would allow it`)]);
  });

  test("the log names twenty refusals and no more", async () => {
    const { path, lines } = await openProxy();
    for (let port = 1; port <= 30; port++) await tunnel(path, `127.0.0.1:${port}`);
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe("further refused connections are not logged");
  });
});

describe("what an attempt may reach", () => {
  let echo: number;
  let web: number;
  beforeAll(async () => {
    echo = await listening(createPlainServer((socket) => void socket.pipe(socket)));
    const answer = createServer((asked, response) => {
      let body = "";
      asked.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      asked.on("end", () => {
        response.writeHead(201, { "x-seen": JSON.stringify(asked.headers), "set-cookie": ["a=1", "b=2"], "x-millrace-egress": "REFUSED" });
        response.end(`${asked.method} ${asked.url} ${body.length}`);
      });
    });
    web = await listening(answer);
  });

  test("what a server sent before it closed reaches a client that reads slowly; a connection that broke is closed at once", async () => {
    const held: (() => void)[] = [];
    const got: string[] = [];
    const pair = () => {
      const client = new Duplex({
        read() {},
        write: (chunk, _, done) => {
          got.push(String(chunk));
          held.push(done);
        },
        highWaterMark: 1,
      });
      const upstream = new Duplex({ read() {}, write: (_chunk, _, done) => done() });
      joinStreams(client, upstream);
      return { client, upstream };
    };
    const slow = pair();
    slow.upstream.push("one");
    slow.client.push(null);
    slow.upstream.push(null);
    await once(slow.upstream, "close");
    expect([got, slow.client.destroyed]).toEqual([["one"], false]);
    held.shift()?.();
    await once(slow.client, "close");
    expect(slow.client.writableFinished).toBe(true);

    const broken = pair();
    broken.upstream.push("two");
    broken.upstream.destroy();
    await once(broken.client, "close");
    expect(broken.client.writableFinished).toBe(false);
  });

  test("bytes go both ways through a tunnel, and when one side ends, the other one does, too", async () => {
    const { path } = await openProxy({ allow: ["127.0.0.1"] });
    const { socket } = await tunnel(path, `127.0.0.1:${echo}`);
    const big = Buffer.alloc(3_000_000, "x");
    let bytes = 0;
    socket?.on("data", (chunk) => {
      bytes += chunk.length;
    });
    const ended = new Promise((done) => socket?.on("end", done));
    socket?.end(big);
    await ended;
    expect(bytes).toBe(big.length);
  });

  test("a plain request keeps its method, body and headers, except the headers for the proxy", async () => {
    const { path } = await openProxy({ allow: ["127.0.0.0/8"] });
    const headers = { "proxy-authorization": "Basic eDp5", connection: "x-mine", "x-mine": "1", "x-other": "2", host: "elsewhere" };
    const answer = await fetchThrough(path, `http://127.0.0.1:${web}/a?b=c`, { method: "PUT", headers, body: "y".repeat(200_000) });
    expect(answer).toMatchObject({ status: 201, text: "PUT /a?b=c 200000" });
    const seen = JSON.parse(String(answer.headers["x-seen"]));
    expect(seen).toMatchObject({ host: `127.0.0.1:${web}`, "x-other": "2", connection: "close" });
    expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(["proxy-authorization"]));
    expect(seen["x-mine"]).toBeUndefined();
    expect(answer.headers["set-cookie"]).toEqual(["a=1", "b=2"]);
    // Only the proxy may use this header, which marks a refusal.
    expect(answer.headers["x-millrace-egress"]).toBeUndefined();
  });

  test("a server that does not answer is distinguished from one that is refused", async () => {
    const { path, lines } = await openProxy({
      allow: ["127.0.0.1"],
      resolve: () => Promise.reject(Object.assign(new Error(), { code: "ENOTFOUND" })),
    });
    expect(await tunnel(path, "127.0.0.1:1")).toEqual({ status: 502, text: "127.0.0.1:1 could not be reached (ECONNREFUSED)" });
    expect((await fetchThrough(path, "http://no.example/")).headers["x-millrace-egress"]).toBe("ENOTFOUND");
    expect(lines).toEqual([]);
  });

  test.each(["/", "ftp://example.com/", "http://user:pw@example.com/", "http://"])(
    "a request for %j is refused as invalid",
    async (url) => {
      const { path } = await openProxy();
      expect((await fetchThrough(path, url)).status).toBe(400);
    },
  );

  test.each(["example.com", "example.com:0", "example.com:70000", ":80", "a b:80"])(
    "CONNECT %j is refused as invalid",
    async (authority) => {
      const { path } = await openProxy();
      const answer = await tunnel(path, authority).catch(() => ({ status: 400 }));
      expect(answer.status).toBe(400);
    },
  );
});

test("closing a proxy closes every connection and removes its socket, but not the socket of another attempt", async () => {
  const port = await listening(createPlainServer(() => undefined));
  const open = await openProxy({ allow: ["127.0.0.1"] });
  const other = await openProxy({ allow: ["127.0.0.1"] });
  const { socket } = await tunnel(open.path, `127.0.0.1:${port}`);
  const closed = new Promise((done) => socket?.on("close", done).resume());
  (open.listener as EgressListener).close();
  await closed;
  expect(existsSync(open.path)).toBe(false);
  expect((await tunnel(other.path, `127.0.0.1:${port}`)).status).toBe(200);
});

test("closing a proxy twice closes no file that was opened in between", async () => {
  const { listener } = await openProxy();
  listener.close();
  const opened = Array.from({ length: 50 }, () => openSync(folder, "r"));
  listener.close();
  expect(opened.map((descriptor) => fstatSync(descriptor).isDirectory())).toEqual(opened.map(() => true));
  for (const descriptor of opened) closeSync(descriptor);
});

test("files that a step sends into a connection that nobody reads any more count as hidden", async ({ skip }) => {
  const port = await listening(createPlainServer({ pauseOnConnect: true }, () => undefined));
  const { path, listener } = await openProxy({ allow: ["127.0.0.1"] });
  const script = `import array, os, socket, sys, time
client = socket.socket(socket.AF_UNIX); client.connect(sys.argv[1]); client.sendall(b"CONNECT 127.0.0.1:${port} HTTP/1.1\\r\\n\\r\\n"); client.recv(99)
client.setblocking(False)
end = time.monotonic() + 2
while time.monotonic() < end:
    try: end = time.monotonic() + (2 if client.send(b"x" * 4096) else 0)
    except BlockingIOError: time.sleep(0.05)
client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4194304)
held = os.open("sent", os.O_CREAT | os.O_RDWR); os.unlink("sent")
client.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [held]))]); os.close(held)
print("ready", flush=True); time.sleep(1000)`;
  const place = await mkdtemp(join(tmpdir(), "millrace-sent-"));
  closers.push(() => rm(place, { recursive: true, force: true }));
  const python = spawn("python3", ["-c", script, asShort(path).replace("self", `${process.pid}`)], {
    cwd: place,
    stdio: ["ignore", "pipe", "inherit"],
  });
  closers.push(() => python.kill("SIGKILL"));
  const said = await new Promise((done) =>
    python
      .on("error", () => done(""))
      .on("exit", () => done("ended"))
      .stdout.once("data", (text) => done(`${text}`)),
  );
  if (said === "") return skip("python3 is not there to send a descriptor");
  expect(said).toMatch(/^ready/);
  const search = { pids: [python.pid ?? 0], devices: new Set([(await stat(place)).dev]) };
  expect(await measureUnlinked({ ...search, descriptions: [] })).toMatchObject({ isComplete: true });
  expect(await measureUnlinked({ ...search, descriptions: listener.descriptions() })).toMatchObject({
    isComplete: false,
    isMemoryComplete: false,
  });
});

test("no team can use all connections of a worker", async () => {
  const { path: one, proxy } = await openProxy({}, { attempt: 256, team: 6, service: 8 });
  const lines: string[] = [];
  const path = join(folder, `egress-${count++}.sock`);
  const listener = await proxy.listen({ path }, "team-2", (line) => void lines.push(line));
  closers.push(() => listener.close());
  const sockets = Array.from({ length: 10 }, () => connect(asShort(one)));
  const closed = sockets.map((socket) => new Promise<void>((done) => socket.on("error", () => undefined).on("close", () => done())));
  await Promise.any(closed);
  expect((await tunnel(path, "127.0.0.1:1")).status).toBe(403);
  expect(lines.join()).not.toContain("too many connections");
  for (const socket of sockets) socket.destroy();
});

test("more connections than an attempt may have are closed, and the log says so", async () => {
  const { path, lines } = await openProxy();
  const sockets = Array.from({ length: 300 }, () => connect(asShort(path)));
  const closed = sockets.map((socket) => new Promise<void>((done) => socket.on("error", () => undefined).on("close", () => done())));
  await Promise.any(closed);
  expect(lines).toEqual(["more than 256 connections at once: the others are closed"]);
  for (const socket of sockets) socket.destroy();
});
