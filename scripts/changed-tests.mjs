// `npm test -- --changed [COMMIT]`: the tests nearest to what has changed. Most tests start the whole service, so nearly every change
// reaches nearly all of them through imports, but a broken change usually fails first in the tests beside it. Distance is the number of
// imports in between. Tests that read a file without importing it (a page of the docs, a database function) are found by the file's name.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "./install.mjs";

/** The total time of the nearest tests, so that the run takes about a minute; changed tests run however long they take. */
const budgetSeconds = 20;
const isTest = (file) => /\.test\.tsx?$/.test(file) && !file.endsWith(".cluster.test.ts");
const isModule = (file) => /\.(tsx?|mjs|mts)$/.test(file);

/**
 * @param {string | undefined} since a commit: changes after it; by default uncommitted changes
 * @returns {{ tests: string[], further: number, changed: string[] }} paths from the root; `further`: how many more the change reaches
 */
export function findChangedTests(since) {
  const files = git("ls-files", "--cached", "--others", "--exclude-standard").filter((file) => existsSync(join(root, file)));
  const changed = [...new Set([...git("diff", "--name-only", since ?? "HEAD"), ...git("ls-files", "--others", "--exclude-standard")])];
  const read = (file) => readFileSync(join(root, file), "utf8");
  return { changed, ...chooseTests({ files, changed, read, secondsOf: knownSeconds() }) };
}

/**
 * @param {{ files: string[], changed: string[], read: (file: string) => string, secondsOf: (test: string) => number }} given
 * @returns {{ tests: string[], further: number }} the nearest first
 */
export function chooseTests({ files, changed, read, secondsOf }) {
  const graph = readImporters(files.filter(isModule), read);
  const distances = new Map();
  const reach = (file, distance) => {
    if (distance < (distances.get(file) ?? Number.POSITIVE_INFINITY)) distances.set(file, distance);
  };
  for (const file of changed) {
    for (const start of startsOf(file, { files, read })) for (const [found, distance] of walk(graph, start)) reach(found, distance);
  }
  for (const [file, distance] of [...distances]) for (const test of showingTests(file, files)) reach(test, distance + 1);
  const near = [...distances].filter(([file]) => isTest(file));
  near.sort(([a, farA], [b, farB]) => farA - farB || secondsOf(a) - secondsOf(b));
  return takeWithin(near, secondsOf);
}

/** Where the walk through the imports starts: files that are not modules are searched for by name. */
function startsOf(file, { files, read }) {
  if (isModule(file)) return [file];
  if (!file.endsWith(".sql")) return files.filter((test) => isTest(test) && read(test).includes(basename(file)));
  const functions = files.includes(file) ? [...read(file).matchAll(/create or replace function (\w+)/g)].map(([, name]) => `${name}(`) : [];
  const callers = files.filter((module) => /\/store\/.*\.ts$/.test(module) && functions.some((name) => read(module).includes(name)));
  return callers.length > 0 ? callers : files.filter((module) => module.endsWith("/store/database/schema/migrate.ts"));
}

/** A test of the whole interface imports nothing of it: it is named after the page that it opens. */
function showingTests(file, files) {
  const page = /^packages\/web\/src\/pages\/(?:admin\/)?([\w-]+)\//.exec(file)?.[1];
  if (page === undefined) return [];
  const isNamedAfter = (test) =>
    basename(test)
      .replace(/(\.long)?\.browser\.test\.ts$/, "")
      .split("-")
      .includes(page);
  return files.filter((test) => test.endsWith(".browser.test.ts") && isNamedAfter(test));
}

function takeWithin(near, secondsOf) {
  const tests = [];
  let seconds = 0;
  for (const [test, distance] of near) {
    const more = secondsOf(test);
    if (distance > 0 && tests.length > 0 && seconds + more > budgetSeconds) continue;
    tests.push(test);
    seconds += more;
  }
  return { tests, further: near.length - tests.length };
}

/** Each module that imports the file, directly or not, with the number of imports in between. */
function walk({ importers }, start) {
  const found = new Map([[start, 0]]);
  for (const [file, distance] of found) for (const next of importers.get(file) ?? []) if (!found.has(next)) found.set(next, distance + 1);
  return found;
}

function readImporters(modules, read) {
  const known = new Set(modules);
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const file of modules) {
    for (const [, name] of read(file).matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)) {
      const target = resolveImport(file, name);
      if (target !== undefined && known.has(target)) importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  return { importers };
}

function resolveImport(file, name) {
  if (name.startsWith("@millrace/contract/")) return join("packages/contract/src", name.slice("@millrace/contract/".length));
  return name.startsWith(".") ? join(dirname(file), name) : undefined;
}

/**
 * The duration as vitest measured it in earlier runs; the default is half a second, five for a test of the whole service, a minute for a
 * long one.
 */
function knownSeconds() {
  const folder = join(root, "node_modules/.vite/vitest");
  const kept = existsSync(folder) ? readdirSync(folder, { recursive: true }).filter((name) => basename(name) === "results.json") : [];
  const seconds = new Map();
  for (const name of kept) {
    const { results = [] } = JSON.parse(readFileSync(join(folder, name), "utf8"));
    for (const [test, { duration }] of results) seconds.set(test.slice(test.indexOf(":") + 1), duration / 1000);
  }
  const guess = (test) => (/\.long\./.test(test) ? 60 : /browser\.test|test\/guarantees/.test(test) ? 5 : 0.5);
  return (test) => seconds.get(test) ?? guess(test);
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.split("\n").filter((line) => line !== "");
}
