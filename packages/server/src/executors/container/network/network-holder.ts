import { lstatSync } from "node:fs";
import type { Readable } from "node:stream";
import type { ContainerCreateOptions } from "dockerode";
import { pack } from "tar-stream";
import { anycastsV6, broadcastsV4, localRangesV4, localRangesV6 } from "../../../base/network/machine-addresses.ts";
import { systemPath } from "../../../base/process/system-path.ts";
import { shortHash } from "../../../base/text/short-hash.ts";
import { reservedImage } from "../../images/image-reference.ts";
import { nftRules, type OutboundFilter } from "../../networks/outbound-filter.ts";
import { shellProgram } from "../../programs/shell-program.ts";
import type { EngineClient } from "../engine/engine-client.ts";
import { EngineRefusal } from "../engine/engine-error.ts";
import type { EngineFacts } from "../engine/engine-facts.ts";
import { FrameParser } from "../output/output-streams.ts";

/**
 * Steps with the network `outbound` share the network of a container of ours, the holder, which sets up a filter in it and then sleeps.
 * Only the holder may change the filter; steps have no such right. Its programs are those of the machine (`sh`, `nft`, `sleep`), read-only,
 * so this works with every engine that starts containers, whichever user it runs as, and the service needs no rights for it. The holder
 * runs no program of a task or an image.
 */

/** The image has links where the machine has links, and mount points where it has folders. */
const systemFolders = ["bin", "sbin", "lib", "lib32", "lib64", "libx32"] as const;
const ready = "the network is set up";

export interface HolderParts {
  name: string;
  image: string;
  labels: Record<string, string>;
  filter: OutboundFilter;
}

/** The name is derived from the content of the image, so an engine imports it once. Tasks may not use this name. */
export function holderImage(): string {
  const layout = systemFolders.map((folder) => (isLink(folder) ? "link" : isFolder(folder) ? "folder" : "none"));
  return `${reservedImage}-${shortHash(layout).slice(0, 8)}`;
}

export async function importHolderImage(client: EngineClient): Promise<void> {
  const name = holderImage();
  if (!(await client.image(`${name}:latest`))) await client.importRoot(holderRoot(), name);
}

function isLink(folder: string): boolean {
  return lstatSync(`/${folder}`, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function isFolder(folder: string): boolean {
  return lstatSync(`/${folder}`, { throwIfNoEntry: false })?.isDirectory() === true;
}

function holderRoot(): Readable {
  const tar = pack();
  for (const name of ["usr", "etc", "tmp", "run"]) tar.entry({ name, type: "directory", mode: 0o755 });
  for (const name of systemFolders) {
    if (isLink(name)) tar.entry({ name, type: "symlink", linkname: `usr/${name}` });
    else if (isFolder(name)) tar.entry({ name, type: "directory", mode: 0o755 });
  }
  tar.finalize();
  return tar as unknown as Readable;
}

const setUp = shellProgram("hold-network");
const share = shellProgram("share-network");
const printAddresses = shellProgram("print-addresses");

function holderSpec({ name, image, labels }: Omit<HolderParts, "filter">, facts: EngineFacts, program: string[]): ContainerCreateOptions {
  const mounts = ["usr", ...systemFolders.filter((folder) => !isLink(folder) && isFolder(folder))];
  return {
    name,
    Image: `${image}:latest`,
    Entrypoint: ["/bin/sh", "-c", ...program],
    Cmd: [],
    User: "0:0",
    Labels: labels,
    HostConfig: {
      Binds: mounts.map((folder) => `/${folder}:/${folder}:ro`),
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      LogConfig: facts.kind === "podman" ? { Type: "k8s-file", Config: {} } : { Type: "local", Config: {} },
      ...(facts.limits.memory && { Memory: 128 << 20 }),
      ...(facts.limits.processes && { PidsLimit: 200 }),
    },
  };
}

/**
 * Starts the holder, and waits until its filter is active.
 * @returns its id
 * @throws EngineRefusal with what went wrong
 */
export async function startHolder(client: EngineClient, facts: EngineFacts, parts: HolderParts): Promise<string> {
  const spec = holderSpec(parts, facts, [setUp, "hold-network", ready]);
  spec.Env = [systemPath, `MILLRACE_RULES=${nftRules(parts.filter)}`];
  spec.HostConfig = { ...spec.HostConfig, CapAdd: ["NET_ADMIN"] };
  return startHeld(client, spec, "the filter of its network could not be set up");
}

/**
 * Starts one without a filter, for containers that have to share a network.
 * @param network undefined: the default network of the engine
 * @returns its id
 * @throws EngineRefusal with what went wrong
 */
export async function startPlainHolder(
  client: EngineClient,
  facts: EngineFacts,
  { network, ...parts }: Omit<HolderParts, "filter"> & { network: "none" | undefined },
): Promise<string> {
  const spec = holderSpec(parts, facts, [share, "share-network", ready]);
  spec.Env = [systemPath];
  spec.HostConfig = { ...spec.HostConfig, ...(network !== undefined && { NetworkMode: network }) };
  return startHeld(client, spec, "its network could not be held");
}

/** @param problem the message if it fails */
async function startHeld(client: EngineClient, spec: ContainerCreateOptions, problem: string): Promise<string> {
  const id = await client.create(spec);
  const output = await client.attach(id);
  try {
    await client.start(id);
    let text = "";
    for await (const words of read(output)) {
      text = words;
      if (text.includes(ready)) return id;
    }
    throw new EngineRefusal(0, `${problem}: ${text.trim() || "no message"}`);
  } catch (error) {
    await client.remove(id).catch(() => undefined);
    throw error;
  } finally {
    output.destroy();
  }
}

/** The addresses at which packets end on the engine's machine, in that machine's network, which may differ from that of the service. */
export async function readEngineAddresses(client: EngineClient, facts: EngineFacts, parts: Omit<HolderParts, "filter">): Promise<string[]> {
  const spec = holderSpec(parts, facts, [printAddresses]);
  spec.HostConfig = { ...spec.HostConfig, NetworkMode: "host" };
  const id = await client.create(spec);
  try {
    const output = await client.attach(id);
    await client.start(id);
    let text = "";
    for await (const words of read(output)) text = words;
    return [...localRangesV4(text), ...broadcastsV4(text), ...localRangesV6(text), ...anycastsV6(text)];
  } finally {
    await client.remove(id);
  }
}

/** All output so far, whenever something is added. */
async function* read(output: Readable): AsyncGenerator<string> {
  let text = "";
  const parser = new FrameParser((_stream, bytes) => {
    text += bytes.toString();
  });
  for await (const chunk of output) {
    parser.push(chunk as Buffer);
    yield text;
  }
}
