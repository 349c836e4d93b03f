import Type from "typebox";
import { preferredType } from "../../base/text/preferred-type.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findVersionDocument, type TaskRow } from "../../store/task/tasks.ts";
import { type Reply, reply } from "../endpoint.ts";
import { teamParameter } from "../request-parameters.ts";
import { taskTag, viewTask, viewTaskDocument } from "./task.view.ts";

const nameParameter = Type.String({ description: "Name or ID of the task", examples: ["execute-shell"] });

export const taskPath = Type.Object({ name: nameParameter });
export const teamTaskPath = Type.Object({ team: teamParameter, name: nameParameter });

/** A task is read and written as the resource (JSON) or as its definition document (YAML). */
export const taskMediaTypes = ["application/json", "application/x-yaml"] as const;

export const taskVersionParameter = Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "Default: the latest" }));

export const reasonParameter = Type.Optional(
  Type.String({
    maxLength: 1000,
    description: "The reason for the change log, since a document has no field for it. Takes precedence over the body",
  }),
);

export const replaceTaskParameter = Type.Boolean({
  default: false,
  description: "Replace the latest version instead of creating a new one; workflows that use it get the new content from their next run on",
});

type TaskFormat = (typeof taskMediaTypes)[number];

/** The form in which the caller wants to read. Called before anything is written, so that a 406 leaves nothing behind. */
export function wantedFormat(headers: Readonly<Record<string, string | undefined>>): TaskFormat {
  return preferredType(headers["accept"], taskMediaTypes);
}

/** The task in that form, with its tag and warnings. */
export async function answerTask(db: Queryable, task: TaskRow, format: TaskFormat, warnings: readonly string[] = []): Promise<Reply> {
  const headers = { etag: taskTag(task), vary: "Accept", ...warningHeader(warnings) };
  if (format === "application/json") return reply({ headers, body: viewTask(task) });
  const document = await findVersionDocument(db, task.versionId);
  return reply({
    headers: { ...headers, "content-type": `${format}; charset=utf-8` },
    body: viewTaskDocument(task, document.document, document.text),
  });
}

/** `Warning: 299 - "…"` (RFC 7234, 5.5), as Kubernetes uses it: the request succeeded, but the caller should check something. */
export function warningHeader(warnings: readonly string[]): Record<string, string> {
  if (warnings.length === 0) return {};
  return { warning: warnings.slice(0, 10).map(quoted).join(", ") };
}

function quoted(warning: string): string {
  const text = warning.slice(0, 200).replace(/[^\x20-\x7e]/g, "?");
  return `299 - "${text.replace(/["\\]/g, "\\$&")}"`;
}
