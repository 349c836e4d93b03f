import { AppError } from "../../base/error/app-error.ts";

/**
 * Documents of other products, whose members a workflow would store as unknown ones: such a document would be an empty workflow that always
 * succeeds. Each product is recognised by a combination of members that no workflow has.
 */

type Members = Readonly<Record<string, unknown>>;

const products: readonly { name: string; isOne(document: Members): boolean }[] = [
  {
    name: "Argo",
    isOne: ({ apiVersion, spec, ...document }) =>
      (typeof apiVersion === "string" && apiVersion.startsWith("argoproj.io/")) || [document, spec].some(isOfArgo),
  },
  {
    name: "GitHub Actions",
    isOne: (document) =>
      (has(document, "jobs") && (has(document, "on") || has(document, "true") || holdsSteps(document["jobs"]))) ||
      (isMap(document["runs"]) && has(document["runs"], "using")),
  },
  {
    name: "Concourse",
    isOne: ({ jobs }) => Array.isArray(jobs) && jobs.some((job) => isMap(job) && Array.isArray(job["plan"])),
  },
  { name: "Bitbucket Pipelines", isOne: ({ pipelines }) => isMap(pipelines) && Object.values(pipelines).some(isListOrMap) },
  {
    name: "Conductor",
    isOne: ({ tasks }) => Array.isArray(tasks) && tasks.some((task) => isMap(task) && has(task, "taskReferenceName")),
  },
  { name: "Windmill", isOne: ({ value }) => isMap(value) && Array.isArray(value["modules"]) },
  { name: "Google Cloud Workflows", isOne: ({ main }) => isMap(main) && Array.isArray(main["steps"]) },
  { name: "CircleCI", isOne: (document) => has(document, "jobs") && has(document, "workflows") },
  { name: "n8n", isOne: ({ nodes, connections }) => Array.isArray(nodes) && isMap(connections) },
  {
    name: "Compose",
    isOne: ({ services }) =>
      isMap(services) && Object.values(services).some((one) => isMap(one) && (has(one, "image") || has(one, "build"))),
  },
  {
    name: "Kestra",
    isOne: ({ id, namespace, tasks }) =>
      typeof id === "string" && typeof namespace === "string" && Array.isArray(tasks) && tasks.some(isOfKestra),
  },
  {
    name: "Airflow",
    isOne: (document) =>
      has(document, "dag_id") || Object.values(document).some((one) => isMap(one) && has(one, "default_args") && has(one, "tasks")),
  },
  {
    name: "GitLab CI",
    isOne: (document) => Array.isArray(document["stages"]) && Object.values(document).some((one) => isMap(one) && has(one, "script")),
  },
  {
    name: "Azure Pipelines",
    isOne: (document) =>
      has(document, "pool") && (Array.isArray(document["steps"]) || Array.isArray(document["stages"]) || Array.isArray(document["jobs"])),
  },
  { name: "AWS Step Functions", isOne: ({ StartAt, States }) => typeof StartAt === "string" && isMap(States) },
  {
    name: "Prefect",
    isOne: ({ deployments }) => Array.isArray(deployments) && deployments.some((one) => isMap(one) && has(one, "entrypoint")),
  },
  { name: "the Serverless Workflow specification", isOne: ({ document }) => isMap(document) && has(document, "dsl") },
  {
    name: "Kubernetes",
    isOne: ({ apiVersion, kind, metadata }) =>
      typeof apiVersion === "string" && typeof kind === "string" && isMap(metadata) && !apiVersion.startsWith("tekton.dev/"),
  },
];

/** The product that the document belongs to; undefined: none is recognised. Tekton's tasks are not foreign: they can be read. */
export function foreignProduct(document: unknown): string | undefined {
  if (!isMap(document)) return undefined;
  return products.find(({ isOne }) => isOne(document))?.name;
}

/** A JSON document of Tekton is not a workflow: it would be stored as an empty workflow with unknown members. */
function refuseTekton(document: unknown): void {
  if (!isMap(document)) return;
  const { apiVersion, kind } = document;
  if (typeof apiVersion !== "string" || !apiVersion.startsWith("tekton.dev/")) return;
  const page = kind === "Pipeline" || kind === "PipelineRun" ? "docs/tekton-pipelines.md" : "docs/workflows.md";
  throw new AppError("WORKFLOW_FOREIGN_DOCUMENT", [`Tekton (${String(kind).slice(0, 50)})`, page]);
}

/**
 * @param page the page of the docs that shows the equivalent document here
 * @throws WORKFLOW_FOREIGN_DOCUMENT: stored as unknown members, its content would have no effect
 */
export function refuseForeign(document: unknown, page: "docs/workflows.md" | "docs/tasks-yaml.md" | "docs/tekton-pipelines.md"): void {
  if (page === "docs/workflows.md") refuseTekton(document);
  const product = foreignProduct(document);
  if (product !== undefined) throw new AppError("WORKFLOW_FOREIGN_DOCUMENT", [product, page]);
}

function holdsSteps(jobs: unknown): boolean {
  return isMap(jobs) && Object.values(jobs).some((job) => isMap(job) && (has(job, "runs-on") || has(job, "steps")));
}

function isOfArgo(workflow: unknown): boolean {
  return isMap(workflow) && typeof workflow["entrypoint"] === "string" && Array.isArray(workflow["templates"]);
}

function isOfKestra(task: unknown): boolean {
  return isMap(task) && typeof task["type"] === "string" && task["type"].startsWith("io.kestra.");
}

function isListOrMap(value: unknown): boolean {
  return Array.isArray(value) || isMap(value);
}

function isMap(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function has(document: Members, member: string): boolean {
  return Object.hasOwn(document, member);
}
