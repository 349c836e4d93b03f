import { definitionVersions, type Spec, type TaskDefinition } from "@millrace/contract/task/task-definition.ts";
import { findReferences, textsOf } from "../../parameter/references.ts";
import { contentOfDocument } from "../../task/tekton/content-of-document.ts";
import { undeclaredParams } from "../../task/tekton/task-warnings.ts";
import type { PipelineReport } from "./pipeline-report.ts";

/** A task that is written inside a pipeline, and is saved as a task of the team. */
export interface EmbeddedTask {
  /** Name of the pipeline's task. */
  node: string;
  /** JSON pointer of the `taskSpec`. */
  path: string;
  definition: TaskDefinition;
}

/** For one pipeline, since each of them is saved as a task. */
export const maxEmbeddedTasks = 200;

/** Names the workflow for which a task was created: a save overwrites only tasks that have it. */
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
  refuseReferences(spec, path, report);
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

/** In Tekton, an embedded task can refer to everything in the pipeline. Here such a reference would stay as text. */
function refuseReferences(spec: Spec, path: string, report: PipelineReport): void {
  const declared = new Set(spec.workspaces?.map(({ name }) => name));
  for (const member of ["steps", "stepTemplate", "sidecars", "volumes"] as const) {
    for (const text of textsOf(spec[member] ?? []))
      for (const [reference] of text.matchAll(pipelineReferences))
        report.refuse(`${path}/${member}`, `has ${reference.slice(0, 100)}, which steps can't use; give it to the task as a parameter`);
    for (const name of workspacesOf(spec[member]))
      if (!declared.has(name))
        report.refuse(
          `${path}/${member}`,
          `uses the workspace ${name.slice(0, 100)}, which it does not declare; add it to workspaces of the taskSpec, and to those of the task`,
        );
  }
}

function workspacesOf(value: unknown): Set<string> {
  const names = findReferences(value).flatMap((reference) => (reference.kind === "place" ? [reference.words] : []));
  return new Set(names.flatMap(([root, name = ""]) => (root === "workspaces" ? [name] : [])));
}

const pipelineReferences = /\$\((?:tasks|finally|context\.pipeline\w*)\.[^()\s]{1,300}\)/g;

/** Parameters of the pipeline that the steps use without declaring them: in Tekton, steps see all parameters. */
export function inheritedParams({ definition }: EmbeddedTask, declared: ReadonlySet<string>): string[] {
  const { spec, name } = contentOfDocument(definition);
  return undeclaredParams(spec, name).filter((param) => declared.has(param));
}
