import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp();
const team = await app.make.team();
const reader = app.as((await app.make.member(team.id, "reader")).token);
const yaml = { "content-type": "application/x-yaml" };
const paths = [`/api/v2/team/${team.name}/task/validate`, "/api/v2/task/validate"];
const good =
  "apiVersion: tekton.dev/v1\nkind: Task\nmetadata:\n  name: fine\nspec:\n  params: [{name: p}]\n  steps:\n    - name: one\n      script: echo $(params.p)\n";

test.each(paths)("%s: a document that could be saved gives an empty answer, and nothing is stored", async (path) => {
  expect(await reader.post(path, good, yaml)).toMatchObject({ status: 204, text: "" });
  expect((await reader.post(path, good, { "content-type": "text/yaml" })).status).toBe(204);
  const careless = await reader.post(path, good.replace("params.p", "params.q"), yaml);
  expect(careless).toMatchObject({ status: 204, headers: { warning: expect.stringContaining("the parameter q") } });
  const [row] = await app.sql`select count(*)::int as count from task`;
  expect(row!["count"]).toBe(0);
});

test.each(paths)("%s: all faults are reported by line and column", async (path) => {
  const refused = async (text: string) =>
    (await reader.post(path, text, yaml)) as { status: number; body: { reason: string; errors: { message: string }[] } };
  const answer = await refused(good.replace("name: one", "name: [1]").replace("{name: p}", "{}"));
  expect(answer).toMatchObject({ status: 400, body: { reason: "TASK_INVALID_DEFINITION" } });
  expect(answer.body.errors.map(({ message }) => message).sort()).toEqual([
    "line 6, column 12: spec.params.0.name is missing",
    "line 8, column 13: spec.steps.0.name must be a text",
  ]);
  expect((await refused(good.replace("fine", "not fine"))).body.reason).toBe("TASK_INVALID_NAME");
  expect((await refused(good.replace("script", "unknown"))).body.errors).toMatchObject([
    { message: expect.stringContaining("there is nothing to run") },
  ]);
  expect((await refused(good.replace("kind: Task", "kind: Pipeline"))).body.errors).toMatchObject([
    { message: expect.stringContaining("Pipeline fine") },
  ]);
  expect((await refused(`${good}---\n${good}`)).body.errors).toMatchObject([
    { message: expect.stringContaining("2 documents (Task fine, Task fine)") },
  ]);
  expect((await refused(good.replace("kind: Task", "kind: Task\nkind: Task"))).body.errors).toMatchObject([
    { message: "line 3, column 1: the key kind appears twice in one map" },
  ]);
});

test.each(paths)("%s: only YAML, only with a credential", async (path) => {
  expect((await reader.post(path, "{}")).status).toBe(415);
  expect((await reader.post(path, undefined)).status).toBe(400);
  expect((await app.as(null).post(path, good, yaml)).status).toBe(401);
});

test("a team is validated for by its members alone", async () => {
  const other = await app.make.team();
  const outsider = app.as((await app.make.member(other.id, "owner")).token);
  expect((await outsider.post(paths[0] as string, good, yaml)).body.reason).toBe("TEAM_INVALID_REF");
});

test.each(["[null]", "[{name: p}, text]", '"[null]"'])(
  "an annotation of the parameters with the entries %s is refused, not a failure",
  async (entries) => {
    const text = good.replace("name: fine", `name: fine\n  annotations:\n    millrace.dev/params: ${entries}`);
    expect(await reader.post(paths[0] as string, text, yaml)).toMatchObject({ status: 400, body: { reason: "TASK_INVALID_DEFINITION" } });
  },
);

const strict = { ...yaml, prefer: "handling=strict" };
const misspelt = good
  .replace("      script:", "      scirpt: 1\n      computeResources: {}\n      script:")
  .replace("  params:", "  note: mine\n  params:");

test.each(paths)(
  "%s: misspelt members are reported by line and column, and all that are unknown are refused under handling=strict",
  async (path) => {
    const answer = await reader.post(path, misspelt, yaml);
    expect(answer).toMatchObject({ status: 204 });
    expect(answer.headers["warning"]).toBe(
      '299 - "line 10, column 7: spec.steps.0.scirpt is unknown here and has no effect; did you mean script?"',
    );
    const refused = await reader.post(path, misspelt, strict);
    expect(refused.status).toBe(400);
    expect(refused.body.errors.map(({ message }: { message: string }) => message)).toEqual([
      "line 6, column 3: spec.note is unknown here",
      "line 10, column 7: spec.steps.0.scirpt is unknown here; did you mean script?",
    ]);
    expect((await reader.post(path, good, strict)).status).toBe(204);
  },
);

test.each(paths)("%s: a reference to a parameter that is not declared is reported by line and column", async (path) => {
  const answer = await reader.post(path, good.replace("params.p", "params.q"), yaml);
  expect(answer.headers["warning"]).toContain(
    '"line 8, column 7: spec.steps.0 refers to the parameter q, which the task does not declare"',
  );
});

test.each([
  ["GitHub Actions", "name: CI\non: push\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps: [{run: make}]\n"],
  ["Argo", "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {generateName: x-}\nspec: {entrypoint: main}\n"],
  ["Kestra", "id: hello\nnamespace: a.b\ntasks: [{id: log, type: io.kestra.plugin.core.log.Log}]\n"],
  ["Compose", "services:\n  web: {image: nginx}\n"],
  ["Airflow", "example:\n  default_args: {owner: x}\n  tasks: {one: {operator: bash}}\n"],
  ["n8n", '{"nodes": [], "connections": {}}'],
  ["Kubernetes", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: x}\n"],
])("a document of %s is named by every endpoint that takes a task", async (product, text) => {
  const owner = app.as((await app.make.member(team.id, "owner")).token);
  const base = `/api/v2/team/${team.name}/task`;
  const refusal = { status: 400, body: { reason: "WORKFLOW_FOREIGN_DOCUMENT", message: expect.stringContaining(product) } };
  for (const path of paths) expect(await owner.post(path, text, yaml)).toMatchObject(refusal);
  expect(await owner.post(base, text, yaml)).toMatchObject(refusal);
  expect(await owner.put(`${base}/fine`, text, yaml)).toMatchObject(refusal);
  expect(await owner.post(`${base}/fine/try`, { draftDocument: text })).toMatchObject(refusal);
});

test("JSON of another product is named where a task or a template is taken, too", async () => {
  const argo = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: {}, spec: {} };
  const refusal = { status: 400, body: { reason: "WORKFLOW_FOREIGN_DOCUMENT", message: expect.stringContaining("Argo") } };
  const base = `/api/v2/team/${team.name}/task`;
  expect(await app.as().post(base, argo)).toMatchObject(refusal);
  expect(await app.as().put(`${base}/fine`, argo)).toMatchObject(refusal);
  expect(await app.as().post("/api/v2/workflowtemplate", argo)).toMatchObject(refusal);
  expect(await app.as().put("/api/v2/workflowtemplate", argo)).toMatchObject(refusal);
});

test("a short default of a password is accepted, with a warning", async () => {
  const owner = app.as((await app.make.member(team.id, "owner")).token);
  const base = `/api/v2/team/${team.name}/task`;
  const answer = await owner.post(base, {
    name: "pin",
    spec: { script: "true", params: [{ name: "pin", type: "password", default: "123" }] },
  });
  expect(answer).toMatchObject({ status: 200, body: { spec: { params: [{ default: "", hiddenValue: true }] } } });
  expect(answer.headers["warning"]).toContain("parameter pin has a default of fewer than 4 characters");
  const misspelt = await owner.put(`${base}/pin`, { spec: { scirpt: "true", script: "true" } });
  expect(misspelt.headers["warning"]).toContain("/spec/scirpt is unknown here and has no effect; did you mean script?");
  expect((await owner.put(`${base}/pin`, { spec: { scirpt: "true", script: "true" } }, { prefer: "handling=strict" })).status).toBe(400);
});
