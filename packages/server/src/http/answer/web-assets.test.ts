import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const script = `export const words = ${JSON.stringify("a word and a word, ".repeat(200))};`;
const packed = { br: brotliCompressSync(script), gzip: gzipSync(script) };

const folder = mkdtempSync(join(tmpdir(), "millrace-assets-"));
mkdirSync(join(folder, "assets"));
writeFileSync(join(folder, "index.html"), "<!doctype html><title>the page</title>");
writeFileSync(join(folder, "icon.svg"), "<svg/>");
writeFileSync(join(folder, "secret.txt"), "not for anyone");
writeFileSync(join(folder, "secret.txt.br"), "not for anyone");
writeFileSync(join(folder, "assets/app-1a2b.js"), script);
writeFileSync(join(folder, "assets/app-1a2b.js.br"), packed.br);
writeFileSync(join(folder, "assets/app-1a2b.js.gz"), packed.gzip);
writeFileSync(join(folder, "assets/font-3c4d.woff2"), "a font");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const app = await testApp({ config: { webFolder: folder } });
const ask = (method: "GET" | "HEAD", path: string, headers: Record<string, string> = {}) =>
  app.server.inject({ method, url: path, headers });
const get = (headers: Record<string, string>) => ask("GET", "/assets/app-1a2b.js", headers);

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["br", "br"],
  ["br;q=0.5, gzip;q=0.5", "br"],
  ["gzip, deflate", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0.1, gzip;q=0.9", "gzip"],
] as const)("a browser that accepts %s gets %s", async (accepted, encoding) => {
  const { statusCode, headers, rawPayload } = await get({ "accept-encoding": accepted });
  expect([statusCode, headers["content-encoding"]]).toEqual([200, encoding]);
  expect(rawPayload.equals(packed[encoding])).toBe(true);
  expect(headers).toMatchObject({
    "content-type": "application/javascript; charset=utf-8",
    "content-length": String(packed[encoding].length),
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    vary: "accept-encoding",
  });
});

test.each(["", "identity", "zstd", "br;q=0, gzip;q=0", "*;q=0, identity"])(
  "one that accepts %j gets the file as it is",
  async (accepted) => {
    const { statusCode, headers, payload } = await get({ "accept-encoding": accepted });
    expect([statusCode, headers["content-encoding"], headers["vary"], payload]).toEqual([200, undefined, "accept-encoding", script]);
  },
);

test("a file without a compressed copy is sent as it is", async () => {
  const { statusCode, headers, payload } = await ask("GET", "/assets/font-3c4d.woff2", { "accept-encoding": "br, gzip" });
  expect([statusCode, headers["content-encoding"], payload]).toEqual([200, undefined, "a font"]);
  expect(headers).toMatchObject({ "content-type": "font/woff2", vary: "accept-encoding" });
});

test("each encoding has its own ETag, with which a browser gets a 304", async () => {
  const tags = new Set<string>();
  for (const accepted of ["br", "gzip", "identity"]) {
    const first = await get({ "accept-encoding": accepted });
    const tag = String(first.headers["etag"]);
    tags.add(tag);
    const second = await get({ "accept-encoding": accepted, "if-none-match": tag });
    expect([second.statusCode, second.payload, second.headers["etag"]]).toEqual([304, "", tag]);
  }
  expect(tags.size).toBe(3);
});

test("HEAD says what GET would send", async () => {
  for (const [accepted, length] of [
    ["br", packed.br.length],
    ["identity", script.length],
  ] as const) {
    const { statusCode, headers, payload } = await ask("HEAD", "/assets/app-1a2b.js", { "accept-encoding": accepted });
    expect([statusCode, Number(headers["content-length"]), payload]).toEqual([200, length, ""]);
  }
});

test("a range is one of what is sent: of the compressed bytes, or of the file", async () => {
  const whole = Buffer.from(script);
  for (const [accepted, bytes] of [
    ["br", packed.br],
    ["identity", whole],
  ] as const) {
    const { statusCode, headers, rawPayload } = await get({ "accept-encoding": accepted, range: "bytes=5-14" });
    expect([statusCode, headers["content-range"]]).toEqual([206, `bytes 5-14/${bytes.length}`]);
    expect(rawPayload.equals(bytes.subarray(5, 15))).toBe(true);
  }
});

test("a request for compressed files can't leave the folder", async () => {
  for (const path of ["/assets/../secret.txt", "/assets/%2e%2e/secret.txt", "/assets/..%2fsecret.txt", "/assets/..%5csecret.txt"]) {
    const { statusCode, payload } = await ask("GET", path, { "accept-encoding": "br, gzip" });
    expect(payload).not.toContain("not for anyone");
    expect([400, 403, 404]).toContain(statusCode);
  }
});

test("what is not there is a 404 for each of them", async () => {
  for (const accepted of ["br, gzip", "identity"]) {
    expect((await ask("GET", "/assets/app-old.js", { "accept-encoding": accepted })).statusCode).toBe(404);
  }
});
