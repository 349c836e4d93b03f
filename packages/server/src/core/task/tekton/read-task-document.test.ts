import { expect, test } from "vitest";
import { AppError } from "../../../base/error/app-error.ts";
import { contentOfDocument } from "./content-of-document.ts";
import { readTaskDocument } from "./read-task-document.ts";

function faults(text: string): string[] {
  try {
    contentOfDocument(readTaskDocument(text).definition);
  } catch (error) {
    if (error instanceof AppError && error.reason === "TASK_INVALID_DEFINITION") return (error.details ?? []).map(({ message }) => message);
    throw error;
  }
  return [];
}

const head = "apiVersion: tekton.dev/v1\nkind: Task\nmetadata:\n  name: t\n";

test.each([
  ["", "line 1, column 1: the text is empty; it must contain a document of kind Task or StepAction"],
  ["---\n# nothing\n---\n", "line 1, column 1: the text is empty; it must contain a document of kind Task or StepAction"],
  ["just text", "line 1, column 1: must be a map"],
  ["- a", "line 1, column 1: must be a map"],
  ["kind: Task", "line 1, column 1: apiVersion is missing"],
  [`${head}spec:\n  steps: {}\n`, "line 6, column 10: spec.steps must be a list"],
  [`${head}spec:\n  steps:\n    - name: a\n      args: ls\n`, "line 8, column 13: spec.steps.0.args must be a list"],
  [`${head}spec:\n  steps:\n    - name: [a]\n`, "line 7, column 13: spec.steps.0.name must be a text"],
  [`${head}spec:\n  params:\n    - default: x\n`, "line 7, column 7: spec.params.0.name is missing"],
  [`${head}spec:\n  params:\n    - {name: a, type: int}\n`, "line 7, column 23: spec.params.0.type must be one of string, array, object"],
  [
    `${head}spec:\n  params:\n    - {name: a, default: [[1]]}\n`,
    "line 7, column 26: spec.params.0.default must be a text, a list of texts or a map of texts",
  ],
  [
    `${head}spec:\n  workspaces:\n    - {name: a, optional: maybe}\n`,
    "line 7, column 27: spec.workspaces.0.optional must be true or false",
  ],
  [
    `${head.replace("v1", "v1alpha1")}spec: {}\n`,
    "line 1, column 1: apiVersion tekton.dev/v1alpha1 cannot be read; it must be one of tekton.dev/v1, tekton.dev/v1beta1",
  ],
  [`${head.replace("Task", "Pipeline")}spec: {}\n`, "line 1, column 1: this is a Pipeline t; send it to …/workflow"],
  [
    `${head}spec: {}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n`,
    "line 7, column 1: the text contains 2 documents (Task t, ConfigMap settings); send exactly one Task",
  ],
  [`${head}spec:\n  steps:\n    - name: a\n      script: |\n     bad\n`, "line 9, column 1: "],
  [`${head}  labels: {a: [b]}\nspec: {}\n`, "line 5, column 15: metadata.labels.a must be a text"],
  [
    `${head}  annotations:\n    millrace.dev/params: 'a: ['\nspec: {}\n`,
    "the annotation of the parameters is not a list: line 1, column 5: ",
  ],
  [`${head}spec:\n  steps:\n    - <<: *x\n`, "line 7, column 11: there is no anchor &x before the alias *x"],
])("what is wrong is said with its place: %#", (text, expected) => {
  expect(faults(text)[0]).toContain(expected);
});

test("all faults are reported at once, the first one in the message", () => {
  const text = `${head}spec:\n  params:\n    - default: x\n  steps: 5\n`;
  expect(faults(text)).toHaveLength(2);
  expect(() => readTaskDocument(text)).toThrow(/^The task definition is invalid: line \d+, column \d+: .* \(and 1 more\)$/);
});

test("empty documents around the task, and a JSON text, are no obstacle", () => {
  expect(faults(`---\n---\n${head}spec: {steps: [{script: "true"}]}\n---\n`)).toEqual([]);
  expect(
    faults('{"apiVersion": "tekton.dev/v1beta1", "kind": "Task", "metadata": {"name": "t"}, "spec": {"steps": [{"script": "x"}]}}'),
  ).toEqual([]);
});

test("what is found later is placed, too", () => {
  const { placed } = readTaskDocument(`${head}spec:\n  steps:\n    - name: a\n      timeout: soon\n`);
  expect(
    placed([
      { path: "/spec/steps/0/timeout", message: "is soon" },
      { path: "/spec/steps/0/args", message: "are missing" },
    ]),
  ).toEqual([
    { path: "/spec/steps/0/timeout", message: "line 8, column 16: spec.steps.0.timeout is soon" },
    { path: "/spec/steps/0/args", message: "line 7, column 7: spec.steps.0.args are missing" },
  ]);
});
