import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { buildWeb } from "../../../scripts/build-web.mjs";
import { repositoryRoot } from "../../server/src/base/file/repository-root.ts";

interface Chunk {
  file: string;
  imports?: string[];
  isEntry?: boolean;
}

const built = join(repositoryRoot, "dist/web");
let chunks: Record<string, Chunk>;
beforeAll(async () => {
  await buildWeb();
  chunks = JSON.parse(readFileSync(join(built, ".vite/manifest.json"), "utf8"));
}, 120_000);

/** What a browser has to load before that chunk can run, itself included. */
function closureOf(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const next of chunks[name]?.imports ?? []) closureOf(next, found);
  return found;
}

const gzippedKb = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + gzipSync(readFileSync(join(built, chunks[name]!.file))).length, 0) / 1000;

test("the first page needs at most 250 kB of JavaScript, gzipped", () => {
  const entry = Object.keys(chunks).find((name) => chunks[name]!.isEntry) as string;
  expect(gzippedKb(closureOf(entry))).toBeLessThan(250);
});

test("no page takes more than 40 files of JavaScript", () => {
  const entry = Object.keys(chunks).find((name) => chunks[name]!.isEntry) as string;
  const pages = Object.keys(chunks).filter((name) => /-page\.tsx$/.test(name));
  expect(pages.length).toBeGreaterThan(20);
  const files = (name: string) => closureOf(name, closureOf(entry)).size;
  expect(pages.filter((name) => files(name) > 40).map((name) => `${name}: ${files(name)}`)).toEqual([]);
});

test("neither the canvas, nor the editors, nor the charts are loaded before they are shown", () => {
  const entry = Object.keys(chunks).find((name) => chunks[name]!.isEntry) as string;
  const first = [...closureOf(entry)].map((name) => readFileSync(join(built, chunks[name]!.file), "utf8")).join("\n");
  expect(["react-flow__", "cm-editor", "recharts-"].filter((mark) => first.includes(mark))).toEqual([]);
});

test("nothing is in the built page that a strict content policy refuses", () => {
  const page = readFileSync(join(built, "index.html"), "utf8");
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>|\son\w+=|javascript:|<style/i);
});
