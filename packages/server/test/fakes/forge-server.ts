import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../src/base/file/repository-root.ts";
import type { CatalogueBench } from "../kit/catalogue/catalogue-tasks.ts";
import type { ContainerEngine } from "../kit/container/container-engine.ts";
import { until } from "../kit/until.ts";

/** The codehost of the sample tasks (forge.mjs), at an address that the steps of an executor can reach. */
export type Forge = CatalogueBench["forge"] & { stop(): Promise<void> };

const program = join(repositoryRoot, "packages/server/test/fakes/forge.mjs");
const token = "forge-token-of-the-tests";

/** As a process of this machine. @param host the address by which the steps reach it */
export async function startForge(host = "127.0.0.1"): Promise<Forge> {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env["PATH"], FORGE_TOKEN: token },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async () => {
    const ended = once(child, "exit");
    if (child.exitCode === null && child.kill()) await ended;
  };
  // Ends with this process, even if nothing stops it.
  process.once("exit", () => child.kill());
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return { url: `http://${host}:${/^ready (\d+)/.exec(said.toString())?.[1]}`, token, stop };
}

/** As a container of that engine, whose network has no route to this machine. @param image the image for tests */
export async function startForgeContainer(engine: ContainerEngine, image: string): Promise<Forge> {
  const port = 8000;
  const container = await engine.docker.createContainer({
    Image: image,
    Cmd: ["node", "--input-type=module", "-e", readFileSync(program, "utf8")],
    Env: [`FORGE_TOKEN=${token}`, `FORGE_PORT=${port}`, "PATH=/usr/local/bin:/usr/bin:/bin"],
  });
  await container.start();
  const logs = async () => (await container.logs({ stdout: true, stderr: true })).toString();
  await until(async () => {
    const { State } = await container.inspect();
    if (!State.Running) throw new Error(`the forge ended: ${await logs()}`);
    return (await logs()).includes("ready");
  }, "the forge is ready");
  const { NetworkSettings } = await container.inspect();
  const address = Object.values(NetworkSettings.Networks)[0]?.IPAddress;
  return { url: `http://${address}:${port}`, token, stop: () => container.remove({ force: true }) };
}
