import Type, { type Static } from "typebox";
import { keyValuePair, paramSpec, resultSpec } from "../common.ts";
import { anything, labelChanges, named, openObject, ref } from "../schema.ts";
import { programMembers, sidecar, step, stepTemplate, volume, workspaceDeclaration } from "./task.ts";

/**
 * The task-definition document: the Task of the public Tekton interface (https://tekton.dev/docs/pipelines/tasks/), versions v1 and
 * v1beta1. Where these schemas say string, the YAML reader takes the text literally, so that `1.0`, `0755` and `on` are not changed.
 * Members that are not listed here are kept unchanged.
 */

/** Annotations are texts; those of the service may also be lists and maps. Null removes an existing one. */
const annotationValue = Type.Unsafe<unknown>({
  anyOf: [{ type: "string" }, { type: "array", items: {} }, { type: "object" }, { type: "null" }],
});

/** How a form shows a parameter of the document: an entry of the annotation `millrace.dev/params`. */
export const formParam = named(
  "FormParam",
  openObject({
    name: Type.Optional(Type.String()),
    key: Type.Optional(Type.String({ description: "Older spelling of name" })),
    label: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
    placeholder: Type.Optional(Type.String()),
    helpertext: Type.Optional(Type.String()),
    language: Type.Optional(Type.String()),
    options: Type.Optional(Type.Array(ref(keyValuePair))),
    minValueLength: Type.Optional(Type.Integer({ minimum: 0 })),
    maxValueLength: Type.Optional(Type.Integer({ minimum: 0 })),
    required: Type.Optional(Type.Boolean()),
    disabled: Type.Optional(Type.Boolean()),
    readOnly: Type.Optional(Type.Boolean()),
    hiddenValue: Type.Optional(Type.Boolean()),
  }),
);

const formParams = Type.Unsafe<unknown>({ anyOf: [{ type: "string" }, { type: "array", items: ref(formParam) }] });

/** Members of metadata besides its name. */
export const labelsAndAnnotations = {
  labels: Type.Optional(labelChanges()),
  annotations: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: "object",
      properties: { "millrace.dev/params": formParams, "boomerang.io/params": formParams },
      additionalProperties: annotationValue,
    }),
  ),
};

export interface Metadata extends Static<typeof metadata> {}
export const metadata = named(
  "Metadata",
  openObject({
    name: Type.String({ minLength: 1 }),
    ...labelsAndAnnotations,
    ...anything("namespace", "generateName", "uid", "resourceVersion", "generation", "creationTimestamp", "selfLink"),
    ...anything("managedFields", "ownerReferences", "finalizers"),
  }),
);

/** The spec of the document. */
export interface Spec extends Static<typeof spec> {}
export const spec = named(
  "Spec",
  openObject({
    description: Type.Optional(Type.String()),
    params: Type.Optional(Type.Array(ref(paramSpec))),
    results: Type.Optional(Type.Array(ref(resultSpec))),
    timeout: Type.Optional(Type.String({ description: "Stored, without effect; set the timeout at the node of the workflow" })),
    steps: Type.Optional(Type.Array(ref(step))),
    stepTemplate: Type.Optional(ref(stepTemplate)),
    sidecars: Type.Optional(Type.Array(ref(sidecar))),
    volumes: Type.Optional(Type.Array(ref(volume))),
    workspaces: Type.Optional(Type.Array(ref(workspaceDeclaration))),
    ...anything("displayName", "resources"),
  }),
);

export const definitionVersions = ["tekton.dev/v1", "tekton.dev/v1beta1"] as const;

export interface TaskDefinition extends Static<typeof taskDefinition> {}
export const taskDefinition = named(
  "TaskDefinition",
  openObject({
    apiVersion: Type.Enum([...definitionVersions]),
    kind: Type.Enum(["Task"]),
    metadata: ref(metadata),
    spec: ref(spec),
    ...anything("status"),
  }),
);

/** The spec of a StepAction: a step that tasks refer to by name. */
export interface StepActionSpec extends Static<typeof stepActionSpec> {}
export const stepActionSpec = named(
  "StepActionSpec",
  openObject({
    description: Type.Optional(Type.String()),
    params: Type.Optional(Type.Array(ref(paramSpec), { maxItems: 1000 })),
    results: Type.Optional(Type.Array(ref(resultSpec), { maxItems: 1000 })),
    ...programMembers,
    ...anything("securityContext"),
  }),
);

export interface StepActionDefinition extends Static<typeof stepActionDefinition> {}
export const stepActionDefinition = named(
  "StepActionDefinition",
  openObject({
    apiVersion: Type.Enum([...definitionVersions]),
    kind: Type.Enum(["StepAction"]),
    metadata: ref(metadata),
    spec: ref(stepActionSpec),
    ...anything("status"),
  }),
);

/** The kinds of definition documents. */
export type Definition = TaskDefinition | StepActionDefinition;
