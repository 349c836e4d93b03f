// `npm run pack`: creates the file from which users install Millrace, dist/millrace-VERSION.tgz, with everything built. Beside it: a list
// of the packages inside (CycloneDX), and the checksums of both. The same sources and packages produce the same bytes.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildPrograms } from "../packages/server/catalog/build-programs.mjs";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { buildWeb } from "./build-web.mjs";
import { root } from "./install.mjs";
import { buildClient } from "./pack/build-client.mjs";
import { buildPackedPrograms } from "./pack/build-programs.mjs";
import { listComponents } from "./pack/list-components.mjs";
import { npm } from "./pack/npm.mjs";
import { installedPackages, licenceTextsOf, noticeOf } from "./pack/shipped-packages.mjs";
import { runInstalled } from "./run.mjs";

const dist = join(root, "dist");
const { name, version, description, license, engines } = readJson("package.json");

/** Files that the programs read while they run, at the same paths as in the repository. */
const data = [
  ["packages/server/migrations", /\.sql$/],
  ["packages/server/src/store/functions", /\.(sql|json)$/],
  ["packages/server/src/executors/programs", /\.(sh|mjs|py)$/],
  ["packages/server/catalog/tasks", /./],
  ["packages/server/catalog/templates", /./],
  ["packages/server/samples/getting-started", /./],
  // The handbook at /docs; messages refer to its pages. Decisions are left out.
  ["docs", /^(?!adr\/).*\.(?:md|png)$/],
  // Files that the pages mention, for users without a checkout.
  ["deploy", /^(?!.*\.env$)/],
];

await runInstalled(async () => {
  // For tests, which run in parallel: `npm run pack -- FOLDER`.
  const target = resolve(process.argv[2] ?? dist);
  mkdirSync(target, { recursive: true });
  const stage = join(target, `.pack-${process.pid}`);
  try {
    const packages = installedPackages();
    await fill(stage, packages);
    const packed = npm(["pack", "--json", "--ignore-scripts", "--pack-destination", target], stage);
    const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(packed);
    const list = `${name}-${version}.cdx.json`;
    writeFileSync(join(target, list), listComponents({ name, version, description, license }, packages));
    writeFileSync(join(target, "SHA256SUMS"), [filename, list].map((file) => `${sha256(join(target, file))}  ${file}\n`).join(""));
    console.log(`${join(target, filename)}: ${megabytes(size)}, unpacked ${megabytes(unpackedSize)} in ${entryCount} files`);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
});

async function fill(stage, packages) {
  const programs = join(dist, "programs");
  await buildPrograms(programs);
  await buildWeb();
  const inside = [...(await buildPackedPrograms(join(stage, "dist"), version)), ...(await buildClient(join(stage, "dist/client")))];
  copy(programs, join(stage, "dist/programs"), /\.mjs$/);
  copy(join(dist, "web"), join(stage, "dist/web"), /(?<!sources\.sha256)$/);
  for (const [folder, pattern] of data) copy(join(root, folder), join(stage, folder), pattern);
  for (const file of ["LICENSE", "README.md", "CHANGELOG.md"]) cpSync(join(root, file), join(stage, file));
  refuseUnlisted(inside, packages);
  writeFileSync(join(stage, "NOTICE"), noticeOf(packages, "whose text is in THIRD-PARTY-LICENSES"));
  writeFileSync(join(stage, "THIRD-PARTY-LICENSES"), licenceTextsOf(packages));
  writeJson(join(stage, "packages/server/package.json"), { name: "@millrace/server", version, private: true, type: "module" });
  writeJson(join(stage, "package.json"), manifest());
}

/** Only the database of the platform is installed: everything else is bundled, in the versions that were tested. */
function manifest() {
  const { optionalDependencies } = readJson("packages/server/package.json");
  const client = { types: "./dist/client/client.d.ts", default: "./dist/client/client.js" };
  const offers = { bin: { millrace: "dist/millrace.mjs" }, exports: { "./client": client, "./package.json": "./package.json" } };
  return { name, version, description, license, type: "module", engines, ...offers, optionalDependencies };
}

/** @param {RegExp} pattern tested against the path from the folder */
function copy(from, to, pattern) {
  for (const entry of readdirSync(from, { recursive: true, encoding: "utf8" }).sort()) {
    if (!pattern.test(entry) || !statSync(join(from, entry)).isFile()) continue;
    cpSync(join(from, entry), join(to, entry));
  }
}

/** A package that counts as a development package would have no line in NOTICE, and no licence text. */
function refuseUnlisted(inside, packages) {
  const shipped = new Set(packages.filter(({ isShipped }) => isShipped).map(({ path }) => path));
  const unlisted = inside.filter((path) => !shipped.has(path));
  if (unlisted.length > 0)
    throw new Error(`these packages would be inside, and are not dependencies of a package of ours: ${unlisted.join(", ")}`);
}

function sha256(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
