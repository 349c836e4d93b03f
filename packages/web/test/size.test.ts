import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { buildWeb } from "../../../scripts/build-web.mjs";
import { repositoryRoot } from "../../server/src/base/file/repository-root.ts";

interface Chunk {
  file: string;
  name?: string;
  imports?: string[];
  css?: string[];
  isEntry?: boolean;
  isDynamicEntry?: boolean;
}

const built = join(repositoryRoot, "dist/web");
let chunks: Record<string, Chunk>;
beforeAll(async () => {
  await buildWeb();
  chunks = JSON.parse(readFileSync(join(built, ".vite/manifest.json"), "utf8"));
}, 180_000);

/** A module that was merged into a group is in the chunk of that group. */
const grouped: Record<string, string> = {
  "pages/page-frames": "frame",
  "pages/home/home-page": "frame",
  "pages/sign-in/sign-in-page": "form",
  "pages/workflow/workflow-frame": "workflow",
  "ui/code/code-mirror": "code",
  "editor/code/code-view": "code",
  "editor/designer": "designer",
  "components/run-graph/run-canvas": "graph",
  "ui/chart/line-points": "charts",
  "ui/chart/stacked-bars": "charts",
};

function keyOf(module: string): string {
  const key = `src/${module}.tsx`;
  if (chunks[key] !== undefined) return key;
  const group = Object.keys(chunks).find((name) => chunks[name]!.name === grouped[module] && chunks[name]!.file.endsWith(".js"));
  if (group === undefined) throw new Error(`${key} is no chunk of the build: has the page moved?`);
  return group;
}

const entryOf = () => Object.keys(chunks).find((name) => chunks[name]!.isEntry) as string;

/** What a browser has to load before that chunk can run, including the chunk itself. */
function closureOf(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const next of chunks[name]?.imports ?? []) closureOf(next, found);
  return found;
}

/** The scripts and styles that a screen of these modules loads with an empty cache. */
function filesOf(...modules: string[]): string[] {
  const names = closureOf(entryOf());
  for (const module of modules) closureOf(keyOf(module), names);
  return [...new Set([...names].flatMap((name) => [chunks[name]!.file, ...(chunks[name]!.css ?? [])]))];
}

/** The transferred size: the compressed copy for a browser that accepts Brotli, or the file itself if it has no such copy. */
function kilobytesOf(files: string[]): number {
  const bytes = files.map((file) => join(built, file)).map((file) => statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size);
  return bytes.reduce((sum, size) => sum + size, 0) / 1000;
}

const frame = "pages/page-frames";
const workflow = [frame, "pages/workflow/workflow-frame"];

/**
 * What a screen loads: its modules, then the limits of its scripts and styles in kB and in files. Fonts (33 kB, 46 kB with code) and API
 * responses (8 kB) are added to it; `first-load.browser.test.ts` counts all of it, at most 262 kB at the first visit.
 */
const budgets: [screen: string, modules: string[], kilobytes: number, files: number][] = [
  ["sign-in", ["pages/sign-in/sign-in-page"], 193, 5],
  ["home", [frame, "pages/home/home-page"], 206, 5],
  ["workflows", [frame, "pages/workflows/workflows-page"], 345, 12],
  ["a workflow's overview", [...workflow, "pages/workflow/overview-page"], 409, 14],
  // Its settings show the results of a loop and a list, and its results those of the called workflow.
  ["a workflow's designer", [...workflow, "editor/designer"], 476, 16],
  ["a workflow's code", [...workflow, "editor/code/code-view", "ui/code/code-mirror"], 598, 15],
  ["a workflow's versions", [...workflow, "pages/workflow/versions-page"], 406, 14],
  ["a workflow's configuration", [...workflow, "pages/configure/configure-page"], 439, 15],
  ["activity", [frame, "pages/activity/activity-page"], 351, 11],
  ["a run", [frame, "pages/run/run-page", "components/run-graph/run-canvas"], 447, 14],
  ["actions", [frame, "pages/actions/actions-page"], 342, 11],
  ["an action", [frame, "pages/actions/action-page"], 342, 11],
  ["schedules", [frame, "pages/schedules/schedules-page"], 368, 11],
  ["insights", [frame, "pages/insights/insights-page", "ui/chart/line-points", "ui/chart/stacked-bars"], 432, 13],
  ["integrations", [frame, "pages/integrations/integrations-page"], 360, 12],
  ["a task", [frame, "pages/tasks/task-page"], 382, 12],
  ["members of a team", [frame, "pages/manage/manage-page"], 368, 12],
  ["parameters", [frame, "pages/parameters/team-parameters-page"], 339, 11],
  ["administration", [frame, "pages/admin/admin-page"], 359, 12],
  ["profile", [frame, "pages/profile/profile-page"], 362, 12],
];

test.each(budgets)("the screen of %s stays in its budget", (_screen, modules, kilobytes, files) => {
  const loaded = filesOf(...modules);
  expect(kilobytesOf(loaded)).toBeLessThanOrEqual(kilobytes);
  expect(loaded.length).toBeLessThanOrEqual(files);
});

test("no page takes more than 18 files", () => {
  const pages = Object.keys(chunks).filter((name) => /-page\.tsx$/.test(name));
  expect(pages.length).toBeGreaterThan(20);
  const modules = pages.map((name) => name.slice("src/".length, -".tsx".length));
  const files = (module: string) => filesOf(...(/\/(workflow|configure)\//.test(module) ? workflow : [frame]), module).length;
  expect(modules.filter((module) => files(module) > 18).map((module) => `${module}: ${files(module)}`)).toEqual([]);
});

test("German is one file, which no page in English loads", () => {
  const german = Object.values(chunks).filter(({ file }) => /^assets\/all-/.test(file) && read(file).includes("Zum Inhalt springen"));
  expect(german.length).toBe(1);
  // With the sentences of the service about tasks and runs, and about schedules, cron expressions and deliveries.
  expect(kilobytesOf(german.map(({ file }) => file))).toBeLessThanOrEqual(42);
  expect(filesOf("pages/sign-in/sign-in-page", frame, "pages/home/home-page")).not.toContain(german[0]?.file);
});

const read = (file: string) => readFileSync(join(built, file), "utf8");

test("neither the canvas, nor the editors, nor the charts are loaded before they are shown", () => {
  const first = filesOf("pages/sign-in/sign-in-page", frame, "pages/home/home-page")
    .filter((file) => file.endsWith(".js"))
    .map(read)
    .join("\n");
  expect(["react-flow__", "cm-editor", "recharts-"].filter((mark) => first.includes(mark))).toEqual([]);
});

test("each script and style has a copy in Brotli and one in gzip, with the same bytes inside", () => {
  const assets = readdirSync(join(built, "assets")).filter(
    (name) => /\.(js|css)$/.test(name) && statSync(join(built, "assets", name)).size > 1000,
  );
  expect(assets.length).toBeGreaterThan(50);
  for (const name of assets) {
    const file = join(built, "assets", name);
    const bytes = readFileSync(file);
    expect([name, brotliDecompressSync(readFileSync(`${file}.br`)).equals(bytes)]).toEqual([name, true]);
    expect([name, gunzipSync(readFileSync(`${file}.gz`)).equals(bytes)]).toEqual([name, true]);
  }
});

/** Class names of Mantine's components have this form, in their scripts and in their styles. */
const classesOf = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));

test("the styles of each component that is used are there, and of no other", () => {
  const styles = dirname(createRequire(import.meta.url).resolve("@mantine/core/styles.css"));
  const written = readFileSync(join(repositoryRoot, "packages/web/src/styles/mantine.css"), "utf8");
  const used = classesOf(
    Object.values(chunks)
      .map(({ file }) => file)
      .filter((file) => file.endsWith(".js"))
      .map(read)
      .join("\n"),
  );
  const files = readdirSync(join(styles, "styles")).filter((name) => /^[A-Z]\w*\.css$/.test(name));
  const needed = files.filter((name) => [...classesOf(readFileSync(join(styles, "styles", name), "utf8"))].some((one) => used.has(one)));
  const imported = [...written.matchAll(/styles\/([A-Z]\w*\.css)"/g)].map(([, name]) => name);
  expect(imported.toSorted()).toEqual(needed.toSorted());
});

test("nothing is in the built page that a strict content policy refuses", () => {
  const page = read("index.html");
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>|\son\w+=|javascript:|<style/i);
});
