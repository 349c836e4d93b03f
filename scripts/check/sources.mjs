// The files of the repository: what git would list, found without git, since a source archive has none.
import { readdirSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");

const foreign = new Set(["node_modules", ".git", "dist", ".millrace", "coverage"]);

/** Paths relative to the root, with forward slashes, sorted. @param {RegExp} pattern tested against the relative path */
export function sourceFiles(pattern) {
  const found = [];
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (foreign.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) {
        const name = relative(root, path).split(sep).join("/");
        if (pattern.test(name)) found.push(name);
      }
    }
  };
  walk(root);
  return found.sort();
}
