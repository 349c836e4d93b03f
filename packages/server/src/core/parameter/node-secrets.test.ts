import { expect, test } from "vitest";
import type { PlanTask } from "../workflow/plan.ts";
import { declaredValues, hasNodeSecrets, nodeSecretTexts, nodeValues } from "./node-secrets.ts";

const params = [
  { name: "url", value: "http://x" },
  { name: "password", value: "sealed", hiddenValue: true },
];
const open = (sealed: string, holder: string) => `opened ${sealed} of ${holder}`;
const task = (isGlobal: boolean) =>
  ({ isGlobal, spec: { params: [{ name: "key", type: "password", default: "mrsealed:v1:x" }, { name: "url" }] } }) as unknown as PlanTask;

test("what the core sees and shows is a mask", () => {
  expect(nodeValues(params)).toEqual([
    { name: "url", value: "http://x" },
    { name: "password", value: "******" },
  ]);
});

test("for the executor secrets are opened, and reported so that its output can be masked", () => {
  expect(nodeValues(params, open)[1]).toEqual({ name: "password", value: "opened sealed of workflow" });
  expect(nodeSecretTexts({ params, task: task(true) }, open)).toEqual(["opened sealed of workflow", "opened mrsealed:v1:x of globaltask"]);
});

test("the default of a secret parameter of a definition is one too", () => {
  expect(declaredValues({ task: task(false) })[0]).toMatchObject({ name: "key", default: "******" });
  expect(declaredValues({ task: task(false) }, open)[0]).toMatchObject({ name: "key", default: "opened mrsealed:v1:x of task" });
  expect(hasNodeSecrets({ params: [], task: task(false) })).toBe(true);
  expect(hasNodeSecrets({ params: [], task: undefined })).toBe(false);
});
