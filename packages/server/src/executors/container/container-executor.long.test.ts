import { spawn } from "node:child_process";
import { once } from "node:events";
import { openContainerBench, openRootlessBench } from "../../../test/kit/container/container-bench.ts";
import type { ContainerEngine } from "../../../test/kit/container/container-engine.ts";
import { openContainerTier } from "../../../test/kit/container/container-tier.ts";
import { exerciseExecutor } from "../exercise-executor.ts";
import { createOutboundPolicy, defaultOutbound } from "../networks/outbound-policy.ts";

/** The conformance suite with Docker, and what depends on the engine with Podman; the test starts an engine of each kind. */
for (const kind of ["docker", "podman"] as const) {
  const tier = await openContainerTier(kind);
  tier.describe(`with an engine of its own`, () => {
    const isFurther = kind === "podman";
    exerciseExecutor({ name: `container, with ${kind}`, create: () => withAllowedServer(tier.engine), isBrief: isFurther, isFurther });
  });
}

const rootless = await openContainerTier("podman", { isRootless: true });
rootless.describe("with an engine of a normal user", () => {
  const create = () => openRootlessBench(rootless.engine);
  exerciseExecutor({ name: "container, with podman without root", create, isBrief: true, isFurther: true });
});

/** With a server on the engine's machine, which steps can reach because the setting names it. */
async function withAllowedServer(engine: ContainerEngine) {
  const address = "198.18.77.8";
  const inNetwork = ["nsenter", `--net=/run/netns/${engine.networkName}`];
  await once(spawn("setpriv", ["--", ...inNetwork, "ip", "address", "add", `${address}/32`, "dev", "lo"]), "exit");
  const program = `require("net").createServer((s) => s.on("error", () => {}).end("greeting-of-the-server\\n")).listen(7001, "${address}", () => console.log("listening"))`;
  const server = spawn("setpriv", ["--pdeathsig", "KILL", ...inNetwork, process.execPath, "-e", program]);
  await once(server.stdout, "data");
  const allowedServer = `${address}:7001`;
  const policy = createOutboundPolicy({ ...defaultOutbound, allow: [allowedServer] });
  const bench = await openContainerBench(engine, { outbound: { policy, allowsHostNetwork: false } });
  const close = async (): Promise<void> => {
    server.kill("SIGKILL");
    await bench.close();
  };
  return { ...bench, promises: { ...bench.promises, outbound: true }, allowedServer, close };
}
