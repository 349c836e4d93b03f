import { existsSync, readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { answer, message, type OnPiece, refusal, startFakeServer, welcome } from "../test/fake-server.ts";
import { testPool } from "../test/test-server.ts";
import { type PoolSql, type PostgresOptions, postgres } from "./postgres.ts";

function open(options: PostgresOptions): PoolSql {
  const sql = postgres(options);
  onTestFinished(() => sql.end({ timeout: 0 }));
  return sql;
}

/** Accepts connections, and leaves statements to the test. */
const welcoming =
  (onStatement: OnPiece): OnPiece =>
  (socket, piece, index) =>
    void (piece.readInt32BE(0) === piece.length ? socket.write(welcome) : onStatement(socket, piece, index));

test.runIf(existsSync("/proc/self/io"))("statements of several requests share a packet", async () => {
  const sql = testPool();
  const ask = () => Promise.all(Array.from({ length: 20 }, (_, index) => sql`select ${index}::int as "shared"`));
  await sql`select ${0}::int as "shared"`;
  const before = countWrites();
  const rows = await ask();
  expect(rows.map(([row]) => row!.shared)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  // It takes one write; other writes of this process in the meantime are counted, too.
  expect(countWrites() - before).toBeLessThan(10);
});

/** The number of write system calls of this process. */
function countWrites(): number {
  return Number(/^syscw: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))![1]);
}

test("no statement gets the result of another one when the connection breaks between them", async () => {
  const { options, pieces } = await startFakeServer(
    welcoming((socket, _piece, index) => {
      if (index > 0) return void socket.write(answer("second"));
      const whole = answer("first");
      socket.write(whole.subarray(0, whole.length - 6));
      socket.end();
    }),
  );
  const sql = open(options);
  const asked = ["one", "two", "three"].map((text) => sql.unsafe(`select '${text}'`).catch((error: unknown) => error));
  expect(await asked[0]).toMatchObject({ code: "CONNECTION_CLOSED", query: "select 'one'" });
  expect(await Promise.all(asked.slice(1))).toEqual([[{ a: "second" }], [{ a: "second" }]]);
  expect(pieces[1]![0]).toContain("client_encoding");
});

test("a statement that is sent while the socket breaks fails, and the process continues", async () => {
  const { options } = await startFakeServer(welcoming((socket) => void socket.destroy()));
  const sql = open({ ...options, pauseMs: () => 5 });
  for (let round = 0; round < 5; round++) {
    const failing = Array.from({ length: 5 }, () => sql`select ${"x".repeat(200_000)}`);
    const failures = await Promise.all(failing.map((one) => one.then(() => undefined).catch((error: { code?: string }) => error.code)));
    expect(failures).not.toContain(undefined);
  }
});

test("statements that were not sent on a broken connection are not sent on the next one", async () => {
  const { options, pieces } = await startFakeServer(
    welcoming((socket, piece, index) => {
      if (index === 0) return void socket.destroy();
      if (piece.toString().includes("later")) socket.write(answer("later"));
    }),
  );
  const sql = open(options);
  await expect(sql.unsafe("select 'first'")).rejects.toMatchObject({
    code: expect.stringMatching(/^(CONNECTION_CLOSED|ECONNRESET|EPIPE)$/),
  });
  expect(await sql.unsafe("select 'later'")).toEqual([{ a: "later" }]);
  expect(pieces[1]!.join("")).not.toContain("first");
});

test("a server that hangs up before it is ready is retried with pauses, and then the statement fails", async () => {
  let connections = 0;
  const { options } = await startFakeServer(
    () => undefined,
    (socket) => {
      connections++;
      socket.destroy();
    },
  );
  const sql = open({ ...options, pauseMs: () => 100 });
  const startedAt = performance.now();
  for (let round = 0; round < 3; round++)
    await expect(sql`select 1`).rejects.toMatchObject({ code: expect.stringMatching(/^(CONNECTION_CLOSED|ECONNRESET|EPIPE)$/) });
  expect(connections).toBe(3);
  expect(performance.now() - startedAt).toBeGreaterThan(190);
});

test("a server that never answers is given up, and everything that waits for it fails", async () => {
  const { options } = await startFakeServer(() => undefined);
  const sql = open({ ...options, connectTimeoutMs: 50 });
  await expect(sql`select 1`).rejects.toMatchObject({ code: "CONNECT_TIMEOUT" });
});

test("a server without TLS is refused when TLS is required, and nothing more is sent to it", async () => {
  const refusing = await startFakeServer((socket) => void socket.write("N"));
  // TLS needs a host name or an IP address, so the fake is reached by a port that forwards to its socket.
  const port = await forward(refusing.options.path!);
  const sql = open({ maxConnections: 1, host: ["127.0.0.1"], port, user: "me", database: "db", tls: "require" });
  await expect(sql`select 1`).rejects.toMatchObject({ code: "TLS_REFUSED" });
  expect(refusing.pieces.map((pieces) => pieces.join("").length)).toEqual([8]);
});

test("bytes injected before encryption starts are refused", async () => {
  const slipping = await startFakeServer((socket) => void socket.write("S and more"));
  const port = await forward(slipping.options.path!);
  const sql = open({ maxConnections: 1, host: ["127.0.0.1"], port, user: "me", database: "db", tls: "prefer" });
  await expect(sql`select 1`).rejects.toMatchObject({ code: "TLS_REFUSED" });
});

test("an error between statements says why the connection ends, and the next statement gets a new one", async () => {
  const { options } = await startFakeServer(
    welcoming((socket, _piece, index) => {
      socket.write(answer(`of ${index}`));
      if (index === 0) socket.end(refusal("57P01", "terminating connection"));
    }),
  );
  let onClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve;
  });
  const sql = open({ ...options, onClose: () => onClosed() });
  expect(await sql.unsafe("select 1")).toEqual([{ a: "of 0" }]);
  await closed;
  expect(await sql.unsafe("select 2")).toEqual([{ a: "of 1" }]);
});

test("a value that the program can't read fails only its statement", async () => {
  const sql = testPool();
  const results = await Promise.allSettled([sql`select 9007199254740993::bigint as a`, sql`select 5::bigint as a`]);
  expect(results[0]).toMatchObject({ status: "rejected", reason: expect.any(RangeError) });
  expect(results[1]).toMatchObject({ status: "fulfilled", value: [{ a: 5 }] });
});

test("messages that arrive in any pieces are reassembled", async () => {
  const { options } = await startFakeServer(
    welcoming((socket) => {
      const bytes = Buffer.concat([message("N", "SNOTICE\0\0"), answer("whole")]);
      const drip = (at: number): unknown => at < bytes.length && socket.write(bytes.subarray(at, at + 1), () => setImmediate(drip, at + 1));
      drip(0);
    }),
  );
  expect(await open(options).unsafe("select 1")).toEqual([{ a: "whole" }]);
});

/** A local port that forwards to a socket. */
async function forward(path: string): Promise<number> {
  const server = createServer((socket) => {
    const target = connect(path);
    socket
      .on("error", () => target.destroy())
      .pipe(target)
      .on("error", () => socket.destroy());
    target.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}
