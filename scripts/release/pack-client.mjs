// Packs the API client as a package of its own, for programs that don't need the service: with its types, and the licences of the packages
// inside.
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../install.mjs";
import { buildClient } from "../pack/build-client.mjs";
import { listComponents } from "../pack/list-components.mjs";
import { npm } from "../pack/npm.mjs";
import { installedPackages, licenceTextsOf, noticeOf } from "../pack/shipped-packages.mjs";

/**
 * @param {string} target folder for the package and the list of what is inside
 * @param {{version: string, license: string, engines: object}} release
 * @returns {Promise<string[]>} the names of both files
 */
export async function packClient(target, { version, license, engines }) {
  const name = "millrace-client";
  const description = "The typed client of Millrace's API, for Node and browsers";
  const stage = join(target, `.client-${process.pid}`);
  try {
    const inside = await buildClient(join(stage, "dist"));
    const packages = installedPackages().filter(({ path }) => inside.has(path));
    cpSync(join(root, "LICENSE"), join(stage, "LICENSE"));
    cpSync(join(root, "docs/client.md"), join(stage, "README.md"));
    writeFileSync(join(stage, "NOTICE"), noticeOf(packages, "whose text is in THIRD-PARTY-LICENSES"));
    writeFileSync(join(stage, "THIRD-PARTY-LICENSES"), licenceTextsOf(packages));
    const entry = { types: "./dist/client.d.ts", default: "./dist/client.js" };
    const offers = { exports: { ".": entry, "./package.json": "./package.json" } };
    const manifest = { name, version, description, license, type: "module", engines, ...offers };
    writeFileSync(join(stage, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    const [{ filename }] = JSON.parse(npm(["pack", "--json", "--ignore-scripts", "--pack-destination", target], stage));
    const list = `${name}-${version}.cdx.json`;
    writeFileSync(join(target, list), listComponents({ name, version, description, license }, packages));
    return [filename, list];
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
