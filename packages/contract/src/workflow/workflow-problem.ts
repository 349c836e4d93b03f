import Type, { type Static } from "typebox";
import { named, stringEnum } from "../schema.ts";

/**
 * Kinds of warnings about a document: a misspelt member, a reference that only a run can resolve, a task that no executor here can run now,
 * a time that a limit cuts short, a task that no run can reach, a default that is too short to be masked, a value that does not match its
 * parameter; for a Tekton pipeline, members that have no effect here, and an embedded task that became a task of the team.
 */
export const warningCodes = [
  "UNKNOWN_MEMBER",
  "UNRESOLVED_REFERENCE",
  "NO_EXECUTOR",
  "CUT_BY_LIMIT",
  "UNREACHABLE_NODE",
  "SHORT_SECRET",
  "INVALID_VALUE",
  "NOT_MAPPED",
  "SAVED_AS_TASK",
] as const;
export type WarningCode = (typeof warningCodes)[number];

/** A problem because of which a save would be refused, or a warning for the author. */
export interface WorkflowProblem extends Static<typeof workflowProblem> {}
export const workflowProblem = named(
  "WorkflowProblem",
  Type.Object(
    {
      severity: stringEnum(["error", "warning"] as const, { description: "A document with warnings can be saved" }),
      reason: Type.String({ description: `The code of the error when saving; for a warning ${warningCodes.join(", ")}` }),
      message: Type.String(),
      node: Type.Optional(Type.String({ description: "Name of the task that it is about" })),
      path: Type.Optional(Type.String({ description: "JSON pointer into the request" })),
    },
    {
      examples: [
        {
          severity: "error",
          reason: "WORKFLOW_INVALID_TASK_REF",
          message: "Task build refers to bild: there is no such task in the team, and no such global task",
          node: "build",
          path: "/tasks/0/taskRef",
        },
      ],
    },
  ),
);
