import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { startClock } from "../../../test/kit/processor-ms.ts";
import { createNameResolver, type NameResolver } from "./name-resolver.ts";
import { type AskSystem, askSystem, lookupAll } from "./system-names.ts";

/** A name server that never responds, and the number of queries it received. */
async function silentServer(): Promise<{ address: string; asked: () => number }> {
  let asked = 0;
  const socket = createSocket("udp4", () => asked++).bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked: () => asked };
}

function namesOf(servers: readonly string[], system: AskSystem = askSystem): NameResolver {
  const names = createNameResolver({ system, servers });
  onTestFinished(() => names.end());
  return names;
}

const codeOf = (promise: Promise<unknown>) => promise.then(() => "found").catch(({ code }: NodeJS.ErrnoException) => code);

test("lookups that nobody answers block neither other tasks nor the service", async () => {
  const { address, asked } = await silentServer();
  const [hostile, other] = [namesOf([address]), namesOf([address])];
  const wanted = Array.from({ length: 250 }, (_, index) => hostile.resolve(`n${index}.slow.example`).catch(() => undefined));
  await expect.poll(asked).toBeGreaterThan(0);
  const expectWithin = startClock();
  expect(await other.resolve("localhost")).toContain("127.0.0.1");
  expect(await lookupAll("localhost")).toContain("127.0.0.1");
  expectWithin(5_000);
  hostile.end();
  await Promise.all(wanted);
});

test("pending lookups end with the attempt, and none starts afterwards", async () => {
  const { address } = await silentServer();
  const names = namesOf([address]);
  const wanted = Array.from({ length: 20 }, (_, index) => codeOf(names.resolve(`n${index}.slow.example`)));
  names.end();
  expect(new Set(await Promise.all(wanted))).toEqual(new Set(["ETIMEOUT"]));
  expect(await codeOf(names.resolve("localhost"))).toBe("ETIMEOUT");
});

test("names that only the system knows are looked up there, one at a time for each task", async () => {
  let [now, most] = [0, 0];
  const system = async (name: string): Promise<string[]> => {
    most = Math.max(most, ++now);
    await new Promise((done) => setImmediate(done));
    now--;
    return [name === "127.1" ? "127.0.0.1" : "10.0.0.1"];
  };
  const names = namesOf(["127.0.0.1:9"], system);
  expect((await Promise.all(["database", "127.1", "0x7f000001"].map((name) => names.resolve(name)))).flat()).toEqual([
    "10.0.0.1",
    "127.0.0.1",
    "10.0.0.1",
  ]);
  expect(most).toBe(1);
});

test("a task with slow names does not block others", async () => {
  const ended: string[] = [];
  const system: AskSystem = (name, signal) =>
    name.startsWith("slow")
      ? new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            ended.push(name);
            reject(Object.assign(new Error(), { code: "ETIMEOUT" }));
          });
        })
      : Promise.resolve(["10.0.0.1"]);
  const hostile = Array.from({ length: 30 }, () => namesOf(["127.0.0.1:9"], system));
  const wanted = hostile.map((names) => codeOf(names.resolve("slow")));
  expect(await namesOf(["127.0.0.1:9"], system).resolve("database")).toEqual(["10.0.0.1"]);
  for (const names of hostile) names.end();
  expect(new Set(await Promise.all(wanted))).toEqual(new Set(["ETIMEOUT"]));
  expect(ended).toHaveLength(30);
});

test("the system's own program finds names of files and spellings of addresses, and takes no name for an option", async () => {
  const { signal } = new AbortController();
  expect(await askSystem("localhost", signal)).toContain("127.0.0.1");
  expect(await askSystem("0x7f000001", signal)).toEqual(["127.0.0.1"]);
  expect(await codeOf(askSystem("--help", signal))).toBe("ENOTFOUND");
  expect(await codeOf(askSystem("no-such-name.invalid", signal))).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
  expect(await codeOf(askSystem("localhost", AbortSignal.abort()))).not.toBe("found");
});

test("a name that the DNS does not have is asked of the system", async () => {
  const server = createSocket("udp4").bind(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // The query, returned as a response with the code NXDOMAIN.
  server.on("message", (question, { port }) => {
    const answer = Buffer.from(question);
    answer.writeUInt16BE(0x8183, 2);
    server.send(answer, port);
  });
  const names = namesOf([`127.0.0.1:${server.address().port}`], async () => ["10.1.2.3"]);
  expect(await names.resolve("printer.local.example")).toEqual(["10.1.2.3"]);
});

test("an aborted lookup waits neither for its turn nor for an answer", async () => {
  const { address } = await silentServer();
  const names = namesOf([address]);
  const leaving = new AbortController();
  const wanted = Array.from({ length: 20 }, (_, index) => codeOf(names.resolve(`n${index}.slow.example`, leaving.signal)));
  const expectWithin = startClock();
  leaving.abort();
  expect(new Set(await Promise.all(wanted))).toEqual(new Set(["ETIMEOUT"]));
  expectWithin(5_000);
  // All slots are free again.
  expect(await names.resolve("localhost")).toContain("127.0.0.1");
});
