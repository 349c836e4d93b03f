import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../../base/file/repository-root.ts";
import { coverageTable, findCoverage } from "./coverage.ts";

const step = "spec: {steps: [{name: s, image: alpine, script: echo}]}";
const task = (name: string, more = step) => `apiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: ${name}}\n${more}\n`;

test("tasks are counted by what can run them, with a reason where something can't", () => {
  const coverage = findCoverage([
    `${task("plain")}---\n${task("older")}`,
    `--- # a comment\n${task("no-program", "spec: {steps: [{name: s, image: alpine}]}")}`,
    `${task("elsewhere", "spec: {steps: [{name: s, ref: {resolver: git}}]}")}---\nkind: PipelineRun\n---\nkind: PipelineRun\n---\n`,
    task("twice", "spec: {}\nspec: {}"),
    "kind: Task\n  : {",
  ]);
  expect(coverage.tasks.map(({ name, executors }) => [name, executors])).toEqual([
    ["plain", ["process", "container", "kubernetes"]],
    ["older", ["process", "container", "kubernetes"]],
    ["no-program", ["container"]],
    ["elsewhere", undefined],
    ["unreadable", undefined],
    ["unreadable", undefined],
  ]);
  expect(coverage.others).toEqual(new Map([["PipelineRun", 2]]));
  expect(coverageTable(coverage).split("\n").slice(2)).toEqual([
    "| Task documents | 6 |",
    "| accepted | 3 |",
    "| runnable, given their images and secrets | 3 |",
    "| … by the executor `process` | 2 |",
    "| … by the executor `container` | 3 |",
    "| … by the executor `kubernetes` | 2 |",
    "| refused | 3 |",
    "| documents of kind PipelineRun, left out | 2 |",
    "",
    "| member | tasks | for example |",
    "|---|---|---|",
    expect.stringMatching(/^\| refused `document` \| 2 \| .*line \d+, column \d+: /),
    "| accepted `spec.steps[]` | 1 | the task leaves the command of step s to the image |",
    expect.stringMatching(/^\| refused `spec.steps\[\].ref.resolver` \| 1 \| is "git"; StepActions aren't fetched from elsewhere/),
    "",
  ]);
});

test("steps that refer to StepActions of the same folder are counted with them", () => {
  const ref = (name: string) => `spec: {steps: [{name: s, ref: {name: ${name}}}]}`;
  const action = (name: string, spec: string) =>
    `apiVersion: tekton.dev/v1beta1\nkind: StepAction\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
  const coverage = findCoverage([
    task("uses", ref("act")),
    task("lost", ref("odd")),
    action("act", "{image: alpine}"),
    action("odd", "{}"),
  ]);
  expect(coverage.tasks.map(({ name, executors }) => [name, executors])).toEqual([
    ["uses", ["container"]],
    ["lost", undefined],
  ]);
  expect(coverageTable(coverage).split("\n").slice(9, 12)).toEqual([
    "| StepAction documents | 2 |",
    "| StepActions accepted | 1 |",
    "| StepActions refused | 1 |",
  ]);
});

test("a folder without documents has a table too", () => {
  expect(coverageTable(findCoverage(["", "# nothing\n"]))).toContain("| Task documents | 0 |");
});

/** Documents of the public catalogue, which is not part of this repository; used only if a copy is found beside it. */
const catalogue = join(repositoryRoot, "../shared/data/tekton-catalog");

test.skipIf(!existsSync(catalogue))("the page has the table of the known part of the catalogue", () => {
  const files = readdirSync(catalogue).filter((file) => file.endsWith(".yaml"));
  const texts = files.sort().map((file) => readFileSync(join(catalogue, file), "utf8"));
  const page = readFileSync(join(repositoryRoot, "docs/tasks-yaml.md"), "utf8");
  expect(page).toContain(coverageTable(findCoverage(texts)).trim());
});
