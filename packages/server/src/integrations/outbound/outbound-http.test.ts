import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { callChat } from "../chat/chat-client.ts";
import { CodehostClients } from "../codehost/codehost-client.ts";
import { createGuardedFetch, isOwnEndpoint } from "./outbound-http.ts";

/** Where the platforms may be called, and that requests to anywhere else are never sent. */

async function listener(
  answer: (url: string) => { status: number; location?: string; body?: string } = () => ({ status: 200, body: "{}" }),
) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.url} ${request.headers.authorization ?? ""}`);
    const { status, location, body = "" } = answer(request.url ?? "");
    response.writeHead(status, { "content-type": "application/json", ...(location && { location }) }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

const resolves = (address: string) => async () => [address];

const why = (promise: Promise<unknown>) =>
  promise.then(
    () => "no error",
    (error: Error & { cause?: Error }) => `${error.message} ${error.cause?.message ?? ""}`,
  );

test.each([
  ["a literal address", (port: number) => `http://127.0.0.1:${port}/`],
  ["one in an odd spelling", (port: number) => `http://0x7f000001:${port}/`],
  ["one inside an IPv6 address", (port: number) => `http://[::ffff:127.0.0.1]:${port}/`],
  ["a name that leads there", (port: number) => `http://localhost:${port}/`],
])("addresses that are not on the public internet are not called: %s", async (_, url) => {
  const { port, seen } = await listener();
  const fetch = createGuardedFetch({ allow: [], resolve: resolves("127.0.0.1") });
  expect(await why(fetch(url(port)))).toContain("MILLRACE_OUTBOUND_ALLOW");
  expect(seen).toEqual([]);
  const allowed = createGuardedFetch({ allow: ["127.0.0.1"] });
  expect((await allowed(`http://127.0.0.1:${port}/`)).status).toBe(200);
});

test("lookups that nobody answers block neither other names nor the thread pool", async () => {
  const silent = createSocket("udp4").bind(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const { port } = await listener();
  const fetch = createGuardedFetch({ allow: ["localhost"], nameServers: [`127.0.0.1:${silent.address().port}`] });
  const stuck = Array.from({ length: 50 }, (_, index) => why(fetch(`https://n${index}.silent.example/`)));
  let isOver = false;
  const all = Promise.all(stuck).finally(() => (isOver = true));
  expect((await fetch(`http://localhost:${port}/`)).status).toBe(200);
  expect((await lookup("localhost")).address).toMatch(/^(127\.|::1)/);
  expect(isOver).toBe(false);
  for (const words of await all) expect(words).toMatch(/in time|timeout/i);
});

test("a redirect to a forbidden address is not followed", async () => {
  const inner = await listener();
  const outer = await listener(() => ({ status: 302, location: `http://127.0.0.2:${inner.port}/latest/meta-data` }));
  const fetch = createGuardedFetch({ allow: ["127.0.0.1"] });
  expect(await why(fetch(`http://127.0.0.1:${outer.port}/`))).toContain("127.0.0.2 is not an address of the public internet");
  expect(inner.seen).toEqual([]);
});

test.each(["https://neighbour.example/", "https://93.184.216.34/"])(
  "an address of this machine is not called, also where it is of the open internet: %s",
  async (url) => {
    const settings = { allow: [], resolve: resolves("93.184.216.34"), machine: () => ["93.184.216.34"] };
    const refused = /93\.184\.216\.34\)? is not an address of the public internet, or is one of this machine/;
    expect(await why(createGuardedFetch(settings)(url))).toMatch(refused);
    const elsewhere = { ...settings, publicUrl: "https://neighbour.example:8443" };
    expect(await why(createGuardedFetch(elsewhere)(url))).toMatch(refused);
  },
);

test.each([
  ["https://self.example/x", "https://self.example", true],
  ["https://self.example:443/x", "https://self.example", true],
  ["http://self.example:8080/", "http://self.example:8080", true],
  ["http://self.example/", "https://self.example", false],
  ["https://self.example:8443/", "https://self.example", false],
  ["https://self.example.evil.example/", "https://self.example", false],
  ["https://self.example/", undefined, false],
])("%s is the service itself at %s: %j", (url, publicUrl, is) => expect(isOwnEndpoint(new URL(url), publicUrl)).toBe(is));

test("nothing is sent to another machine unencrypted, although its address is allowed", async () => {
  const { port, seen } = await listener();
  const fetch = createGuardedFetch({ allow: ["127.0.0.1", "platform.example"], resolve: resolves("127.0.0.1") });
  expect(await why(fetch(`http://platform.example:${port}/`))).toContain("https://");
  expect(seen).toEqual([]);
});

test("the clients of both platforms say what was refused, and neither sends its credential", async () => {
  const { port, seen } = await listener();
  const fetch = createGuardedFetch({ allow: [] });
  const apiUrl = `http://127.0.0.1:${port}`;
  const chat = await why(callChat({ apiUrl, token: "xoxb-secret", fetch }, "users.info", { user: "U1" }));
  expect(chat).toContain("127.0.0.1 is not an address of the public internet");
  const { generateKeyPairSync } = await import("node:crypto");
  const pem = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs1", format: "pem" }).toString();
  const codehost = await why(new CodehostClients(fetch).of({ apiUrl, appId: "1", pem }).readInstallation("1"));
  expect(codehost).toContain("127.0.0.1 is not an address of the public internet");
  expect(seen).toEqual([]);
});

test("a chat that redirects gets no second request with the token", async () => {
  const inner = await listener();
  const outer = await listener(() => ({ status: 307, location: `http://127.0.0.1:${inner.port}/` }));
  const fetch = createGuardedFetch({ allow: ["127.0.0.1"] });
  await why(callChat({ apiUrl: `http://127.0.0.1:${outer.port}`, token: "xoxb-secret", fetch }, "users.info", { user: "U1" }));
  expect(inner.seen).toEqual([]);
});
