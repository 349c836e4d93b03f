import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { extract, pack } from "tar-stream";
import type { AttemptRoot } from "../attempt-root.ts";
import { baseLabels } from "../labels.ts";
import { starterProgram } from "../starter/starter.ts";
import type { EngineClient } from "./engine-client.ts";
import { EngineRefusal } from "./engine-error.ts";
import type { EngineFacts } from "./engine-facts.ts";

type Probed = Pick<EngineFacts, "hasInit" | "starter">;

/**
 * Uses a container of a tiny image to try what every step relies on: that the engine sees this machine's folders at the same paths (an
 * engine on another machine, or a service that is itself in a container, may not), that it starts a container with the limits of steps, and
 * that programs in such a folder can be executed, which a file system may forbid (`noexec`).
 *
 * The image has no program. What runs is the engine's own init process, with the option to print its version.
 *
 * @returns whether containers can have an init process, and the starter that they can begin with
 * @throws EngineRefusal with a message for people
 */
export async function probeFolders(client: EngineClient, facts: EngineFacts, root: AttemptRoot): Promise<Probed> {
  const folder = await mkdtemp(join(root.folder, "probe-"));
  const name = `millrace-probe-${root.instance.slice(0, 8)}-${randomBytes(4).toString("hex")}`;
  const image = `localhost/${name}`;
  try {
    const mark = randomBytes(16).toString("hex");
    await mkdir(join(folder, "shared"));
    await writeFile(join(folder, "shared", "mark"), mark);
    if (facts.starter) await writeFile(join(folder, "shared", "start"), starterProgram(facts.starter), { mode: 0o755 });
    await client.importRoot(tinyRoot(), image);
    const id = await client.create(probeSpec(name, `${image}:latest`, join(folder, "shared"), facts, root));
    const seen = await readMark(client, id);
    if (seen !== mark) throw new EngineRefusal(0, unseen(root.folder));
    const exitCode = await runInit(client, id);
    return { hasInit: exitCode !== undefined, starter: exitCode === 0 ? facts.starter : undefined };
  } finally {
    await removeProbe(client, name);
    await client.removeImage(`${image}:latest`).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
}

const removalPausesMs = [50, 250, 1_000];

/**
 * An engine that has just come back may refuse this for a moment. One that is unreachable may still have created the container without
 * responding: the next clean-up of leftovers removes what exists after that.
 */
async function removeProbe(client: EngineClient, name: string): Promise<void> {
  for (const pauseMs of removalPausesMs) {
    await client.remove(name).catch(() => undefined);
    const isGone = await client.state(name).then(
      () => false,
      (error) => !(error instanceof EngineRefusal) || error.status === 404,
    );
    if (isGone) return;
    await pause(pauseMs);
  }
}

function unseen(folder: string): string {
  return (
    `the container engine does not see the folder ${folder} of this service; run both on one machine, or mount the data folder ` +
    "at the same path where the engine runs"
  );
}

function tinyRoot(): Readable {
  const tar = pack();
  tar.entry({ name: "probe", type: "directory", mode: 0o755 });
  tar.entry({ name: "millrace", mode: 0o644 }, "A container that only finds out what the engine can do.\n");
  tar.finalize();
  return tar as unknown as Readable;
}

function probeSpec(name: string, image: string, source: string, facts: EngineFacts, root: AttemptRoot) {
  return {
    name,
    Image: image,
    Entrypoint: [
      ...(facts.starter ? ["/probe/start"] : []),
      facts.kind === "docker" ? "/sbin/docker-init" : "/run/podman-init",
      "--version",
    ],
    Cmd: [],
    User: "65534:65534",
    Labels: baseLabels(root),
    HostConfig: {
      Init: true,
      NetworkMode: "none",
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      Binds: [`${source}:/probe:ro`],
      ...(facts.limits.memory && { Memory: 64 << 20 }),
      ...(facts.limits.processes && { PidsLimit: 20 }),
    },
  };
}

async function readMark(client: EngineClient, id: string): Promise<string | undefined> {
  const tar = await client.archive(id, "/probe/mark").catch((error) => {
    if (error instanceof EngineRefusal && error.status === 404) return undefined;
    throw error;
  });
  if (tar === undefined) return undefined;
  const entries = extract();
  let found: string | undefined;
  entries.on("entry", (_header, stream, next) => {
    void text(stream as unknown as Readable).then((content) => {
      found = content;
      next();
    });
  });
  await new Promise((resolve, reject) => {
    tar.on("error", reject);
    entries.on("finish", () => resolve(undefined)).on("error", reject);
    (tar as unknown as NodeJS.ReadableStream).pipe(entries as unknown as NodeJS.WritableStream);
  });
  return found;
}

/** @returns its exit code; undefined if the engine has none */
async function runInit(client: EngineClient, id: string): Promise<number | undefined> {
  try {
    await client.start(id);
  } catch (error) {
    if (error instanceof EngineRefusal && /docker-init|podman-init|catatonit|init binary/i.test(error.message)) return undefined;
    throw error;
  }
  return client.wait(id);
}
