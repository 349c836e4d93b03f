import { expect, test } from "vitest";
import { foreignProduct, refuseForeign } from "./foreign-documents.ts";

test.each([
  ["GitHub Actions", { name: "CI", on: { push: {} }, jobs: { build: { "runs-on": "ubuntu-latest", steps: [{ run: "make" }] } } }],
  ["GitHub Actions", { name: "CI", true: ["push"], jobs: {} }],
  ["Argo", { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", metadata: { generateName: "hello-" }, spec: { entrypoint: "main" } }],
  ["Argo", { name: "w", entrypoint: "main", templates: [{ name: "main", container: { image: "alpine" } }] }],
  ["Argo", { name: "w", spec: { entrypoint: "main", templates: [] } }],
  ["n8n", { name: "My workflow", nodes: [{ parameters: {}, type: "n8n-nodes-base.start", typeVersion: 1 }], connections: {} }],
  ["Kestra", { id: "hello", namespace: "company.team", tasks: [{ id: "log", type: "io.kestra.plugin.core.log.Log" }] }],
  ["Airflow", { dag_id: "example", schedule: "@daily", tasks: [] }],
  ["Airflow", { example: { default_args: { owner: "x" }, tasks: { one: { operator: "airflow.operators.bash.BashOperator" } } } }],
  ["Compose", { name: "app", services: { web: { image: "nginx" } } }],
  ["GitLab CI", { stages: ["build"], job: { stage: "build", script: ["make"] } }],
  ["CircleCI", { version: 2.1, jobs: { build: {} }, workflows: { main: {} } }],
  ["Azure Pipelines", { trigger: ["main"], pool: { vmImage: "ubuntu-latest" }, steps: [{ script: "make" }] }],
  ["AWS Step Functions", { Comment: "x", StartAt: "First", States: { First: { Type: "Pass", End: true } } }],
  ["Prefect", { name: "flows", deployments: [{ name: "d", entrypoint: "flow.py:flow" }] }],
  ["the Serverless Workflow specification", { document: { dsl: "1.0.0", name: "x" }, do: [] }],
  ["Kubernetes", { apiVersion: "v1", kind: "Pod", metadata: { name: "x" }, spec: {} }],
])("a document of %s is known", (name, document) => {
  expect(foreignProduct(document)).toBe(name);
});

test.each([
  ["a workflow", { name: "w", tasks: [{ name: "a", taskRef: "t" }], params: [], triggers: {} }],
  ["a workflow with members of its author's", { name: "w", jobs: 3, stages: ["one"], services: ["a"], namespace: "x" }],
  ["a canvas", { name: "w", nodes: [{ id: "1", type: "start", data: { name: "start" } }], edges: [], config: [] }],
  ["a Tekton task", { apiVersion: "tekton.dev/v1", kind: "Task", metadata: { name: "t" }, spec: {} }],
  ["no map", [1]],
  ["nothing", null],
])("%s is ours", (_, document) => {
  expect(foreignProduct(document)).toBeUndefined();
});

test("a document of Tekton is a task, and no workflow", () => {
  const task = { name: "t", apiVersion: "tekton.dev/v1", kind: "Pipeline", spec: { tasks: [] } };
  expect(() => refuseForeign(task, "docs/workflows.md")).toThrow("Tekton (Pipeline)");
  expect(() => refuseForeign(task, "docs/tasks-yaml.md")).not.toThrow();
});
