import { productVersion } from "./base/file/repository-root.ts";
import { newestVersion, readSchema } from "./store/database/schema/schema-files.ts";

export interface Versions {
  millrace: string;
  node: string;
  /** The last migration that this program knows. */
  schema: number;
}

/** `millrace version` */
export async function readVersions(): Promise<Versions> {
  return { millrace: productVersion, node: process.versions.node, schema: newestVersion(await readSchema()) };
}
