import { stringify } from "yaml";
import type { WorkflowTest } from "../../../api/queries/workflow/workflow-tests.ts";
import { readYamlValue } from "../../../forms/yaml-value.ts";
import { t } from "../../../texts/workflow/workflow-tests.ts";

const computed = new Set(["id", "version", "changeDate", "workflow"]);

/** The test as its author writes it, without the members that the service sets. */
export function textOfTest(test: WorkflowTest): string {
  const members = Object.entries(test).filter(([name, value]) => !computed.has(name) && value !== null && value !== undefined);
  return stringify(Object.fromEntries(members), { lineWidth: 0 });
}

/** A new test to start from, with empty mocks for the tasks that run on workers. */
export function newTestText(workers: readonly string[]): string {
  const mocks = Object.fromEntries(workers.slice(0, 20).map((name) => [name, { status: "succeeded", results: {} }]));
  return stringify({ name: t("editor.name"), given: { params: {} }, mocks, expect: { status: "succeeded" } }, { lineWidth: 0 });
}

export interface ReadTest {
  test?: WorkflowTest;
  fault?: string;
}

/** Also accepts a document with apiVersion and kind, as in files. */
export function readTest(text: string): ReadTest {
  const { value, faults } = readYamlValue(text);
  if (faults[0]) return { fault: t("editor.invalid", { fault: faults[0].message }) };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { fault: t("editor.unnamed") };
  const { apiVersion: _version, kind: _kind, ...test } = value as Record<string, unknown>;
  if (typeof test["name"] !== "string" || test["name"].trim() === "") return { fault: t("editor.unnamed") };
  return { test: { ...test, name: test["name"].trim() } };
}
