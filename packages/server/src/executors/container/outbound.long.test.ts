import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ContainerBench, openContainerBench } from "../../../test/kit/container/container-bench.ts";
import type { ContainerEngine } from "../../../test/kit/container/container-engine.ts";
import { openContainerTier } from "../../../test/kit/container/container-tier.ts";
import { taskImageName } from "../../../test/kit/container/task-image.ts";
import { until } from "../../../test/kit/until.ts";
import { testOutbound } from "../../../test/kit/worker/executor-environment.ts";
import { makeJob, run, startUntil } from "../exercise/scenario.ts";
import type { OutboundRuleSettings } from "../networks/outbound-rule.ts";

/** What a step with the network `outbound` can reach, with servers on every side: a neighbour, the machine, metadata, the database. */
const exec = promisify(execFile);
const node = "/usr/local/bin/node";
/** Responds to every connection and every datagram; `/away` redirects to the address in its query. */
const serverScript = `
  require("http").createServer((q, r) => q.url.startsWith("/away") ? r.writeHead(302, { location: "http://" + q.url.split("?")[1] }).end() : r.end("reached")).listen(Number(process.argv[1]), "::");
  const u = require("dgram").createSocket({ type: "udp6" }); u.on("message", (m, from) => u.send("reached", from.port, from.address)); u.bind(Number(process.argv[1]), "::");
  console.log("listening")`;
/** Tries each argument (`tcp:HOST:PORT`, `udp:…`, `http:URL`) and prints the outcome of each, one per line. */
const clientScript = `
  const { connect } = require("net"), dgram = require("dgram");
  const within = (ms, act) => Promise.race([act, new Promise((d) => { AbortSignal.timeout(ms).onabort = () => d("nothing"); })]);
  const ways = {
    tcp: (to) => new Promise((done) => { const [, host, port] = /^(.*):(\\d+)$/.exec(to); const s = connect({ host, port: Number(port) }, () => { s.write("GET / HTTP/1.0\\r\\n\\r\\n"); });
      s.on("data", () => { s.destroy(); done("reached"); }).on("error", (e) => done(e.code)); }),
    udp: (to) => new Promise((done) => { const [, host, port] = /^(.*):(\\d+)$/.exec(to); const s = dgram.createSocket(host.includes(":") ? "udp6" : "udp4");
      s.on("message", () => done("reached")).on("error", (e) => done(e.code)); s.connect(Number(port), host, (e) => e ? done(e.code) : s.send("x", (f) => f && done(f.code))); }),
    http: (url) => fetch(url).then((r) => r.text(), (e) => e.cause?.code ?? String(e)),
  };
  (async () => { for (const one of process.argv.slice(1)) { const [way] = one.split(":"); console.log(one + " " + await within(3000, ways[way](one.slice(way.length + 1)))); } process.exit(0); })()`;
const receiverScript = `const u = require("dgram").createSocket("udp4"); u.on("message", (m) => console.log(String(m))); u.bind(8099, () => console.log("listening"))`;
const broadcastScript = `const u = require("dgram").createSocket("udp4"); u.on("error", () => process.exit(1));
  u.bind(() => { u.setBroadcast(true); u.send(process.argv[2], 8099, process.argv[1], () => u.close()); })`;

for (const kind of ["docker", "podman"] as const) {
  const tier = await openContainerTier(kind);
  const { engine } = tier;
  let bench: ContainerBench;
  let neighbour: string;
  let gateway: string;
  const servers: { kill(): unknown }[] = [];
  let settings: OutboundRuleSettings;
  /** An address of the machine, not of a bridge. */
  const own = "198.18.77.7";
  const metadata = "169.254.169.254";
  /** A network of the machine, other than those of the engine. */
  const ownBroadcast = "198.18.78.255";

  const ask = async (targets: string[], more: Partial<OutboundRuleSettings> = {}): Promise<Record<string, string>> => {
    settings = { ...(await testOutbound.policy.facts()), ...more };
    const command = [node, "-e", clientScript, ...targets];
    const { outcome, texts } = await run(bench, makeJob([{ command }], { network: "outbound" }));
    expect(outcome.message).toBe("");
    return Object.fromEntries(texts().map((line) => line.split(" ") as [string, string]));
  };
  const unreached = expect.stringMatching(/^(EHOSTUNREACH|ECONNREFUSED|EACCES|ENETUNREACH|EPERM|EADDRNOTAVAIL|EINVAL|nothing)$/);

  tier.describe(`the network outbound with ${kind}`, () => {
    beforeAll(async () => {
      const outbound = { policy: { ...testOutbound.policy, facts: async () => settings }, allowsHostNetwork: false };
      settings = await testOutbound.policy.facts();
      await inNetwork(engine, "ip", "address", "add", `${own}/32`, "dev", "lo");
      await inNetwork(engine, "ip", "address", "add", `${metadata}/32`, "dev", "lo");
      await inNetwork(engine, "ip", "link", "add", "lan", "type", "bridge");
      await inNetwork(engine, "ip", "address", "add", "198.18.78.1/24", "broadcast", ownBroadcast, "dev", "lan");
      await inNetwork(engine, "ip", "link", "set", "lan", "up");
      bench = await openContainerBench(engine, { outbound });
      ({ address: neighbour, gateway } = await startNeighbour(engine));
      servers.push(execFile("nsenter", [`--net=/run/netns/${engine.networkName}`, process.execPath, "-e", serverScript, "8080"]));
      await until(
        () => inNetwork(engine, process.execPath, "-e", clientScript, `tcp:${own}:8080`).then((text) => text.includes("reached")),
        "the machine's server answers",
      );
    }, 60_000);
    afterAll(async () => {
      for (const server of servers) server.kill();
      await bench?.close();
    });

    test("is reported as enforced, and how", () => {
      expect(bench.executor.describe().detail).toContain("network outbound: filtered by nft in the network of each attempt");
    });

    test("reaches other hosts, but not the machine by any of its names and addresses", async () => {
      const open = [`tcp:${neighbour}:8080`, `udp:${neighbour}:8080`, `tcp:::ffff:${neighbour}:8080`, `http:http://${neighbour}:8080/`];
      const closed = [
        ...[gateway, own, metadata].flatMap((address) => [`tcp:${address}:8080`, `udp:${address}:8080`, `tcp:::ffff:${address}:8080`]),
        "tcp:127.0.0.1:8080",
        "tcp:::1:8080",
        `tcp:0.0.0.0:8080`,
        `http:http://${neighbour}:8080/away?${gateway}:8080/`,
        `http:http://${neighbour}:8080/away?${own}:8080/`,
        `http:http://${neighbour}:8080/away?${metadata}:8080/latest/meta-data`,
        "http:http://2130706433:8080/",
        `http:http://[::ffff:${own}]:8080/`,
      ];
      const found = await ask([...open, ...closed]);
      for (const target of open) expect(found[target], target).toBe("reached");
      for (const target of closed) expect(found[target], target).toEqual(unreached);
    });

    test("doesn't reach the machine by a broadcast to its bridges and networks either", async () => {
      const table = await inNetwork(engine, "ip", "-o", "-4", "address", "show");
      const broadcasts = [...table.matchAll(/ brd (\S+)/g)].map(([, address]) => address);
      expect(broadcasts).toEqual(expect.arrayContaining([ownBroadcast, expect.not.stringContaining(ownBroadcast)]));
      const heard: string[] = [];
      const receiver = execFile("nsenter", [`--net=/run/netns/${engine.networkName}`, process.execPath, "-e", receiverScript]);
      servers.push(receiver);
      receiver.stdout?.on("data", (text) => heard.push(...String(text).trim().split("\n")));
      await until(async () => heard.includes("listening"), "the receiver listens");
      const targets = [...broadcasts, "127.255.255.255", "255.255.255.255"].join(" ");
      const script = `for host in ${targets}; do ${node} -e '${broadcastScript}' $host from-the-step-by-$host || :; done`;
      settings = await testOutbound.policy.facts();
      expect((await run(bench, makeJob([{ script }], { network: "outbound" }))).outcome.status).toBe("succeeded");
      await inNetwork(engine, process.execPath, "-e", broadcastScript, ownBroadcast, "from-the-machine");
      await until(async () => heard.includes("from-the-machine"), "what the machine sends arrives");
      expect(heard).toEqual(["listening", "from-the-machine"]);
    });

    test("DNS rebinding gains nothing, since each packet is checked", async () => {
      const script = `const { connect } = require("net"); const answers = ["${neighbour}", "${own}"];
        const lookup = (name, options, done) => { const address = answers.shift(); options.all ? done(null, [{ address, family: 4 }]) : done(null, address, 4); };
        const once = () => new Promise((done) => connect({ host: "rebinding.example", port: 8080, lookup }, () => done("connected")).on("error", (e) => done(e.code)));
        once().then(async (first) => { console.log(first, await once()); process.exit(0); });`;
      settings = await testOutbound.policy.facts();
      const { texts } = await run(bench, makeJob([{ command: [node, "-e", script] }], { network: "outbound" }));
      expect(texts()).toEqual([expect.stringMatching(/^connected E/)]);
    });

    test("the port of the database is closed, other ports of its host are not, and the setting opens what it names", async () => {
      const guarded = [{ what: "the database", addresses: [neighbour], port: 8080 }];
      const database = `tcp:${neighbour}:8080`;
      expect((await ask([database, `tcp:${neighbour}:8081`], { guarded }))[database]).toEqual(unreached);
      expect((await ask([`tcp:${neighbour}:8081`], { guarded }))[`tcp:${neighbour}:8081`]).toBe("reached");
      expect((await ask([database], { guarded, allow: [`${neighbour}/32`] }))[database]).toEqual(unreached);
      expect((await ask([database], { guarded, allow: [`${neighbour}:8080`] }))[database]).toBe("reached");
      const machine = `tcp:${own}:8080`;
      expect((await ask([machine], { allow: [`${own}:8081`] }))[machine]).toEqual(unreached);
      expect((await ask([machine], { allow: [`${own}:8080`] }))[machine]).toBe("reached");
      expect((await ask([machine], { publicUrl: `http://${own}:8080` }))[machine]).toBe("reached");
    });

    test("private addresses are left out where the setting says so", async () => {
      const target = `tcp:${neighbour}:8080`;
      expect((await ask([target], { privateNetworks: false }))[target]).toEqual(unreached);
    });

    test("steps accept no connections, can't change their filter, and share one in a task", async () => {
      const script = `set +e; (${node} -e 'require("http").createServer((q, r) => r.end("reached")).listen(9000, "::", () => console.log("listening " + require("os").networkInterfaces().eth0[0].address))') &
        pid=$!; while ! test -e go; do sleep 0.05; done; kill $pid; true`;
      const second = `set +e; nft flush ruleset 2>&1 | head -1; unshare -n true 2>&1 | head -1; ${node} -e '${clientScript.replaceAll("'", "'\\''")}' tcp:${own}:8080`;
      settings = await testOutbound.policy.facts();
      const { finished } = await startUntil(bench, makeJob([{ script }, { script: second }], { network: "outbound" }), "listening");
      const [container] = (await engine.docker.listContainers({ filters: { label: ["dev.millrace.step=0"] } })).map(({ Id }) => Id);
      const [holder] = await engine.docker.listContainers({ filters: { label: ["dev.millrace.step=-1"] } });
      const address = await addressOf(engine, holder?.Id ?? "");
      const called = await inNetwork(engine, process.execPath, "-e", clientScript, `tcp:${address}:9000`);
      expect(called).not.toContain("reached");
      const release = await engine.docker.getContainer(container ?? "").exec({ Cmd: ["touch", "/task/work/go"] });
      await release.start({ Detach: true });
      const { outcome, texts } = await finished;
      expect(outcome.status).toBe("succeeded");
      expect(texts().at(-1)).toMatch(new RegExp(`^tcp:${own}:8080 E`));
      expect(await besideNeighbour(bench)).toEqual([]);
    });

    test("is refused with a remedy if it can't be enforced, and runs unfiltered only if that is allowed", async () => {
      const policy = { ...testOutbound.policy, facts: () => Promise.reject(new Error("no rule can be made")) };
      const closed = await openContainerBench(engine, { outbound: { policy, allowsHostNetwork: false } });
      const { outcome } = await run(closed, makeJob("true", { network: "outbound" }));
      expect(outcome).toMatchObject({ status: "failed", reason: "SandboxUnavailable" });
      expect(outcome.message).toContain("no rule can be made");
      expect(outcome.message).toContain("MILLRACE_ALLOW_HOST_NETWORK=true");
      expect(closed.executor.describe().detail).toContain("network outbound: refused");
      expect((await run(closed, makeJob("true"))).outcome.status).toBe("succeeded");
      await closed.close();
      const open = await openContainerBench(engine, { outbound: { policy, allowsHostNetwork: true } });
      const allowed = await run(open, makeJob("true", { network: "outbound" }));
      expect(allowed.outcome.status).toBe("succeeded");
      expect(allowed.texts("system").join()).toContain("reach all that the engine's network reaches");
      await open.close();
    });
  });
}

async function inNetwork({ networkName }: ContainerEngine, ...command: string[]): Promise<string> {
  return (await exec("nsenter", [`--net=/run/netns/${networkName}`, ...command])).stdout;
}

async function addressOf({ docker }: ContainerEngine, id: string): Promise<string> {
  const { NetworkSettings } = await docker.getContainer(id).inspect();
  return Object.values(NetworkSettings.Networks)[0]?.IPAddress || "";
}

/** A container that is not ours, on the same network, with a server on two ports. */
async function startNeighbour(engine: ContainerEngine): Promise<{ address: string; gateway: string }> {
  const command = `${node} -e '${serverScript.replaceAll("'", '"')}' 8080 & exec ${node} -e '${serverScript.replaceAll("'", '"')}' 8081`;
  const container = await engine.docker.createContainer({ name: "neighbour", Image: taskImageName, Cmd: ["sh", "-c", command] });
  await container.start();
  const address = await addressOf(engine, container.id);
  const { NetworkSettings } = await container.inspect();
  const gateway = Object.values(NetworkSettings.Networks)[0]?.Gateway || "";
  for (const port of [8080, 8081])
    await until(
      () => inNetwork(engine, process.execPath, "-e", clientScript, `tcp:${address}:${port}`).then((text) => text.includes("reached")),
      "the neighbour answers",
    );
  return { address, gateway };
}

async function besideNeighbour(bench: ContainerBench): Promise<string[]> {
  return (await bench.leftovers()).filter((line) => !line.includes("neighbour"));
}
