import { expect, test } from "vitest";
import { pipelineText, placesInText, readWorkflowText, workflowYaml } from "./workflow-text.ts";

test("a workflow as text has no computed and no empty members", () => {
  const text = workflowYaml({
    id: "1",
    version: 2,
    name: "w",
    icon: null,
    labels: {},
    tasks: [{ name: "a", upgradesAvailable: true, labels: {}, params: [{ name: "p", value: 1 }] }],
  });
  expect(text).toBe("name: w\ntasks:\n  - name: a\n    params:\n      - name: p\n        value: 1\n");
});

test.each([
  ["name: w", { name: "w" }, 0],
  ['{"name": "w"}', { name: "w" }, 0],
  ["- a", undefined, 1],
  ["", undefined, 1],
  ["name: [", undefined, 1],
])("read %j", (text, document, faults) => {
  const read = readWorkflowText(text);
  expect([read.document, read.faults.length > 0 ? 1 : 0]).toEqual([document, faults]);
});

test.each([
  ["/tasks/0/name", "one"],
  ["/tasks/0/timeout", "{ name: one }"],
  ["/elsewhere", "n"],
])("what is refused at %s is marked at %j", (path, marked) => {
  const text = "name: w\ntasks: [{ name: one }]\n";
  const [place] = placesInText(text, [{ path, message: "no" }]);
  expect(text.slice(place?.from, place?.to)).toBe(marked);
});

test("a Tekton pipeline is sent as it is written, under another name if one is given", () => {
  const text = "apiVersion: tekton.dev/v1\nkind: Pipeline\nmetadata: { name: a } # mine\nspec: { tasks: [] }\n";
  const { document } = readWorkflowText(text);
  expect(pipelineText(document ?? {}, text, "")).toBe(text);
  expect(readWorkflowText(pipelineText(document ?? {}, text, "b") ?? "").document).toMatchObject({ metadata: { name: "b" } });
  expect(pipelineText({ name: "w" }, "name: w", "")).toBeUndefined();
  expect(pipelineText({ apiVersion: "tekton.dev/v1", kind: "Task" }, "", "")).toBeUndefined();
});
