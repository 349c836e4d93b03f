import { type WorkflowInput, workflow } from "@millrace/contract/workflow/workflow.ts";
import type { WorkflowProblem } from "@millrace/contract/workflow/workflow-problem.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { isStrict, strictFault } from "../../base/text/nearest-name.ts";
import { isOwnYaml } from "../../core/apply/own-document.ts";
import { misleadingNames } from "../../core/document/validator.ts";
import { invalidYaml } from "../../core/document/yaml-body.ts";
import { findSchemaFaults } from "../../core/task/tekton/schema-faults.ts";
import { misspeltMember } from "../../core/workflow/misspelt-members.ts";
import type { EmbeddedTask } from "../../core/workflow/pipeline/embedded-task.ts";
import { type PipelineDocument, readPipelineDocument } from "../../core/workflow/pipeline/pipeline-document.ts";
import { type ReadPipeline, readPipeline } from "../../core/workflow/pipeline/read-pipeline.ts";

/** A workflow is written as the resource (JSON, or the same as YAML), or as a Tekton Pipeline or PipelineRun (YAML). */
export const workflowMediaTypes = ["application/json", "application/x-yaml"] as const;

/**
 * A Tekton document, or one of another product, which is refused by its name. The resource has no such members, or declares our own kind.
 */
export function hasForeignKind(text: string): boolean {
  return !isOwnYaml(text) && /^(?:\{\s*)?(["']?)(?:apiVersion|kind)\1\s*:/m.test(text);
}

export interface WorkflowBody {
  input: WorkflowInput;
  /** Tasks that are embedded in a pipeline. */
  embedded: EmbeddedTask[];
  /** Members of a pipeline without an effect, by place in the document. */
  notes: WorkflowProblem[];
  /** Maps details about the workflow to places in the document. */
  locate(details: readonly ErrorDetail[]): ErrorDetail[];
  /** The same for details that already have a place in the document. */
  place(details: readonly ErrorDetail[]): ErrorDetail[];
}

interface Body {
  body: unknown;
  rawBody: string;
  mediaType: string;
  headers: Readonly<Record<string, string | undefined>>;
  /** Places of the body in the text that contains it. */
  firstLine?: number;
}

/**
 * What the client wrote, in whichever form.
 * @throws VALIDATION_FAILED, WORKFLOW_FOREIGN_DOCUMENT
 */
export function readWorkflowBody({ body, rawBody, mediaType, headers, firstLine }: Body): WorkflowBody {
  const asIs = (details: readonly ErrorDetail[]) => [...details];
  if (mediaType !== "application/x-yaml") return { input: body as WorkflowInput, embedded: [], notes: [], locate: asIs, place: asIs };
  const document = readPipelineDocument(rawBody, firstLine);
  const { unknown } = document;
  if (isStrict(headers["prefer"]) && unknown.length > 0) throw invalidYaml(document.placed(unknown.map(strictFault)));
  const read = readPipeline(document.definition);
  if (read.refusals.length > 0) throw invalidYaml(document.placed(read.refusals));
  const locate = (details: readonly ErrorDetail[]) =>
    document.placed(details.map((detail) => ({ ...detail, path: read.sourceOf(detail.path) })));
  const faults = [...findSchemaFaults(workflow, read.workflow), ...misleadingNames(read.workflow)];
  if (faults.length > 0) throw invalidYaml(locate(faults));
  return { input: read.workflow, embedded: read.embedded, notes: notesOf(document, read, unknown), locate, place: document.placed };
}

function notesOf(document: PipelineDocument, read: ReadPipeline, unknown: PipelineDocument["unknown"]): WorkflowProblem[] {
  const nobodys = unknown.flatMap((member) => {
    const message = misspeltMember(member) ?? (isOfTask(member) ? undefined : "is unknown here and has no effect");
    return message === undefined ? [] : [{ path: member.path, message }];
  });
  const saved = read.embedded.map(({ path, definition }) => ({
    path,
    message: `is saved as the task ${definition.metadata.name} of the team`,
  }));
  return [
    ...toProblems("UNKNOWN_MEMBER", document.placed(nobodys)),
    ...toProblems("NOT_MAPPED", document.placed(read.notes)),
    ...toProblems("SAVED_AS_TASK", document.placed(saved)),
  ].slice(0, 500);
}

/** A task keeps unknown members, like one that is saved by itself. */
function isOfTask({ path }: PipelineDocument["unknown"][number]): boolean {
  return /\/taskSpec\//.test(path);
}

function toProblems(reason: string, details: readonly ErrorDetail[]): WorkflowProblem[] {
  return details.map(({ path, message }) => ({ severity: "warning", reason, path, message }));
}

/** An error about the workflow, worded for the document that it was created from. */
export async function withPlaces<T>({ locate }: Pick<WorkflowBody, "locate">, save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (!(error instanceof AppError) || error.details === undefined || error.details.some(({ message }) => message.startsWith("line ")))
      throw error;
    throw new AppError(error.reason, error.values, { details: locate(error.details), cause: error });
  }
}
