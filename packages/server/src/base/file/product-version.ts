import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./repository-root.ts";

/** The version of this service, as its package says it. */
export const productVersion = (
  JSON.parse(readFileSync(join(repositoryRoot, "packages/server/package.json"), "utf8")) as { version: string }
).version;
