import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type Pack, pack } from "tar-stream";
import type { ContainerEngine } from "../container/container-engine.ts";
import { taskImageName } from "../container/task-image.ts";
import { gitInit } from "./git-init.ts";

/** Stand-ins for the images of the tasks in the public catalogue: the image for tests, with the real programs that those images contain. */
export const catalogueImages = { gitInit: "localhost/git-init:1", npm: "localhost/npm:1", python: taskImageName } as const;

/** @param engine an engine that has the image for tests */
export async function makeCatalogueImages(engine: ContainerEngine): Promise<void> {
  const git = pack();
  git.entry({ name: "ko-app/git-init", mode: 0o755 }, readFileSync(await gitInit()));
  await derive(engine, catalogueImages.gitInit, git);
  const npm = pack();
  const folder = dirname(dirname(realpathSync(join(dirname(process.execPath), "npm"))));
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile()) npm.entry({ name: `usr/local/lib/node_modules/npm${path.slice(folder.length)}`, mode: 0o755 }, readFileSync(path));
  }
  npm.entry({ name: "usr/local/bin/npm", type: "symlink", linkname: "../lib/node_modules/npm/bin/npm-cli.js" });
  await derive(engine, catalogueImages.npm, npm);
}

async function derive({ docker }: ContainerEngine, name: string, files: Pack): Promise<void> {
  files.finalize();
  const container = await docker.createContainer({ Image: taskImageName, Cmd: ["true"] });
  await container.putArchive(await buffer(files), { path: "/" });
  const [repo, tag] = name.split(":");
  await container.commit({ repo, tag });
  await container.remove();
}
