// Builds the API client into the packed file: one module that includes its packages, and its types. The declarations of the two packages
// that they refer to are copied beside them, since ours has no dependencies.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../install.mjs";
import { packageFoldersOf } from "./build-programs.mjs";

const sources = join(root, "packages/client/src");
const typesOfPackages = ["openapi-fetch", "openapi-typescript-helpers"];

/**
 * @param {string} folder absolute
 * @returns {Promise<Set<string>>} the folders of the packages that are inside, from the repository's root
 */
export async function buildClient(folder) {
  mkdirSync(folder, { recursive: true });
  const esbuild = await import("esbuild");
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [join(sources, "client.ts")],
    outdir: folder,
    bundle: true,
    // For Node and for browsers.
    platform: "neutral",
    mainFields: ["module", "main"],
    format: "esm",
    target: "es2022",
    metafile: true,
    logLevel: "silent",
  });
  declareTypes(folder);
  return packageFoldersOf(Object.keys(metafile.inputs));
}

function declareTypes(folder) {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const to = ["--declaration", "--emitDeclarationOnly", "--outDir", folder, "--rewriteRelativeImportExtensions"];
  const rules = [
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--lib",
    "es2023,dom,dom.iterable",
    "--types",
    "",
    "--strict",
    "--skipLibCheck",
  ];
  execFileSync(process.execPath, [tsc, "--ignoreConfig", ...to, ...rules, join(sources, "client.ts")], { cwd: root, stdio: "inherit" });
  for (const name of typesOfPackages) cpSync(join(root, "node_modules", name, "dist/index.d.mts"), join(folder, `${name}.d.ts`));
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".d.ts"))) {
    const text = readFileSync(join(folder, file), "utf8");
    // In declarations, imports keep the extensions of the sources.
    const besideUs = text
      .replace(/(from ["']\.\/[\w.-]+)\.ts(["'])/g, "$1.js$2")
      .replace(new RegExp(`(["'])(${typesOfPackages.join("|")})\\1`, "g"), "$1./$2.js$1");
    writeFileSync(join(folder, file), besideUs);
  }
}
