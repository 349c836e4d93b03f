import { toPlainSchema } from "./plain-schema.ts";
import { workflowSchedule } from "./schedule.ts";
import { type Named, namedSchemas } from "./schema.ts";
import { task } from "./task/task.ts";
import { stepActionDefinition, taskDefinition } from "./task/task-definition.ts";
import { pipelineDefinition, pipelineRunDefinition } from "./workflow/pipeline-definition.ts";
import { workflow } from "./workflow/workflow.ts";
import { workflowTemplate } from "./workflow/workflow-template.ts";
import { workflowTest } from "./workflow/workflow-test.ts";

/** The documents that people write in files, by the name of their schema. */
const documents = {
  workflow,
  "workflow-test": workflowTest,
  task: taskDefinition,
  "task-resource": task,
  "step-action": stepActionDefinition,
  pipeline: pipelineDefinition,
  "pipeline-run": pipelineRunDefinition,
  schedule: workflowSchedule,
  "workflow-template": workflowTemplate,
} satisfies Record<string, Named>;

export type DocumentName = keyof typeof documents;
export const documentNames = Object.keys(documents) as DocumentName[];

const place = "#/$defs/";

/** The complete schema of a document: JSON Schema 2020-12, for editors and validators. It includes the schemas that it refers to. */
export function documentSchema(name: DocumentName): Record<string, unknown> {
  const root = toPlainSchema(documents[name], true, place) as Record<string, unknown>;
  const definitions = new Map<string, unknown>();
  collect(root, definitions);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `/api/v2/schema/${name}`,
    title: `${name} of Millrace`,
    ...root,
    $defs: Object.fromEntries([...definitions].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Collects the schemas that a schema refers to, directly or indirectly. */
function collect(schema: unknown, found: Map<string, unknown>): void {
  if (typeof schema !== "object" || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key !== "$ref" || typeof value !== "string" || !value.startsWith(place)) {
      collect(value, found);
      continue;
    }
    const id = value.slice(place.length);
    if (found.has(id)) continue;
    const plain = toPlainSchema(namedSchemas().get(id), true, place);
    found.set(id, plain);
    collect(plain, found);
  }
}
