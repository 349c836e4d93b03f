import type { TaskInput } from "@millrace/contract/task.ts";
import { inFlatForm } from "../../core/tekton/check-task.ts";
import { contentOfDocument } from "../../core/tekton/content-of-document.ts";
import { readTaskDocument } from "../../core/tekton/read-task-document.ts";
import { contentOfTask } from "../../core/tekton/task-content.ts";
import type { WrittenTask } from "../../domain/task/prepare-task.ts";

export interface TaskBody {
  body: unknown;
  rawBody: string;
  mediaType: string;
}

/**
 * What the client wrote, whichever form it has.
 *
 * @returns a function of the task's name; without one the name of the body counts
 */
export function readTaskBody({ body, rawBody, mediaType }: TaskBody): (name?: string) => WrittenTask {
  if (mediaType === "application/x-yaml") {
    const { definition, placed } = readTaskDocument(rawBody);
    return (name) => ({ content: contentOfDocument(definition, name), locate: placed });
  }
  return (name) => {
    const content = contentOfTask(body as TaskInput, name);
    return { content, locate: (details) => inFlatForm(content, details), say: ({ path, message }) => `body ${path} ${message}` };
  };
}
