import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { packedFiles } from "../start/packed-files.ts";
import { type BuildImage, openBuilds } from "./build-image.ts";
import { type ContainerEngine, startContainerEngine } from "./container-engine.ts";
import { serviceBaseName, serviceBaseOrWhy } from "./service-base.ts";

const { version } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as { version: string };

/** The image of the service as deploy/docker/Dockerfile builds it, in a Docker engine of the test's own. */
export interface ServiceImage {
  name: string;
  version: string;
  engine: ContainerEngine;
  /** For further images on the same base. */
  build: BuildImage;
  close(): Promise<void>;
}

/** Takes one to three minutes, and two more if the base has to be built first. `why`: the reason why it can't run on this machine. */
export async function buildServiceImage(): Promise<ServiceImage | { why: string }> {
  const base = await serviceBaseOrWhy();
  if ("why" in base) return base;
  const engine = await startContainerEngine("docker");
  if ("why" in engine) return engine;
  const name = `millrace:${version}`;
  try {
    await engine.importImage(base.tar, serviceBaseName);
    const builds = await openBuilds(engine, { BASE: serviceBaseName });
    const close = async () => {
      builds.close();
      await engine.close();
    };
    await builds.build(name, [
      { folder: await packedFiles(), files: [`millrace-${version}.tgz`] },
      { folder: join(repositoryRoot, "deploy/docker"), files: ["Dockerfile"] },
    ]);
    return { name, version, engine, build: builds.build, close };
  } catch (error) {
    await engine.close();
    throw error;
  }
}
