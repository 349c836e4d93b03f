import Type, { type Static } from "typebox";
import { anything, named, openObject, ref } from "./schema.ts";

/**
 * Small schemas that workflows, tasks, runs, teams and settings share. `additionalProperties: true` marks objects whose unknown members are
 * stored and returned.
 */

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** One choice of a select or multiselect; `key` is what is stored, `value` what people see. */
export interface KeyValuePair extends Static<typeof keyValuePair> {}
export const keyValuePair = named("KeyValuePair", Type.Object({ key: Type.String(), value: Type.Optional(Type.String()) }));

/** Types of a parameter, as forms show them; the list is open, and an unknown type is treated as text. */
export const paramFormTypes = [
  "text",
  "textarea",
  "email",
  "number",
  "url",
  "boolean",
  "password",
  "secret",
  "select",
  "multiselect",
  "json",
  "texteditor",
  "texteditor::javascript",
  "texteditor::text",
  "texteditor::shell",
  "texteditor::yaml",
] as const;

/** The kind of a parameter's value at run time. */
export type ParamKind = "string" | "array" | "object";

/** multiselect has a list, json and secret an object, everything else (and an unknown or missing type) text. */
export function paramKind(formType: string | undefined): ParamKind {
  if (formType === "multiselect" || formType === "array") return "array";
  return formType === "json" || formType === "object" || formType === "secret" ? "object" : "string";
}

/**
 * A declared parameter of an instance, a team, a workflow or a task. In responses, a secret (`password`) is `""` with hiddenValue, and one
 * with keys (`secret`) has its keys with `""`.
 */
export interface AbstractParam extends Static<typeof abstractParam> {}
export const abstractParam = named(
  "AbstractParam",
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 250, description: "References name it: $(params.NAME)" }),
    description: Type.Optional(Type.String({ description: "What it is for" })),
    default: Type.Optional(Type.Unknown({ description: "Any JSON value; always empty for a secret" })),
    label: Type.Optional(Type.String({ description: "Title of its field in forms; default the name" })),
    type: Type.Optional(
      Type.String({ examples: [...paramFormTypes], description: "How a form shows it; an unknown type is shown as text" }),
    ),
    minValueLength: Type.Optional(Type.Integer({ minimum: 0, description: "Characters that a value has at least" })),
    maxValueLength: Type.Optional(Type.Integer({ minimum: 0, description: "Characters that a value has at most" })),
    options: Type.Optional(
      Type.Array(ref(keyValuePair), { maxItems: 1000, description: "Choices of a select: key is the value, value is what a form shows" }),
    ),
    required: Type.Optional(Type.Boolean({ description: "A run needs a value; default false" })),
    disabled: Type.Optional(Type.Boolean({ description: "Forms show it, and nobody can change it there" })),
    hiddenValue: Type.Optional(Type.Boolean({ description: "A secret is stored; reads never return it" })),
    readOnly: Type.Optional(Type.Boolean({ description: "Forms show it, and nobody can change it there" })),
    placeholder: Type.Optional(Type.String({ description: "Shown in the empty field" })),
    helpertext: Type.Optional(Type.String({ description: "Help below the label of the field" })),
    language: Type.Optional(Type.String({ description: "Language of a text editor" })),
    value: Type.Optional(Type.Unknown({ description: "Any JSON value; always empty for a secret" })),
    enum: Type.Optional(Type.Array(Type.String(), { maxItems: 1000, description: "Allowed values (task parameters)" })),
    properties: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "Members of an object (task parameters)" })),
    teams: Type.Optional(
      Type.Array(Type.String({ maxLength: 400 }), {
        maxItems: 1000,
        description:
          "Global parameters only: the teams that can use it, by name or ID in a request and by ID in a response. Absent: all teams; empty: none. " +
          "For the others it does not exist",
      }),
    ),
  }),
);

/** Value of a parameter in a document. */
const documentValue = Type.Unsafe<unknown>({
  anyOf: [
    { type: "string" },
    { type: "array", items: { type: "string" }, maxItems: 10_000 },
    { type: "object", additionalProperties: { type: "string" } },
  ],
  description: "A text, a list of texts or a map of texts",
});

/** A parameter that a step passes to the StepAction it refers to. */
export interface StepParam extends Static<typeof stepParam> {}
export const stepParam = named("StepParam", openObject({ name: Type.String({ minLength: 1 }), value: Type.Optional(documentValue) }));

/** A declared parameter in the task-definition document; further members (`enum`, `properties`) are kept. */
export interface ParamSpec extends Static<typeof paramSpec> {}
export const paramSpec = named(
  "ParamSpec",
  openObject({
    name: Type.String({ minLength: 1 }),
    type: Type.Optional(Type.Enum(["string", "array", "object"])),
    description: Type.Optional(Type.String()),
    default: Type.Optional(documentValue),
    enum: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
    properties: Type.Optional(Type.Record(Type.String(), openObject({ type: Type.Optional(Type.String()) }))),
  }),
);

/** A value for a parameter. In responses, a secret of a workflow's task is `""` with hiddenValue. */
export interface RunParam extends Static<typeof runParam> {}
export const runParam = named(
  "RunParam",
  Type.Object({
    name: Type.String({ minLength: 1 }),
    value: Type.Optional(Type.Unknown({ description: "Any JSON value; always empty for a secret" })),
    hiddenValue: Type.Optional(Type.Boolean({ description: "A secret is stored; reads never return it. Computed" })),
  }),
);

/** A declared result; further members of the task-definition document (`type`, `properties`) are kept. */
export interface ResultSpec extends Static<typeof resultSpec> {}
export const resultSpec = named(
  "ResultSpec",
  openObject({
    name: Type.String({ minLength: 1 }),
    description: Type.Optional(Type.String()),
    ...anything("type", "properties", "value"),
  }),
);

/** A result of a run or a task run. */
export interface RunResult extends Static<typeof runResult> {}
export const runResult = named(
  "RunResult",
  Type.Object({
    name: Type.String(),
    description: Type.Optional(Type.String()),
    value: Type.Optional(Type.Unknown({ description: "Any JSON value" })),
  }),
);

/** Who changed a definition, why and when. The service sets author and date. */
export interface ChangeLog extends Static<typeof changeLog> {}
const changeLogMembers = {
  author: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  date: Type.Optional(Type.String({ description: "ISO 8601 in UTC" })),
};
export const changeLog = named("ChangeLog", Type.Object(changeLogMembers));

export interface ChangeLogVersion extends Static<typeof changeLogVersion> {}
export const changeLogVersion = named("ChangeLogVersion", Type.Object({ ...changeLogMembers, version: Type.Integer({ minimum: 1 }) }));

/** An environment variable of a step; `valueFrom` of the task-definition document is kept. */
export interface TaskEnvVar extends Static<typeof taskEnvVar> {}
export const taskEnvVar = named(
  "TaskEnvVar",
  openObject({ name: Type.String({ minLength: 1 }), value: Type.Optional(Type.String()), ...anything("valueFrom") }),
);

/** A storage of a node or a task run: one of the workflow's workspaces, and its path for the task. */
export interface TaskWorkspace extends Static<typeof taskWorkspace> {}
export const taskWorkspace = named(
  "TaskWorkspace",
  Type.Object({
    name: Type.String({ minLength: 1 }),
    type: Type.Optional(Type.String({ examples: ["workflow", "workflowrun"] })),
    optional: Type.Optional(Type.Boolean()),
    mountPath: Type.Optional(Type.String()),
  }),
);

/** A storage that a workflow requests: kept per workflow, or per run. */
export interface WorkflowWorkspace extends Static<typeof workflowWorkspace> {}
export const workflowWorkspace = named(
  "WorkflowWorkspace",
  Type.Object({
    name: Type.String({ minLength: 1 }),
    description: Type.Optional(Type.String()),
    type: Type.Optional(Type.String({ examples: ["workflow", "workflowrun"] })),
    optional: Type.Optional(Type.Boolean()),
    spec: Type.Optional(
      openObject({
        accessMode: Type.Optional(Type.String()),
        className: Type.Optional(Type.String()),
        mountPath: Type.Optional(Type.String()),
        size: Type.Optional(Type.Unsafe<string | number>({ type: ["string", "integer"], description: "Gi" })),
      }),
    ),
  }),
);
