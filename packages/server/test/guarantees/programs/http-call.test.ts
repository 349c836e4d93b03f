import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEgressProxy } from "../../../src/executors/networks/egress-proxy.ts";
import { createOutboundPolicy, defaultOutbound } from "../../../src/executors/networks/outbound-policy.ts";
import { serve, stepPrograms } from "./run-program.ts";

const run = stepPrograms();
const call = (params: Record<string, string | Buffer>, env: Record<string, string> = {}) =>
  run("http-call", { retrydelay: "0", ...params }, env);

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/** A server that sends a list of responses in order, the last one forever, and records the requests. */
async function answering(...answers: { status?: number; headers?: Record<string, string>; body?: string | Buffer }[]) {
  const seen: Seen[] = [];
  const origin = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    seen.push({ method: request.method!, url: request.url!, headers: request.headers, body: Buffer.concat(chunks) });
    const answer = answers[Math.min(seen.length, answers.length) - 1] ?? {};
    response.writeHead(answer.status ?? 200, answer.headers ?? {});
    response.end(answer.body ?? "");
  });
  return { origin, seen };
}

describe("the request", () => {
  test("a GET gives status and response as results", async () => {
    const { origin, seen } = await answering({ body: '{"ok":true}' });
    const outcome = await call({ url: `${origin}/items?page=2` });
    expect(outcome).toMatchObject({ code: 0, results: { statusCode: "200", response: '{"ok":true}' } });
    expect(seen).toMatchObject([{ method: "GET", url: "/items?page=2" }]);
  });

  test("the body is sent byte for byte, line ends, tabs and all", async () => {
    const { origin, seen } = await answering({});
    const body = Buffer.from([...Buffer.from('{"a":\r\n\t"ü"}\n'), 0, 255]);
    await call({ url: origin, method: "post", contentType: "application/json", body });
    expect(seen[0]!.body).toEqual(body);
    expect(seen[0]!.headers).toMatchObject({ "content-type": "application/json", "content-length": String(body.length) });
  });

  test("header lines are split at the first colon and keep their quotes; a repeated name is sent twice", async () => {
    const { origin, seen } = await answering({});
    await call({ url: origin, header: 'If-None-Match: "a:b"\r\n\nX-List: one\nX-List: two\nContent-Length: 99' });
    expect(seen[0]!.headers).toMatchObject({ "if-none-match": '"a:b"', "x-list": "one, two" });
    expect(seen[0]!.headers["content-length"]).toBeUndefined();
  });

  test("sends the lineage of its run, also to another server, unless the header is set", async () => {
    const other = await answering({});
    const { origin, seen } = await answering({ status: 307, headers: { location: `${other.origin}/there` } });
    await call({ url: origin, method: "POST" }, { MILLRACE_LINEAGE: "id-1,id-2" });
    expect([seen[0]!.headers["millrace-lineage"], other.seen[0]!.headers["millrace-lineage"]]).toEqual(["id-1,id-2", "id-1,id-2"]);
    await call({ url: origin, header: "Millrace-Lineage:" }, { MILLRACE_LINEAGE: "id-1" });
    await call({ url: origin });
    expect([seen[1]!.headers["millrace-lineage"], seen[2]!.headers["millrace-lineage"]]).toEqual(["", undefined]);
  });

  test("name and password of the address become a header and are never printed", async () => {
    const { origin, seen } = await answering({ status: 500 });
    const outcome = await call({ url: `${origin.replace("//", "//me:s%40cret@")}/x?token=hidden`, retrynumber: "0" });
    expect(seen[0]!.headers.authorization).toBe(`Basic ${Buffer.from("me:s@cret").toString("base64")}`);
    expect(outcome.output + outcome.errors).not.toMatch(/s@cret|s%40cret|hidden/);
    expect(outcome.output).toContain("/x?…: 500");
  });

  test.each([
    [{ url: "" }, /parameter url is empty/],
    [{ url: "ftp://example.org" }, /must be a whole address/],
    [{ url: "http://me:secret@[bad" }, /parameter url is "http:\/\/…@\[bad"/],
    [{ url: "http://x", method: "FETCH" }, /parameter method is "FETCH"; it must be one of GET, HEAD/],
    [{ url: "http://x", header: "Accept: a\nsecret" }, /line 2 of parameter header has no name/],
    [{ url: "http://x", header: "A B: secret" }, /line 1 of parameter header is not a valid header/],
    [{ url: "http://x", retrycodes: "502,5x" }, /parameter retrycodes holds "5x"/],
    [{ url: "http://x", retrynumber: "-1" }, /parameter retrynumber is "-1"; it must be a number from 0 to 100/],
    [{ url: "http://x", allowUntrustedCerts: "maybe" }, /must be true or false/],
  ])("a wrong parameter is named before anything is sent: %j", async (params, message) => {
    const outcome = await call(params as Record<string, string>);
    expect(outcome).toMatchObject({ code: 1, output: "", results: {} });
    expect(outcome.errors).toMatch(message);
    expect(outcome.errors).not.toContain("secret");
  });
});

describe("what a status means", () => {
  const cases: [number, Record<string, string>, number][] = [
    [200, {}, 0],
    [204, {}, 0],
    [404, {}, 1],
    [404, { successcodes: "2xx,404" }, 0],
    [200, { errorcodes: "200", successcodes: "2xx" }, 1],
    [201, { successcodes: "200" }, 0],
    [302, { successcodes: "302" }, 0],
    [304, {}, 1],
  ];
  test.each(cases)("%i with %j ends with exit code %i", async (status, params, code) => {
    const { origin } = await answering({ status, headers: status === 302 ? { location: "/elsewhere" } : {} });
    const outcome = await call({ url: origin, retrynumber: "0", ...params });
    expect(outcome.code).toBe(code);
    expect(outcome.results.statusCode).toBe(String(status));
  });

  test("a failed call keeps status and response", async () => {
    const { origin } = await answering({ status: 422, body: "no such thing" });
    const outcome = await call({ url: origin });
    expect(outcome).toMatchObject({ code: 1, results: { statusCode: "422", response: "no such thing" } });
    expect(outcome.errors).toBe(`GET ${origin}/ was answered with 422\n`);
  });
});

describe("retries", () => {
  test("a status of retrycodes is tried again, at most retrynumber times", async () => {
    const { origin, seen } = await answering({ status: 503 }, { status: 502 }, { body: "up" });
    expect(await call({ url: origin, retrycodes: "502,503" })).toMatchObject({ code: 0, results: { response: "up" } });
    expect(seen).toHaveLength(3);
    const down = await answering({ status: 503 });
    const outcome = await call({ url: down.origin, retrycodes: "502,503", retrynumber: "2" });
    expect(outcome.errors).toContain("was answered with 503 (tried 3 times)");
    expect(down.seen).toHaveLength(3);
  });

  test("errorcodes and successcodes take precedence over retrycodes", async () => {
    const refused = await answering({ status: 503 });
    expect((await call({ url: refused.origin, errorcodes: "5xx", retrycodes: "503" })).code).toBe(1);
    const fine = await answering({ status: 503 });
    expect((await call({ url: fine.origin, successcodes: "503", retrycodes: "503" })).code).toBe(0);
    expect([refused.seen.length, fine.seen.length]).toEqual([1, 1]);
  });

  test("a 2xx that retrycodes names is polled until it changes", async () => {
    const { origin, seen } = await answering({ status: 202 }, { status: 200, body: "ready" });
    expect(await call({ url: origin, successcodes: "200", retrycodes: "202" })).toMatchObject({ code: 0, results: { response: "ready" } });
    expect(seen).toHaveLength(2);
  });

  test("Retry-After lengthens the wait", async () => {
    const { origin } = await answering({ status: 503, headers: { "retry-after": "1" } }, {});
    const outcome = await call({ url: origin, retrycodes: "503" });
    expect(outcome.output).toContain("the next one in 1000 ms");
    expect(outcome.code).toBe(0);
  });

  test("a connection that is reset is tried again for a method that may be sent twice", async () => {
    let connections = 0;
    const origin = await serve((request, response) => {
      connections++;
      if (connections === 1) request.socket.resetAndDestroy();
      else response.end("second");
    });
    expect(await call({ url: origin })).toMatchObject({ code: 0, results: { response: "second" } });
  });

  test("a POST whose fate is unknown is not sent twice", async () => {
    let connections = 0;
    const origin = await serve((request) => {
      connections++;
      request.socket.resetAndDestroy();
    });
    const outcome = await call({ url: origin, method: "POST", body: "pay" });
    expect(outcome.code).toBe(1);
    expect(outcome.errors).toMatch(/failed: .*/);
    expect(connections).toBe(1);
  });

  test("a refused connection is tried again for every method, since nothing was sent", async () => {
    const port = await unusedPort();
    const outcome = await call({ url: `http://127.0.0.1:${port}/`, method: "POST", retrynumber: "1" });
    expect(outcome).toMatchObject({ code: 1, results: {} });
    expect(outcome.errors).toMatch(/failed \(tried 2 times\): connect ECONNREFUSED/);
  });

  test("a name that does not resolve is a clear failure", async () => {
    const outcome = await call({ url: "http://nowhere.invalid/", retrynumber: "0" });
    expect(outcome.errors).toMatch(/GET http:\/\/nowhere\.invalid\/ failed: getaddrinfo (ENOTFOUND|EAI_AGAIN) nowhere\.invalid/);
  });
});

describe("limits", () => {
  test("a server that does not answer is given up after the time-out, and tried again", async () => {
    const origin = await serve(() => {});
    const outcome = await call({ url: origin, timeout: "0.1", retrynumber: "1" });
    expect(outcome.errors).toContain("failed (tried 2 times): no whole answer within 0.1 s; parameter timeout sets another limit");
  });

  test("the time-out covers a body that never ends", async () => {
    const origin = await serve((_request, response) => void response.write("begin"));
    const outcome = await call({ url: origin, timeout: "0.2", retrynumber: "0" });
    expect(outcome.errors).toContain("no whole answer within 0.2 s");
  });

  test("a response over 1 MiB fails clearly, also when it is compressed", async () => {
    const body = Buffer.alloc(1024 * 1024 + 1, "x");
    for (const answer of [{ body }, { body: gzipSync(body), headers: { "content-encoding": "gzip" } }]) {
      const { origin } = await answering(answer);
      const outcome = await call({ url: origin });
      expect(outcome).toMatchObject({ code: 1, results: { statusCode: "200" } });
      expect(outcome.errors).toContain("the response is over 1 MiB, too large for a result; give outputFilePath");
    }
  });

  test("1 MiB exactly is a result", async () => {
    const { origin } = await answering({ body: Buffer.alloc(1024 * 1024, "x") });
    expect((await call({ url: origin })).results.response).toHaveLength(1024 * 1024);
  });

  test("with outputFilePath any size goes to a file, bytes untouched, and its folder is made", async () => {
    const body = Buffer.alloc(3 * 1024 * 1024, 0xfe);
    const { origin } = await answering({ body });
    const outcome = await call({ url: origin, outputFilePath: "downloads/a.bin" });
    expect(outcome).toMatchObject({ code: 0, results: { statusCode: "200", response: "" } });
    expect(readFileSync(join(outcome.folder, "downloads/a.bin")).equals(body)).toBe(true);
  });

  test("a download that breaks off leaves no file", async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half");
      setImmediate(() => response.destroy());
    });
    const outcome = await call({ url: origin, outputFilePath: "a.bin", retrynumber: "0" });
    expect(outcome.code).toBe(1);
    expect(existsSync(join(outcome.folder, "a.bin"))).toBe(false);
    expect(existsSync(join(outcome.folder, "a.bin.part"))).toBe(false);
  });
});

describe("redirects", () => {
  test("are followed on the same server with their headers; a POST answered by 303 becomes a GET", async () => {
    const { origin, seen } = await answering({ status: 303, headers: { location: "/result" } }, { body: "done" });
    const outcome = await call({
      url: `${origin}/job`,
      method: "POST",
      body: "{}",
      contentType: "application/json",
      header: "Authorization: Bearer t",
    });
    expect(outcome).toMatchObject({ code: 0, results: { response: "done" } });
    expect(seen[1]).toMatchObject({ method: "GET", url: "/result", headers: { authorization: "Bearer t" } });
    expect(seen[1]!.headers["content-type"]).toBeUndefined();
  });

  test("307 keeps method and body", async () => {
    const { origin, seen } = await answering({ status: 307, headers: { location: "/again" } }, {});
    await call({ url: origin, method: "PUT", body: "same" });
    expect(seen[1]).toMatchObject({ method: "PUT", url: "/again", body: Buffer.from("same") });
  });

  test("credentials never go to another server", async () => {
    const other = await answering({ body: "leaked" });
    const { origin } = await answering({ status: 302, headers: { location: `${other.origin}/take` } });
    for (const header of ["Authorization: Bearer t", "Cookie: session=1"]) {
      const outcome = await call({ url: origin, header });
      expect(outcome).toMatchObject({ code: 1, results: { statusCode: "302" } });
      expect(outcome.errors).toContain(`not followed: it leads to ${other.origin}`);
    }
    expect(other.seen).toHaveLength(0);
    expect((await call({ url: origin, header: "X-Api-Key: k\nAccept: text/plain" })).code).toBe(0);
    expect(other.seen[0]!.headers["x-api-key"]).toBeUndefined();
    expect(other.seen[0]!.headers.accept).toBe("text/plain");
  });

  test("end after five", async () => {
    const { origin, seen } = await answering({ status: 301, headers: { location: "/round" } });
    const outcome = await call({ url: origin });
    expect(outcome.errors).toContain("was answered with 301; not followed: 5 redirects were followed already");
    expect(seen).toHaveLength(6);
  });
});

describe("TLS", () => {
  test("an untrusted certificate is refused, unless it is allowed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "certificate-"));
    execFileSync(
      "openssl",
      [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-keyout",
        "key.pem",
        "-out",
        "cert.pem",
        "-days",
        "1",
        "-subj",
        "/CN=localhost",
      ],
      { cwd: folder, stdio: "ignore" },
    );
    const server = createSecureServer({ key: readFileSync(join(folder, "key.pem")), cert: readFileSync(join(folder, "cert.pem")) });
    rmSync(folder, { recursive: true });
    const origin = (await serve((_request, response) => void response.end("private"), server)).replace("http:", "https:");
    for (const env of [{}, (await wayOut(["127.0.0.1"])).env]) {
      const refused = await call({ url: origin }, env);
      expect(refused.code).toBe(1);
      expect(refused.errors).toContain("set allowUntrustedCerts");
      expect(await call({ url: origin, allowUntrustedCerts: "true" }, env)).toMatchObject({ code: 0, results: { response: "private" } });
    }
  });
});

/** The proxy of the service, and the variable that points to it. */
async function wayOut(allow: string[]) {
  const lines: string[] = [];
  const listener = await createEgressProxy(createOutboundPolicy({ ...defaultOutbound, allow })).listen(
    "loopback",
    "team-1",
    (line) => void lines.push(line),
  );
  onTestFinished(() => listener.close());
  return { lines, env: { MILLRACE_EGRESS: `http://127.0.0.1:${listener.port}` } };
}

describe("through the proxy of the service", () => {
  test("request and response are the same", async () => {
    const { origin, seen } = await answering({ status: 201, body: "made" });
    const { env, lines } = await wayOut([new URL(origin).host]);
    const outcome = await call({ url: `${origin}/a?b`, method: "POST", body: "x".repeat(100_000) }, env);
    expect(outcome).toMatchObject({ code: 0, results: { statusCode: "201", response: "made" } });
    expect(seen).toMatchObject([{ method: "POST", url: "/a?b", headers: { host: new URL(origin).host } }]);
    expect(seen[0]?.body.length).toBe(100_000);
    expect(lines).toEqual([]);
  });

  test("what is refused is not tried again, and the message says what would allow it", async () => {
    const { origin, seen } = await answering({});
    const { env, lines } = await wayOut([]);
    const outcome = await call({ url: origin, retrynumber: "3" }, env);
    expect(outcome).toMatchObject({ code: 1, errors: expect.stringContaining(`MILLRACE_TASK_OUTBOUND_ALLOW=${new URL(origin).host}`) });
    expect(outcome.errors).not.toContain("tried");
    expect([seen.length, lines.length]).toEqual([0, 1]);
  });

  test("a redirect to what may not be reached is refused there", async () => {
    const inner = await answering({ body: "inner" });
    const outer = await answering({ status: 302, headers: { location: `${inner.origin}/` } });
    const { env } = await wayOut([new URL(outer.origin).host]);
    const outcome = await call({ url: outer.origin }, env);
    expect(outcome).toMatchObject({ code: 1, errors: expect.stringContaining(`connection to ${new URL(inner.origin).host} refused`) });
    expect(inner.seen).toEqual([]);
  });

  test("a server that does not answer is tried again, as it would be without the proxy", async () => {
    const { env } = await wayOut(["127.0.0.1"]);
    const outcome = await call({ url: `http://127.0.0.1:${await unusedPort()}`, retrynumber: "2" }, env);
    expect(outcome).toMatchObject({ code: 1, errors: expect.stringMatching(/tried 3 times.*ECONNREFUSED/) });
  });
});

async function unusedPort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
