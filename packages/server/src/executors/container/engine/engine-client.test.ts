import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { openEngineClient } from "./engine-client.ts";

const servers: Server[] = [];
const never = new AbortController().signal;
afterAll(() => void servers.map((server) => server.close()));

type Answer = (path: string) => { status: number; location?: string; bytes?: number };

async function serve(answer: Answer): Promise<{ port: number; asked: string[]; bodies: string[] }> {
  const asked: string[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const { url = "" } = request;
    asked.push(url);
    const { status, location, bytes = 0 } = answer(url);
    bodies.push(await text(request));
    response.writeHead(status, { "content-type": "application/json", ...(location !== undefined && { location }) });
    const label = Buffer.alloc(1_048_576, "<");
    response.on("error", () => undefined).write('{"message":"');
    // Until the reader stops.
    for (let sent = 0; sent < bytes && !response.destroyed; sent += label.length) await new Promise((done) => response.write(label, done));
    response.end('"}\n');
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { port: (server.address() as AddressInfo).port, asked, bodies };
}

test("a name that an engine would resolve to another path is not requested", async () => {
  const elsewhere = await serve(() => ({ status: 200 }));
  const engine = await serve(() => ({ status: 301, location: `http://127.0.0.1:${elsewhere.port}/x` }));
  const client = await openEngineClient(`tcp://127.0.0.1:${engine.port}`);
  for (const name of ["x.gcr.io/../../127.0.0.1/x:latest", "a/./b", "a//b", "a\\..\\b"]) {
    await expect(client.image(name)).rejects.toThrow(/gets no requests for the path/);
    await expect(client.removeImage(name)).rejects.toThrow(/gets no requests for the path/);
    await expect(
      client.askRegistry({ name, version: `sha256:${"a".repeat(64)}`, auth: undefined, patienceMs: 15_000, signal: never }),
    ).rejects.toThrow(/gets no requests/);
  }
  expect([engine.asked, elsewhere.asked]).toEqual([[], []]);
});

test("a plain name is asked for as it is", async () => {
  const engine = await serve(() => ({ status: 404 }));
  const client = await openEngineClient(`tcp://127.0.0.1:${engine.port}`);
  expect(await client.image("registry.example.com:5000/team/tool:v1")).toBeUndefined();
  expect(engine.asked).toEqual(["/images/registry.example.com:5000/team/tool:v1/json"]);
});

test("the configuration of a container is never in a URL, since engines and proxies log URLs", async () => {
  const engine = await serve(() => ({ status: 201 }));
  const client = await openEngineClient(`tcp://127.0.0.1:${engine.port}`);
  await client.create({ name: "one", Image: "i", Env: ["TOKEN=the-secret"] });
  expect(engine.asked).toEqual(["/containers/create?name=one"]);
  expect(JSON.parse(engine.bodies[0] ?? "")).toMatchObject({ Image: "i", Env: ["TOKEN=the-secret"] });
});

test("an endless message from an image or a registry is neither read to its end nor kept", async () => {
  let status = 200;
  const engine = await serve(() => ({ status, bytes: 80 * 1_048_576 }));
  const client = await openEngineClient(`tcp://127.0.0.1:${engine.port}`);
  const question = { name: "r.example/a", auth: undefined, patienceMs: 60_000, signal: never };
  const refusal = (of: number) => ({
    status: of,
    message: expect.stringMatching(/^what the container engine says of it has more than \d+ MiB$/),
  });
  await expect(client.image("r.example/a:1")).rejects.toMatchObject(refusal(200));
  await expect(client.list([])).rejects.toMatchObject(refusal(200));
  await expect(client.pull({ ...question, version: "1" })).rejects.toMatchObject(refusal(0));
  status = 500;
  await expect(client.pull({ ...question, version: "1" })).rejects.toMatchObject(refusal(500));
  await expect(client.askRegistry({ ...question, version: `sha256:${"a".repeat(64)}` })).rejects.toMatchObject(refusal(500));
});
