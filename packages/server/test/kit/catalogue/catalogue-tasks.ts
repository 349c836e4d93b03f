import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";

/**
 * The task documents of `packages/server/samples/tasks` in workflows, as users would have them: uploaded unchanged over the API, run by a
 * worker, and checked over the API. The same documents and the same scenarios apply to every executor.
 */
export interface CatalogueBench {
  /** Parses the response as JSON if it is JSON. @throws with the response if it is an error */
  api(method: string, path: string, body?: unknown, type?: string): Promise<unknown>;
  /** `/api/v2/team/NAME`, to which `uploadCatalogue` has uploaded the documents. */
  team: string;
  /** For the parameter `image` of the tasks; undefined: they run without one. */
  image: string | undefined;
  /** The address at which the steps reach the forge, and the token that it accepts. */
  forge: { url: string; token: string };
}

interface TaskRun {
  id: string;
  name: string;
  status: string;
  statusMessage?: string;
  reason?: string;
  attempts?: { exitCode?: number }[];
  results: { name: string; value: unknown }[];
}

export interface CatalogueScenario {
  /** A guarantee, in words. */
  name: string;
  check(bench: CatalogueBench): Promise<void>;
}

const folder = join(repositoryRoot, "packages/server/samples/tasks");

/** Name and text of each document. */
export function catalogueDocuments(): { name: string; text: string }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => ({ name: name.replace(".yaml", ""), text: readFileSync(join(folder, name), "utf8") }));
}

/** @param change what to change for this executor; default: nothing */
export async function uploadCatalogue({ api, team }: CatalogueBench, change = (text: string): string => text): Promise<void> {
  for (const { text } of catalogueDocuments()) await api("POST", `${team}/task`, change(text), "application/x-yaml");
}

type Params = Record<string, unknown>;

/** A node with the workspaces of its task: `source` and `output` are the run's, `cache` is the workflow's. */
function node(bench: CatalogueBench, name: string, taskRef: string, params: Params, after: string[] = [], condition = "success") {
  const { text } = catalogueDocuments().find((document) => document.name === taskRef) as { text: string };
  const declared = ["source", "output", "cache"].filter((workspace) => text.includes(`\n    - name: ${workspace}\n`));
  const all = { ...params, ...(bench.image !== undefined && { image: bench.image }) };
  return {
    name,
    taskRef,
    params: Object.entries(all).map(([param, value]) => ({ name: param, value })),
    dependencies: after.map((task) => ({ taskRef: task, executionCondition: condition })),
    workspaces: declared.map((workspace) => ({ name: workspace, type: workspace === "cache" ? "workflow" : "workflowrun" })),
  };
}

/** @param failing tasks that are expected to fail; any other task that does not succeed is reported with its log */
async function run(bench: CatalogueBench, workflow: string, tasks: object[], failing: string[] = []): Promise<Record<string, TaskRun>> {
  const workspaces = ["workflow", "workflowrun"].map((type) => ({ name: type, type, spec: { size: "100Mi" } }));
  await bench.api("PUT", `${bench.team}/workflow`, { name: workflow, workspaces, tasks });
  return runAgain(bench, workflow, failing);
}

async function runAgain(bench: CatalogueBench, workflow: string, failing: string[] = []): Promise<Record<string, TaskRun>> {
  const { api, team } = bench;
  const { id } = (await api("POST", `${team}/workflow/${workflow}/submit?start=true`, {})) as { id: string };
  for (;;) {
    const found = (await api("GET", `${team}/workflowrun/${id}`)) as { status: string; tasks: TaskRun[] };
    if (["succeeded", "failed", "invalid", "cancelled", "timedout"].includes(found.status)) {
      for (const task of found.tasks) if ((task.status === "succeeded") === failing.includes(task.name)) throw await complaint(bench, task);
      return Object.fromEntries(found.tasks.map((task) => [task.name, task]));
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function complaint(bench: CatalogueBench, task: TaskRun): Promise<Error> {
  const log = task.attempts?.length ? (await logOf(bench, task)).slice(-4_000) : "";
  return new Error(`${task.name} is ${task.status}: ${task.reason} ${task.statusMessage}\n${log}`);
}

function resultsOf(task: TaskRun | undefined): Record<string, unknown> {
  return Object.fromEntries((task?.results ?? []).map(({ name, value }) => [name, value]));
}

async function logOf({ api }: CatalogueBench, task: TaskRun | undefined): Promise<string> {
  return String(await api("GET", `/api/v2/taskrun/${task?.id}/log`));
}

function clone(bench: CatalogueBench, more: Params = {}) {
  return node(bench, "clone", "git-clone", { url: `${bench.forge.url}/sample.git`, depth: "0", ...more });
}

async function checkRelease(bench: CatalogueBench): Promise<void> {
  const { forge } = bench;
  const archive = "$(tasks.package.results.archive)";
  const facts = {
    commit: "$(tasks.clone.results.commit)",
    tests: "$(tasks.tests.results.summary)",
    image: "$(tasks.image.results.digest)",
  };
  const tasks = await run(bench, "release", [
    clone(bench),
    node(bench, "tests", "unit-tests", {}, ["clone"]),
    node(bench, "lint", "lint", {}, ["clone"]),
    node(bench, "notes", "release-notes", { title: "Version 1.1.0" }, ["clone"]),
    node(bench, "image", "build-image", { name: "example.org/sample:1.1.0", buildArgs: { version: "1.1.0" } }, ["tests", "lint"]),
    node(bench, "package", "package-files", { name: "sample", version: "1.1.0", exclude: [".git", "image.tar", "dist"] }, ["image"]),
    node(bench, "upload", "upload", { url: `${forge.url}/files/sample.tar.gz`, file: archive, token: forge.token }, ["package"]),
    node(
      bench,
      "fetch",
      "fetch",
      { url: "$(tasks.upload.results.url)", file: "check/again.tar.gz", sha256: "$(tasks.package.results.sha256)" },
      ["upload"],
    ),
    node(bench, "report", "report", { title: "Release", facts, text: "$(tasks.notes.results.notes)", detailLines: "20000" }, [
      "fetch",
      "notes",
    ]),
  ]);
  const commit = resultsOf(tasks["clone"])["commit"];
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  expect(resultsOf(tasks["clone"])["url"]).toBe(`${forge.url}/sample.git`);
  expect(resultsOf(tasks["tests"])).toEqual({ summary: { passed: "2", failed: "0" }, failures: [] });
  expect(resultsOf(tasks["lint"])).toEqual({ problems: "0", files: [] });
  expect(resultsOf(tasks["notes"])).toMatchObject({
    since: "v1.0.0",
    commits: "2",
    notes: expect.stringMatching(/^## Version 1\.1\.0\n\n- \*\*BREAKING/),
  });
  expect(resultsOf(tasks["image"])["digest"]).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(resultsOf(tasks["package"])).toMatchObject({ archive: "dist/sample-1.1.0.tar.gz", files: "5" });
  expect(resultsOf(tasks["upload"])).toMatchObject({ status: "201", sha256: resultsOf(tasks["package"])["sha256"] });
  expect(resultsOf(tasks["fetch"])["sha256"]).toBe(resultsOf(tasks["package"])["sha256"]);
  expect(resultsOf(tasks["report"])["markdown"]).toContain(`| commit | ${commit} |`);
  expect(await logOf(bench, tasks["upload"])).not.toContain(forge.token);
  const details = (await logOf(bench, tasks["report"])).match(/detail \d+ of 20000/g) ?? [];
  expect(details).toEqual(Array.from({ length: 20_000 }, (_, index) => `detail ${index + 1} of 20000`));
}

async function checkBroken(bench: CatalogueBench): Promise<void> {
  const tasks = await run(
    bench,
    "broken",
    [
      clone(bench, { revision: "broken", depth: "1", subdirectory: "sample" }),
      node(bench, "tests", "unit-tests", { path: "sample" }, ["clone"]),
      node(bench, "lint", "lint", { path: "sample" }, ["clone"]),
      node(bench, "count", "lint", { path: "sample", strict: "false" }, ["clone"]),
      node(bench, "report", "report", { facts: { failures: "$(tasks.tests.results.failures)" } }, ["tests"], "failure"),
    ],
    ["tests", "lint"],
  );
  expect(tasks["tests"]).toMatchObject({ status: "failed", reason: "ExitCode", attempts: [{ exitCode: 1 }] });
  expect(resultsOf(tasks["tests"])).toEqual({ summary: { passed: "1", failed: "1" }, failures: ["greets by name"] });
  expect(tasks["lint"]).toMatchObject({ status: "failed", reason: "ExitCode", attempts: [{ exitCode: 1 }] });
  expect(resultsOf(tasks["lint"])).toEqual({ problems: "2", files: ["./scripts/odd.sh", "./src/odd.mjs"] });
  expect(resultsOf(tasks["count"])["problems"]).toBe("2");
  expect(await logOf(bench, tasks["count"])).toMatch(/step "shell" ended with exit code 1; the task continues/);
  expect(resultsOf(tasks["report"])["markdown"]).toContain('| failures | ["greets by name"] |');
}

async function checkRefused(bench: CatalogueBench): Promise<void> {
  const { forge } = bench;
  const secret = "a-token-of-someone-else";
  const tasks = await run(
    bench,
    "refused",
    [
      clone(bench),
      node(bench, "missing", "git-clone", { url: `${forge.url}/nothing.git`, subdirectory: "nothing" }, ["clone"]),
      node(bench, "upload", "upload", { url: `${forge.url}/files/no`, file: "Dockerfile", token: secret }, ["clone"]),
      node(bench, "fetch", "fetch", { url: `${forge.url}/files/unknown`, file: "unknown" }),
    ],
    ["missing", "upload", "fetch"],
  );
  expect(tasks["missing"]).toMatchObject({ status: "failed", attempts: [{ exitCode: 128 }] });
  expect(tasks["upload"]).toMatchObject({ status: "failed", attempts: [{ exitCode: 22 }] });
  expect(await logOf(bench, tasks["upload"])).toContain("403");
  expect(tasks["fetch"]).toMatchObject({ status: "failed", attempts: [{ exitCode: 22 }] });
  expect(JSON.stringify(tasks) + (await logOf(bench, tasks["upload"]))).not.toContain(secret);
}

async function checkCache(bench: CatalogueBench): Promise<void> {
  const nodes = [
    clone(bench),
    node(bench, "restore", "cache-restore", { prefix: "sources", folder: "." }, ["clone"]),
    node(bench, "save", "cache-save", { key: "$(tasks.restore.results.key)", paths: ["src", "scripts"] }, ["restore"]),
  ];
  const first = await run(bench, "cached", nodes);
  const again = await runAgain(bench, "cached");
  expect([resultsOf(first["restore"])["hit"], resultsOf(first["save"])["saved"]]).toEqual(["false", "true"]);
  expect([resultsOf(again["restore"])["hit"], resultsOf(again["save"])["saved"]]).toEqual(["true", "false"]);
  expect(resultsOf(again["restore"])["key"]).toBe(resultsOf(first["restore"])["key"]);
}

async function checkEach(bench: CatalogueBench): Promise<void> {
  const script = 'echo "$GREETING, $ITEM ($LEVEL)"; [ "$ITEM" != "b; exit 9" ]';
  const items = ["a", "b; exit 9", "ü $(id)"];
  const tasks = await run(
    bench,
    "each",
    [
      node(bench, "all", "run-each", { items, script, settings: { greeting: "Good day", level: "low" }, maxFailures: "1" }),
      node(bench, "strict", "run-each", { items, script }),
      node(bench, "report", "report", { facts: { failed: "$(tasks.all.results.failed)", counts: "$(tasks.all.results.counts)" } }, ["all"]),
    ],
    ["strict"],
  );
  expect(resultsOf(tasks["all"])).toEqual({ counts: { passed: "2", failed: "1" }, failed: ["b; exit 9"] });
  expect(await logOf(bench, tasks["all"])).toContain("Good day, ü $(id) (low)");
  expect(tasks["strict"]).toMatchObject({ status: "failed", attempts: [{ exitCode: 1 }] });
  expect(await logOf(bench, tasks["strict"])).toContain("hello, a (info)");
  expect(resultsOf(tasks["report"])["markdown"]).toContain('| failed | ["b; exit 9"] |');
}

export const catalogueScenarios: CatalogueScenario[] = [
  { name: "a release is cloned, tested, linted, built, packed, uploaded, fetched back and reported", check: checkRelease },
  { name: "what is broken is found and told, with results, and later tasks can read them", check: checkBroken },
  { name: "what a server refuses fails with the exit code of the program, and no token is seen", check: checkRefused },
  { name: "a cache is kept from run to run", check: checkCache },
  { name: "a list is worked off item by item, whatever is in it", check: checkEach },
];
