import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { resolveName } from "./outbound-policy.ts";
import { createStepNames, type StepNames } from "./step-names.ts";

/** A name server that never answers, and how many it was asked for. */
async function silentServer(): Promise<{ address: string; asked: () => number }> {
  let asked = 0;
  const socket = createSocket("udp4", () => asked++).bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked: () => asked };
}

function namesOf(servers: readonly string[], system = resolveName): StepNames {
  const names = createStepNames({ system, servers });
  onTestFinished(() => names.end());
  return names;
}

const codeOf = (promise: Promise<unknown>) => promise.then(() => "found").catch(({ code }: NodeJS.ErrnoException) => code);

test("a task that asks for names nobody answers for holds up neither other tasks nor the service", async () => {
  const { address, asked } = await silentServer();
  const [hostile, other] = [namesOf([address]), namesOf([address])];
  const wanted = Array.from({ length: 250 }, (_, index) => hostile.resolve(`n${index}.slow.example`).catch(() => undefined));
  await expect.poll(asked).toBeGreaterThan(0);
  const begun = performance.now();
  expect(await other.resolve("localhost")).toContain("127.0.0.1");
  expect(await resolveName("localhost")).toContain("127.0.0.1");
  expect(performance.now() - begun).toBeLessThan(5_000);
  hostile.end();
  await Promise.all(wanted);
});

test("what is under way ends with the attempt, and nothing is asked for afterwards", async () => {
  const { address } = await silentServer();
  const names = namesOf([address]);
  const wanted = Array.from({ length: 20 }, (_, index) => codeOf(names.resolve(`n${index}.slow.example`)));
  names.end();
  expect(new Set(await Promise.all(wanted))).toEqual(new Set(["ETIMEOUT"]));
  expect(await codeOf(names.resolve("localhost"))).toBe("ETIMEOUT");
});

test("the system is asked for what it alone knows, one name at a time, whatever the number of tasks", async () => {
  let [now, most] = [0, 0];
  const system = async (name: string): Promise<string[]> => {
    most = Math.max(most, ++now);
    await new Promise((done) => setImmediate(done));
    now--;
    return [name === "127.1" ? "127.0.0.1" : "10.0.0.1"];
  };
  const tasks = Array.from({ length: 4 }, () => namesOf(["127.0.0.1:9"], system));
  const found = await Promise.all(tasks.flatMap((names) => ["database", "127.1", "0x7f000001"].map((name) => names.resolve(name))));
  expect(found.flat().filter((address) => address === "127.0.0.1")).toHaveLength(4);
  expect(most).toBe(1);
});

test("a name that the DNS does not have is asked of the system", async () => {
  const server = createSocket("udp4").bind(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // The question again, as an answer with the code NXDOMAIN.
  server.on("message", (question, { port }) => {
    const answer = Buffer.from(question);
    answer.writeUInt16BE(0x8183, 2);
    server.send(answer, port);
  });
  const names = namesOf([`127.0.0.1:${server.address().port}`], async () => ["10.1.2.3"]);
  expect(await names.resolve("printer.local.example")).toEqual(["10.1.2.3"]);
});
