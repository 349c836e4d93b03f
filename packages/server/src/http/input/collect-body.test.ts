import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { PassThrough } from "node:stream";
import type { FastifyRequest } from "fastify";
import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import type { Principal } from "../../api/endpoint.ts";
import { anonymous, platform } from "../../policy/allows.ts";
import { createBodyCollector } from "./collect-body.ts";

const requestOf = (bodyLimit: number, headers: Record<string, string> = {}, ip = "192.0.2.1", principal?: Principal) =>
  ({ headers, ip, routeOptions: { bodyLimit }, caller: principal && { principal } }) as FastifyRequest;

function collect(request: FastifyRequest, send: (payload: PassThrough) => void, read = createBodyCollector()): Promise<Buffer> {
  const payload = new PassThrough();
  return new Promise((resolve, reject) => {
    read(request, payload, (error, body) => (error ? reject(error) : resolve(body as Buffer)));
    send(payload);
  });
}

test("no piece of a body is kept, however many there are", async () => {
  const piece = Buffer.alloc(1);
  const body = await collect(requestOf(100_000), (payload) => {
    for (let index = 0; index < 100_000; index++) {
      piece[0] = index % 251;
      payload.emit("data", piece);
    }
    payload.emit("end");
  });
  expect(body.equals(Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251)))).toBe(true);
});

describe("a body is refused", () => {
  test.each<[string, FastifyRequest, string, (payload: PassThrough) => void]>([
    ["that has more than its endpoint takes", requestOf(3), "BODY_TOO_LARGE", (payload) => payload.end("four")],
    ["that says so before", requestOf(3, { "content-length": "4" }), "BODY_TOO_LARGE", () => undefined],
    ["that has another length than it says", requestOf(9, { "content-length": "3" }), "BAD_REQUEST", (payload) => payload.end("four")],
    ["that breaks off", requestOf(9), "BAD_REQUEST", (payload) => payload.destroy(new Error("aborted"))],
  ])("%s", async (_, request, reason, send) => {
    await expect(collect(request, send)).rejects.toMatchObject({ reason });
  });
});

describe("bodies that are being received", () => {
  const limits = { totalBytes: 40_000, callerBytes: 20_000 };
  const half = Buffer.alloc(10_000);
  /** A body that does not end until `end` is called. */
  function begin(read: ReturnType<typeof createBodyCollector>, ip: string, principal?: Principal) {
    const payload = new PassThrough();
    const body = new Promise<Buffer>((resolve, reject) => {
      read(requestOf(30_000, {}, ip, principal), payload, (error, whole) => (error ? reject(error) : resolve(whole as Buffer)));
    });
    payload.write(half);
    return { payload, body };
  }

  test("have a limit for each caller, which is freed when a body is complete or aborted", async () => {
    const read = createBodyCollector(limits);
    const first = begin(read, "192.0.2.1");
    const second = begin(read, "192.0.2.1");
    const third = begin(read, "192.0.2.1");
    const fourth = begin(read, "192.0.2.1");
    await expect(fourth.body).rejects.toMatchObject({ reason: "NOT_READY", retryAfterSeconds: 1 });
    const other = begin(read, "192.0.2.2");
    other.payload.end();
    expect(await other.body).toHaveLength(10_000);
    first.payload.end();
    second.payload.destroy();
    await first.body;
    await expect(second.body).rejects.toMatchObject({ reason: "BAD_REQUEST" });
    third.payload.end();
    await third.body;
    const later = begin(read, "192.0.2.1");
    later.payload.end();
    expect(await later.body).toHaveLength(10_000);
  });

  test.each([
    ["without a credential", anonymous],
    ["with a signature that is not checked yet", platform("webhook")],
  ])("count by address %s: nobody uses up the room of others", async (_, principal) => {
    const read = createBodyCollector(limits);
    const held = [1, 2, 3].map(() => begin(read, "2001:db8::1", principal));
    const refused = begin(read, "2001:db8::2", principal);
    await expect(refused.body).rejects.toMatchObject({ reason: "NOT_READY" });
    const other = begin(read, "192.0.2.2", principal);
    other.payload.end();
    expect(await other.body).toHaveLength(10_000);
    for (const { payload } of held) payload.end();
    await Promise.all(held.map(({ body }) => body));
  });

  test("count by team for its tokens, and by person for theirs", async () => {
    const read = createBodyCollector(limits);
    const tokenOf = (id: string, teamId?: string): Principal => ({ ...anonymous, kind: "team", id, ...(teamId && { teamId }) });
    const held = [1, 2, 3].map((number) => begin(read, "192.0.2.1", tokenOf(`token:${number}`, "team-1")));
    await expect(begin(read, "192.0.2.2", tokenOf("token:4", "team-1")).body).rejects.toMatchObject({ reason: "NOT_READY" });
    const other = begin(read, "192.0.2.1", tokenOf("user:1"));
    other.payload.end();
    expect(await other.body).toHaveLength(10_000);
    for (const { payload } of held) payload.end();
    await Promise.all(held.map(({ body }) => body));
  });

  test("have a total limit that leaves room for small senders", async () => {
    const read = createBodyCollector({ totalBytes: 80_000, callerBytes: 30_000 });
    const begun = Array.from({ length: 8 }, (_, index) => begin(read, `192.0.2.${index}`));
    await expect(begun[7]!.body).rejects.toMatchObject({ reason: "NOT_READY" });
    const little = await collect(requestOf(30_000, {}, "192.0.2.99"), (payload) => payload.end("little"), read);
    expect(String(little)).toBe("little");
    for (const { payload } of begun) payload.end();
    await Promise.all(begun.slice(0, 7).map(({ body }) => body));
  });
});

test.each(["transfer-encoding: chunked", "content-length: 9000000"])(
  "the connection of a body that is too large is closed (%s)",
  async (length) => {
    const { server } = await testApp();
    await server.listen({ host: "127.0.0.1", port: 0 });
    const socket = connect((server.server.address() as AddressInfo).port, "127.0.0.1");
    const closed = once(socket, "end");
    let answer = "";
    socket.on("data", (data) => (answer += String(data)));
    socket.write(`POST /api/v2/auth/password HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${length}\r\n\r\n`);
    // The body never ends: the response comes before.
    socket.write(length.startsWith("transfer") ? `${(2_000_000).toString(16)}\r\n${" ".repeat(1_500_000)}` : " ");
    await closed;
    socket.destroy();
    expect(answer).toContain("HTTP/1.1 413");
  },
);

test("a body in single bytes is read as any other", async () => {
  const { server } = await testApp();
  await server.listen({ host: "127.0.0.1", port: 0 });
  const socket = connect((server.server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(
    "POST /api/v2/auth/password HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
  );
  for (const letter of '{"email":7}') socket.write(`1\r\n${letter}\r\n`);
  socket.write("0\r\n\r\n");
  const [answer] = await once(socket, "data");
  socket.destroy();
  expect(String(answer)).toContain("HTTP/1.1 400");
  expect(String(answer)).toContain("VALIDATION_FAILED");
});
