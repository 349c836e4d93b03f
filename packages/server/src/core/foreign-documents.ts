/**
 * Documents of other products, which have members that ours keep without knowing them: as a workflow they would be an empty one that succeeds.
 * Each is told by members that no document of ours has together.
 */

type Members = Readonly<Record<string, unknown>>;

const products: readonly { name: string; isOne(document: Members): boolean }[] = [
  { name: "Argo", isOne: ({ apiVersion }) => typeof apiVersion === "string" && apiVersion.startsWith("argoproj.io/") },
  {
    name: "GitHub Actions",
    isOne: (document) => has(document, "jobs") && (has(document, "on") || has(document, "true") || holdsSteps(document["jobs"])),
  },
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
      typeof apiVersion === "string" && typeof kind === "string" && isMap(metadata) && !apiVersion.includes("/"),
  },
];

/** The product whose document this is; undefined: none that is known. */
export function foreignProduct(document: unknown): string | undefined {
  if (!isMap(document)) return undefined;
  return products.find(({ isOne }) => isOne(document))?.name;
}

function holdsSteps(jobs: unknown): boolean {
  return isMap(jobs) && Object.values(jobs).some((job) => isMap(job) && (has(job, "runs-on") || has(job, "steps")));
}

function isOfKestra(task: unknown): boolean {
  return isMap(task) && typeof task["type"] === "string" && task["type"].startsWith("io.kestra.");
}

function isMap(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function has(document: Members, member: string): boolean {
  return Object.hasOwn(document, member);
}
