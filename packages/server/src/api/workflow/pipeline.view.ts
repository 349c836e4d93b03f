import { AppError } from "../../base/error/app-error.ts";
import { answerYaml } from "../../core/document/write-yaml.ts";
import { pipelineFaults } from "../../core/workflow/pipeline/pipeline-faults.ts";
import { writePipeline } from "../../core/workflow/pipeline/write-pipeline.ts";
import { maskDocument } from "../../core/workflow/workflow-document-secrets.ts";
import { readEmbeddedTasks } from "../../domain/workflow/read-embedded-tasks.ts";
import type { ReadWorkflow } from "../../domain/workflow/read-workflow.ts";
import type { Queryable } from "../../store/database/database.ts";
import { viewTaskSpec } from "../task/task.view.ts";

/**
 * The workflow as a Tekton Pipeline, in YAML. Secrets have no default in it.
 * @throws WORKFLOW_NO_PIPELINE, with what a Pipeline can't express
 */
export async function viewPipeline(db: Queryable, teamId: string, { workflow, version }: ReadWorkflow): Promise<string> {
  const document = maskDocument(version.document);
  const read = await readEmbeddedTasks(db, teamId, workflow.name, document.tasks);
  const embedded = new Map(
    read.map(({ node, task, document: written }) => [
      node,
      { spec: viewTaskSpec(task, written), metadata: { labels: task.labels, annotations: task.annotations } },
    ]),
  );
  const pipeline = writePipeline({ ...workflow, document }, embedded);
  const faults = pipelineFaults(document, pipeline);
  if (faults.length > 0) {
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more, see errors)` : "";
    throw new AppError("WORKFLOW_NO_PIPELINE", [`${faults[0]?.message}${more}`], { details: faults.slice(0, 100) });
  }
  return answerYaml(pipeline);
}

/** What a Pipeline can't contain, and what its reader should know; it runs the same without it. */
export function pipelineWarnings({ workflow, version, latestTasks }: ReadWorkflow): string[] {
  const triggers = Object.entries(workflow.triggers).flatMap(([name, trigger]) => (trigger?.enabled && name !== "manual" ? name : []));
  const older = version.document.tasks.filter(({ taskRef = "", taskVersion = 0 }) => (latestTasks.get(taskRef) ?? 0) > taskVersion);
  return [
    ...(triggers.length > 0 ? [`triggers are left out: ${triggers.join(", ")}`] : []),
    ...(workflow.status === "inactive" ? ["that the workflow is inactive is left out"] : []),
    ...(older.length > 0
      ? [`versions of tasks are left out, though there are newer ones: ${older.map(({ name }) => name).join(", ")}`]
      : []),
  ];
}
