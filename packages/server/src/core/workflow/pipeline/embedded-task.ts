import { definitionVersions, type Spec, type TaskDefinition } from "@millrace/contract/task-definition.ts";
import { textsOf } from "../../parameter/references.ts";
import { contentOfDocument } from "../../task/tekton/content-of-document.ts";
import { undeclaredParams } from "../../task/tekton/task-warnings.ts";
import type { PipelineReport } from "./pipeline-report.ts";

/** A task that stands inside a pipeline, and is saved as one of the team. */
export interface EmbeddedTask {
  /** Name of the pipeline's task. */
  node: string;
  /** JSON pointer of the `taskSpec`. */
  path: string;
  definition: TaskDefinition;
}

/** Of one pipeline: each is a task that is saved. */
export const maxEmbeddedTasks = 200;

/** Says of which workflow a task was made: no other task is written over. */
export const embeddedAnnotation = "millrace.dev/pipeline";

/** @param workflow its slug */
export function embeddedTaskName(workflow: string, task: string): string {
  return `${workflow}-${task}`.replaceAll(/[^0-9A-Za-z-]/g, "-").slice(0, 128);
}

export function readEmbeddedTask(
  { metadata, ...spec }: Spec & { metadata?: unknown },
  { workflow, node, path }: { workflow: string; node: string; path: string },
  report: PipelineReport,
): EmbeddedTask {
  report.refuseMembers(path, spec, {
    apiVersion: "makes this a custom task, which can't run here; use a task with steps",
    kind: "makes this a custom task, which can't run here; use a task with steps",
    spec: "makes this a custom task, which can't run here; use a task with steps",
  });
  for (const text of textsOf(spec.steps ?? []))
    for (const [reference] of text.matchAll(pipelineReferences))
      report.refuse(`${path}/steps`, `has ${reference.slice(0, 100)}, which steps can't use; give it to the task as a parameter`);
  const { labels, annotations } = (metadata ?? {}) as Partial<TaskDefinition["metadata"]>;
  const definition: TaskDefinition = {
    apiVersion: definitionVersions[0],
    kind: "Task",
    metadata: {
      name: embeddedTaskName(workflow, node),
      ...(labels && { labels }),
      annotations: { ...annotations, [embeddedAnnotation]: workflow },
    },
    spec,
  };
  return { node, path, definition };
}

const pipelineReferences = /\$\((?:tasks|finally|context\.pipeline\w*)\.[^()\s]{1,300}\)/g;

/** Parameters of the pipeline that its steps use without declaring them: in Tekton they see them all. */
export function inheritedParams({ definition }: EmbeddedTask, declared: ReadonlySet<string>): string[] {
  const { spec, name } = contentOfDocument(definition);
  return undeclaredParams(spec, name).filter((param) => declared.has(param));
}
