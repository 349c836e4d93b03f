import { type AddressInfo, createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { expect } from "vitest";
import { type Bench, makeJob, run, type Scenario } from "./scenario.ts";

/**
 * What steps can reach with the network `outbound`. The step tries everything: it connects directly, and through the proxy that its
 * environment names, to every spelling of an address. The server there sends one word, which must not arrive.
 */
const probe = `
const net = require("net");
const http = require("http");
const targets = process.argv.slice(1).map((text) => { const at = text.lastIndexOf(":"); return [text.slice(0, at), Number(text.slice(at + 1))]; });
const within = (socket, done) => { socket.setTimeout(3000, () => socket.destroy()); socket.on("error", () => {}); socket.on("close", done); };
const hears = (socket) => new Promise((done) => {
  let text = "";
  socket.on("data", (chunk) => { text += chunk; });
  within(socket, () => done(text));
  socket.write && setTimeout(() => socket.destroyed || socket.end && socket.end("\\r\\n\\r\\n"), 300);
});
const direct = ([host, port]) => hears(net.connect({ host, port }));
const proxied = ([host, port]) => new Promise((done) => {
  const proxy = process.env.HTTP_PROXY && new URL(process.env.HTTP_PROXY);
  if (!proxy) return done("");
  const name = host.includes(":") ? "[" + host + "]" : host;
  const asked = http.request({ host: proxy.hostname, port: proxy.port, method: "CONNECT", path: name + ":" + port });
  asked.on("connect", (answer, socket, head) => hears(socket).then((text) => done(head + text)));
  asked.on("error", () => done(""));
  asked.end();
});
(async () => {
  for (const target of targets) {
    const heard = (await direct(target)) + (await proxied(target));
    console.log(target.join(" ") + (heard.includes("greeting-of-the-server") ? " reached" : " not reached"));
  }
})();
`;

function tryTargets(bench: Bench, targets: readonly string[], network: "none" | "outbound") {
  const list = targets.map((target) => `'${target}'`).join(" ");
  return run(bench, makeJob(`exec "$NODE" -e '${probe}' ${list}`, { network }));
}

/** Sends one word to everyone, on every address of this machine. */
async function withServer<T>(act: (port: number) => Promise<T>): Promise<T> {
  const server: Server = createServer((socket) => socket.on("error", () => undefined).end("greeting-of-the-server\n")).listen(0, "::");
  await new Promise((done) => server.once("listening", done));
  try {
    return await act((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

const loopbackForms = ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0.0.0.0", "0", "localhost", "::1", "::", "::ffff:127.0.0.1"];
const carriedForms = ["64:ff9b::7f00:1", "2002:7f00:1::1", "::ffff:7f00:1"];

function machineAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.filter(({ internal, address }) => !internal && !address.startsWith("fe80")).map(({ address }) => address);
}

export const networkScenarios: Scenario[] = [
  {
    name: "a step with the network outbound reaches nothing of this machine, however it is spelt",
    needs: "outbound",
    check: (bench) =>
      withServer(async (port) => {
        const hosts = [...loopbackForms, ...carriedForms, ...machineAddresses()];
        const { texts, outcome } = await tryTargets(
          bench,
          hosts.map((host) => `${host}:${port}`),
          "outbound",
        );
        expect(outcome.status).toBe("succeeded");
        expect(texts()).toEqual(hosts.map((host) => `${host} ${port} not reached`));
        if (!bench.promises.namesRefusals) return;
        expect(texts("system").join("\n")).toContain(`connection to 127.0.0.1:${port} refused: it is this machine itself (loopback)`);
        expect(texts("system").join("\n")).toContain(`MILLRACE_TASK_OUTBOUND_ALLOW=127.0.0.1:${port} would allow it`);
      }),
  },
  {
    name: "metadata of clouds and link-local addresses are refused, and named",
    needs: "namesRefusals",
    async check(bench) {
      const hosts = ["169.254.169.254", "169.254.170.2", "fd00:ec2::254", "100.100.100.200", "169.254.9.9", "fe80::1"];
      const { texts } = await tryTargets(
        bench,
        hosts.map((host) => `${host}:80`),
        "outbound",
      );
      expect(texts()).toEqual(hosts.map((host) => `${host} 80 not reached`));
      for (const host of hosts) expect(texts("system").join("\n")).toMatch(new RegExp(`connection to \\[?${host}\\]?:80 refused`));
    },
  },
  {
    name: "a step with the network outbound reaches what the setting names, and with none not even that",
    needs: "outbound",
    async check(bench) {
      const { allowedServer } = bench;
      if (allowedServer === undefined) throw new Error("this bench names no server that may be reached");
      const line = (word: string) => [`${allowedServer.replace(/:(\d+)$/, " $1")} ${word}`];
      expect((await tryTargets(bench, [allowedServer], "outbound")).texts()).toEqual(line("reached"));
      expect((await tryTargets(bench, [allowedServer], "none")).texts()).toEqual(line("not reached"));
    },
  },
  {
    name: "two steps of a task have the same way out one after the other, and a stop ends what they leave",
    needs: "outbound",
    async check(bench) {
      const step = { script: `exec "$NODE" -e '${probe}' '${bench.allowedServer}'` };
      const { texts, outcome } = await run(bench, makeJob([step, step], { network: "outbound" }));
      expect(outcome.status).toBe("succeeded");
      expect(texts().filter((line) => line.endsWith(" reached") && !line.includes("not"))).toHaveLength(2);
    },
  },
];
