// Bundles the user interface and compresses its files: the process that build-web.mjs starts. Arguments: the folder to write, and the
// previous one.
import { join } from "node:path";
import { build } from "vite";
import { compressAssets } from "./compress-assets.mjs";
import { root } from "./install.mjs";

// The parent process has gone.
process.on("disconnect", () => process.exit(1));
process.env.NODE_ENV = "production";
const [draft, before] = process.argv.slice(2);
const web = join(root, "packages/web");
await build({ configFile: join(web, "vite.config.mts"), root: web, mode: "production", logLevel: "warn", build: { outDir: draft } });
await compressAssets(join(draft, "assets"), join(before, "assets"));
process.exit(0);
