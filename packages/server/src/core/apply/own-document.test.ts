import { describe, expect, test } from "vitest";
import { isOwnYaml, withoutHead } from "./own-document.ts";

describe("a text is a document of Millrace", () => {
  test.each([
    "apiVersion: millrace.dev/v1\nkind: Workflow\n",
    "# comment\nkind: Workflow\napiVersion: 'millrace.dev/v1'\n",
    '{"apiVersion": "millrace.dev/v1"}',
    '"apiVersion" : "millrace.dev/v2"',
  ])("where it says so: %j", (text) => expect(isOwnYaml(text)).toBe(true));

  test.each([
    "apiVersion: tekton.dev/v1\nkind: Task\n",
    "kind: Workflow\n",
    "metadata:\n  apiVersion: millrace.dev/v1\n",
    "apiVersion: example.com/millrace.dev/v1\n",
  ])("and otherwise not: %j", (text) => expect(isOwnYaml(text)).toBe(false));
});

test("an endpoint takes what says its kind, and other documents as they are", () => {
  const head = { apiVersion: "millrace.dev/v1", kind: "Schedule" };
  expect(withoutHead({ ...head, name: "s" }, ["Schedule"])).toEqual({ body: { name: "s" }, faults: [] });
  expect(withoutHead({ ...head, kind: "StepAction" }, ["Task", "StepAction"]).body).toEqual({ type: "stepaction" });
  expect(withoutHead(head, ["Workflow"]).faults).toEqual([{ path: "/kind", message: 'is "Schedule"; this endpoint takes Workflow' }]);
  const foreign = { apiVersion: "argoproj.io/v1", kind: "Workflow" };
  expect(withoutHead(foreign, ["Workflow"])).toEqual({ body: foreign, faults: [] });
  for (const body of [null, 1, "text", ["list"]]) expect(withoutHead(body, ["Workflow"])).toEqual({ body, faults: [] });
});
