import Type from "typebox";
import "./common.ts";
import "./task.ts";
import type { ParamSpec, ResultSpec } from "./common.ts";
import { anything, labelChanges, named, ref } from "./schema.ts";
import type { Step, Volume, WorkspaceDeclaration } from "./task.ts";

/**
 * The task-definition document: the Task of the public Tekton interface (https://tekton.dev/docs/pipelines/tasks/),
 * versions v1 and v1beta1. Where these schemas say string, the reader of YAML takes the text as it is written, so that
 * `1.0`, `0755` and `on` are not changed. Members that are not named here are kept as they are.
 */

/** Annotations are texts; those of the service may also be lists and maps. Null removes one that is there. */
const annotationValue = Type.Unsafe<unknown>({
  anyOf: [{ type: "string" }, { type: "array", items: {} }, { type: "object" }, { type: "null" }],
});
const formParams = Type.Unsafe<unknown>({ anyOf: [{ type: "string" }, { type: "array", items: { $ref: "FormParam" } }] });

/** How a form shows a parameter of the document: an entry of the annotation `millrace.dev/params`. */
export const formParam = named(
  "FormParam",
  Type.Object(
    {
      name: Type.Optional(Type.String()),
      key: Type.Optional(Type.String({ description: "Older spelling of name" })),
      label: Type.Optional(Type.String()),
      type: Type.Optional(Type.String()),
      placeholder: Type.Optional(Type.String()),
      helpertext: Type.Optional(Type.String()),
      language: Type.Optional(Type.String()),
      options: Type.Optional(Type.Array(ref("KeyValuePair"))),
      minValueLength: Type.Optional(Type.Integer({ minimum: 0 })),
      maxValueLength: Type.Optional(Type.Integer({ minimum: 0 })),
      required: Type.Optional(Type.Boolean()),
      disabled: Type.Optional(Type.Boolean()),
      readOnly: Type.Optional(Type.Boolean()),
      hiddenValue: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: true },
  ),
);

export interface Metadata {
  name: string;
  labels?: Record<string, string | null>;
  annotations?: Record<string, unknown>;
  [member: string]: unknown;
}
export const metadata = named(
  "Metadata",
  Type.Object(
    {
      name: Type.String({ minLength: 1 }),
      labels: Type.Optional(labelChanges()),
      annotations: Type.Optional(
        Type.Unsafe<Record<string, unknown>>({
          type: "object",
          properties: { "millrace.dev/params": formParams, "boomerang.io/params": formParams },
          additionalProperties: annotationValue,
        }),
      ),
      ...anything("namespace", "generateName", "uid", "resourceVersion", "generation", "creationTimestamp", "selfLink"),
      ...anything("managedFields", "ownerReferences", "finalizers"),
    },
    { additionalProperties: true },
  ),
);

/** The spec of the document. */
export interface Spec {
  description?: string;
  params?: ParamSpec[];
  results?: ResultSpec[];
  steps?: Step[];
  stepTemplate?: Step;
  sidecars?: Step[];
  volumes?: Volume[];
  workspaces?: WorkspaceDeclaration[];
  [member: string]: unknown;
}
export const spec = named(
  "Spec",
  Type.Object(
    {
      description: Type.Optional(Type.String()),
      params: Type.Optional(Type.Array(ref<ParamSpec>("ParamSpec"))),
      results: Type.Optional(Type.Array(ref<ResultSpec>("ResultSpec"))),
      timeout: Type.Optional(Type.String({ description: "Stored, without effect; set the timeout at the node of the workflow" })),
      steps: Type.Optional(Type.Array(ref<Step>("Step"))),
      stepTemplate: Type.Optional(ref<Step>("StepTemplate")),
      sidecars: Type.Optional(Type.Array(ref<Step>("Sidecar"))),
      volumes: Type.Optional(Type.Array(ref<Volume>("Volume"))),
      workspaces: Type.Optional(Type.Array(ref<WorkspaceDeclaration>("WorkspaceDeclaration"))),
      ...anything("displayName", "resources"),
    },
    { additionalProperties: true },
  ),
);

export const definitionVersions = ["tekton.dev/v1", "tekton.dev/v1beta1"] as const;

export interface TaskDefinition {
  apiVersion: (typeof definitionVersions)[number];
  kind: "Task";
  metadata: Metadata;
  spec: Spec;
  [member: string]: unknown;
}
export const taskDefinition = named(
  "TaskDefinition",
  Type.Object(
    {
      apiVersion: Type.Enum([...definitionVersions]),
      kind: Type.Enum(["Task"]),
      metadata: ref<Metadata>("Metadata"),
      spec: ref<Spec>("Spec"),
      ...anything("status"),
    },
    { additionalProperties: true },
  ),
);
