import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";
import { runCommand } from "./run-command.ts";

export interface ImageConfig {
  Volumes?: Record<string, object>;
  Env?: string[];
  User?: string;
  Entrypoint?: string[];
  WorkingDir?: string;
}

interface Image {
  /** Path of a tar of its file system. */
  tar: string;
  name: string;
  /** The default command; none if omitted. */
  command?: string[];
  /** More of the image's configuration: `Volumes`, `User`, `Entrypoint`; `Env` instead of the usual PATH. */
  config?: ImageConfig;
}

/** Imports an image of one layer into the store of the containerd that listens on the socket. */
export async function importImage(socketPath: string, image: Image): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "millrace-image-"));
  try {
    const archive = join(folder, "image.tar");
    await writeArchive(archive, image);
    await runCommand("ctr", ["--address", socketPath, "--namespace", "k8s.io", "images", "import", archive]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The form of `docker save`: a list of images, a configuration and the layers. */
async function writeArchive(archive: string, { tar, name, command, config: more }: Image): Promise<void> {
  const config = {
    architecture: process.arch === "x64" ? "amd64" : process.arch,
    os: "linux",
    created: "2020-01-01T00:00:00Z",
    config: { Env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"], Cmd: command, ...more },
    rootfs: { type: "layers", diff_ids: [`sha256:${await hashOf(tar)}`] },
    history: [{ created: "2020-01-01T00:00:00Z" }],
  };
  const manifest = [{ Config: "config.json", RepoTags: [name], Layers: ["layer.tar"] }];
  const packer = pack();
  const written = pipeline(packer, createWriteStream(archive));
  packer.entry({ name: "manifest.json" }, JSON.stringify(manifest));
  packer.entry({ name: "config.json" }, JSON.stringify(config));
  const entry = packer.entry({ name: "layer.tar", size: (await stat(tar)).size });
  await pipeline(createReadStream(tar), entry);
  packer.finalize();
  await written;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
