import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { createEgressProxy } from "../../../src/executors/networks/egress-proxy.ts";
import { createOutboundPolicy, defaultOutbound } from "../../../src/executors/networks/outbound-policy.ts";
import type { ContainerEngine } from "./container-engine.ts";

const port = 3128;

/** `docker build`, by the engine's API, in folders: their files are the context. */
export type BuildImage = (name: string, folders: readonly { folder: string; files: readonly string[] }[]) => Promise<void>;

/**
 * The network of a test engine is isolated. Its builds reach package registries through a proxy in this process, as behind a corporate
 * proxy: with the variables that Docker knows.
 * @param buildArgs of each build
 */
export async function openBuilds(
  engine: ContainerEngine,
  buildArgs: Record<string, string>,
): Promise<{ build: BuildImage; close(): void }> {
  const path = join(engine.folder, "builds");
  const proxy = await createEgressProxy(createOutboundPolicy(defaultOutbound)).listen({ path }, "builds", console.info);
  const program = join(repositoryRoot, "packages/server/test/fakes/relay-program.mjs");
  const network = `--net=/run/netns/${engine.networkName}`;
  const relay = spawn("nsenter", [network, process.execPath, program, String(port), path], { stdio: ["ignore", "pipe", "inherit"] });
  await once(relay.stdout, "data");
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];
  const args = { ...Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${port}`])), ...buildArgs };
  return {
    build: (name, folders) => build(engine, name, folders, args),
    close() {
      relay.kill();
      proxy.close();
    },
  };
}

async function build(
  { docker }: ContainerEngine,
  name: string,
  folders: Parameters<BuildImage>[1],
  args: Record<string, string>,
): Promise<void> {
  const tar = spawn("tar", ["-c", ...folders.flatMap(({ folder, files }) => ["-C", folder, ...files])], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  // The network of the machine, which is the engine's own.
  const options = { t: name, buildargs: args, networkmode: "host", nocache: false };
  const output = (await docker.buildImage(tar.stdout, options)) as Readable;
  const lines: string[] = [];
  let problem: string | undefined;
  for await (const line of createInterface(output)) {
    const { stream, error } = JSON.parse(line) as { stream?: string; error?: string };
    if (stream !== undefined) lines.push(stream);
    problem ??= error;
  }
  if (problem !== undefined) throw new Error(`${problem}\n${lines.slice(-20).join("")}`);
}
