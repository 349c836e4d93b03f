import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { createFactories } from "../../kit/factories.ts";
import { runToEnd, testInstance } from "../../kit/start/test-instance.ts";

/** What tasks can reach of the service that runs them, in a complete process behind a proxy that it trusts on the loopback address. */
const token = "admin-token-of-the-networks";
const service = await testInstance({
  MILLRACE_ADMIN_TOKEN: token,
  MILLRACE_PORT: "0",
  MILLRACE_TRUSTED_PROXY: "127.0.0.1,::1",
  MILLRACE_PROXY_EMAIL_HEADER: "x-forwarded-email",
  MILLRACE_ADMIN_EMAILS: "boss@example.com",
  MILLRACE_ALLOW_HOST_NETWORK: "false",
  // Even this setting does not open a socket that trusts every connection from this machine.
  MILLRACE_TASK_OUTBOUND_ALLOW: "127.0.0.0/8,0.0.0.0,[::1]",
});
const { address = "" } = service.instance;
const port = new URL(address).port;
const team = await createFactories(service.sql).team();
const hasSandbox = !service.instance.executors.join().includes("every step has the network of the machine");

const tokenBody = JSON.stringify({ type: "user", name: "stolen", permissions: ["**/**"] });

/** As the proxy would: asks for a token in the name of an administrator. */
const mint = (host: string) => `
const http = require("http");
const headers = { "x-forwarded-email": "boss@example.com", "x-forwarded-for": "9.9.9.9", "content-type": "application/json", host: "millrace.example.com" };
const ask = (options) => new Promise((done) => {
  const asked = http.request({ method: "POST", path: "/api/v2/token", headers, timeout: 3000, ...options }, (answer) => {
    answer.on("data", (chunk) => process.stdout.write(String(chunk)));
    answer.on("end", () => done(answer.statusCode));
  });
  asked.on("connect", (answer, socket) => {
    if (answer.statusCode !== 200) { socket.destroy(); return done("proxy says " + answer.statusCode); }
    ask({ createConnection: () => socket, agent: undefined }).then(done);
  });
  asked.on("timeout", () => asked.destroy(new Error("timed out")));
  asked.on("error", (error) => done(error.code));
  asked.end(process.env.BODY);
});
(async () => {
  const proxy = process.env.HTTP_PROXY ? new URL(process.env.HTTP_PROXY) : undefined;
  console.log("directly", await ask({ host: "${host}", port: ${port} }));
  if (proxy) console.log("through the proxy", await ask({ host: proxy.hostname, port: proxy.port, path: "http://${host}:${port}/api/v2/token" }));
  if (proxy) console.log("through a tunnel", await ask({ host: proxy.hostname, port: proxy.port, method: "CONNECT", path: "${host}:${port}" }));
})();
`;

function script(name: string, text: string, network?: string) {
  return {
    name,
    taskRef: "execute-shell",
    params: [
      { name: "shell", value: "/bin/sh" },
      { name: "script", value: `export BODY='${tokenBody}'; unset NODE_USE_ENV_PROXY; exec "$NODE" -e '${text}'` },
    ],
    ...(network !== undefined && { annotations: { "millrace.dev/network": network } }),
  };
}

test("a request with that header from this machine is an administrator's, so steps must not reach it", async () => {
  const headers = { "x-forwarded-email": "boss@example.com", "content-type": "application/json" };
  const answer = await fetch(`${address}/api/v2/token`, { method: "POST", headers, body: tokenBody });
  expect(answer.status, await answer.text()).toBe(200);
});

test.skipIf(!hasSandbox)(
  "a script beside a trusted proxy on loopback can't create a token, whichever address it tries",
  { timeout: 120_000 },
  async () => {
    const own = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4");
    const hosts = ["127.0.0.1", "localhost", "127.1", "0.0.0.0", ...own.map((one) => one.address)];
    const [{ before = 0 } = {}] = await service.sql<{ before: number }[]>`select count(*)::int as before from token`;
    const tasks = hosts.flatMap((host, index) => [script(`out-${index}`, mint(host), "outbound"), script(`none-${index}`, mint(host))]);
    const ended = await runToEnd(service, team.id, { tasks });
    expect(ended.filter(({ name }) => name.startsWith("out")).map(({ status }) => status)).toEqual(hosts.map(() => "succeeded"));
    const [{ after = 0 } = {}] = await service.sql<{ after: number }[]>`select count(*)::int as after from token`;
    expect(after).toBe(before);
  },
);

test("the network of the machine is refused when the workflow is saved", async () => {
  const saved = runToEnd(service, team.id, { tasks: [script("host", mint("127.0.0.1"), "host")] });
  await expect(saved).rejects.toThrow("MILLRACE_ALLOW_HOST_NETWORK=true");
});

test.skipIf(!hasSandbox)("an HTTP task is refused there, too, and its log says why and what would allow it", async () => {
  const params = (url: string) => [{ name: "url", value: url }];
  const tasks = [
    { name: "own", taskRef: "execute-basic-http-call", params: params(`http://127.0.0.1:${port}/api/v2/profile`) },
    { name: "metadata", taskRef: "execute-basic-http-call", params: params("http://169.254.169.254/latest/meta-data/") },
  ];
  const ended = Object.fromEntries((await runToEnd(service, team.id, { tasks })).map((task) => [task.name, task]));
  expect(ended["own"]).toMatchObject({ status: "failed" });
  expect(ended["metadata"]).toMatchObject({ status: "failed" });
  const log = async (name: string): Promise<string> => {
    const path = `/api/v2/taskrun/${ended[name]?.id}/log?follow=false`;
    return (await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } })).text();
  };
  expect(await log("own")).toContain(`connection to 127.0.0.1:${port} refused: it is this service, which trusts`);
  expect(await log("metadata")).toMatch(/connection to 169.254.169.254:80 refused: .*MILLRACE_TASK_OUTBOUND_ALLOW=169.254.169.254:80/);
});
