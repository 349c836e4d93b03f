import Type, { type Static } from "typebox";
import { paramSpec } from "../common.ts";
import { anything, named, openObject, ref } from "../schema.ts";
import { labelsAndAnnotations, metadata, spec } from "../task/task-definition.ts";

/**
 * The Pipeline and the PipelineRun of the public Tekton interface (https://tekton.dev/docs/pipelines/pipelines/), versions v1 and v1beta1.
 * Where these schemas say string, the YAML reader takes the text literally.
 */

const text = Type.Optional(Type.String());
const texts = Type.Optional(Type.Array(Type.String(), { maxItems: 10_000 }));

/** A text, a list of texts or a map of texts. */
const value = Type.Unsafe<string | string[] | Record<string, string>>({
  anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }, { type: "object", additionalProperties: { type: "string" } }],
});

export interface PipelineValue extends Static<typeof pipelineValue> {}
const pipelineValue = named(
  "PipelineValue",
  openObject({
    name: Type.String({ minLength: 1 }),
    value: Type.Optional(value),
  }),
);

export interface WhenCondition extends Static<typeof whenCondition> {}
const whenCondition = named(
  "WhenCondition",
  openObject({ input: text, operator: Type.Optional(Type.Enum(["in", "notin"])), values: texts, cel: text }),
);

export interface Matrix extends Static<typeof matrix> {}
const matrix = named(
  "Matrix",
  openObject({
    params: Type.Optional(Type.Array(ref(pipelineValue), { maxItems: 100 })),
    include: Type.Optional(
      Type.Array(openObject({ name: text, params: Type.Optional(Type.Array(ref(pipelineValue), { maxItems: 100 })) }), { maxItems: 1000 }),
    ),
  }),
);

/** A use of a task in a pipeline. Its name and runs are separate from those of an embedded `Task`. */
export interface PipelineTask extends Static<typeof pipelineTask> {}
const pipelineTask = named(
  "PipelineTask",
  openObject({
    name: Type.String({ minLength: 1 }),
    displayName: text,
    description: text,
    taskRef: Type.Optional(
      openObject({ name: text, kind: text, apiVersion: text, ...anything("bundle", "resolver", "resource", "params") }),
    ),
    taskSpec: Type.Optional(ref(spec)),
    params: Type.Optional(Type.Array(ref(pipelineValue), { maxItems: 1000 })),
    runAfter: texts,
    when: Type.Optional(Type.Array(ref(whenCondition), { maxItems: 100 })),
    matrix: Type.Optional(ref(matrix)),
    workspaces: Type.Optional(
      Type.Array(openObject({ name: Type.String({ minLength: 1 }), workspace: text, subPath: text }), { maxItems: 100 }),
    ),
    retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    timeout: text,
    onError: text,
    ...anything("pipelineRef", "pipelineSpec", "resources", "conditions"),
  }),
);

export interface PipelineSpec extends Static<typeof pipelineSpec> {}
export const pipelineSpec = named(
  "PipelineSpec",
  openObject({
    displayName: text,
    description: text,
    params: Type.Optional(Type.Array(ref(paramSpec), { maxItems: 1000 })),
    workspaces: Type.Optional(
      Type.Array(openObject({ name: Type.String({ minLength: 1 }), description: text, optional: Type.Optional(Type.Boolean()) }), {
        maxItems: 100,
      }),
    ),
    tasks: Type.Optional(Type.Array(ref(pipelineTask), { maxItems: 10_000 })),
    finally: Type.Optional(Type.Array(ref(pipelineTask), { maxItems: 1000 })),
    results: Type.Optional(
      Type.Array(
        openObject({
          name: Type.String({ minLength: 1 }),
          type: text,
          description: text,
          value,
        }),
        { maxItems: 1000 },
      ),
    ),
    ...anything("resources"),
  }),
);

const pipelineVersions = ["tekton.dev/v1", "tekton.dev/v1beta1"] as const;

export interface PipelineDefinition extends Static<typeof pipelineDefinition> {}
export const pipelineDefinition = named(
  "PipelineDefinition",
  openObject({
    apiVersion: Type.Enum([...pipelineVersions]),
    kind: Type.Enum(["Pipeline"]),
    metadata: ref(metadata),
    spec: ref(pipelineSpec),
    ...anything("status"),
  }),
);

/** Metadata of the run; its name may be generated from a prefix. */
const pipelineRunMetadata = named(
  "PipelineRunMetadata",
  openObject({
    name: text,
    generateName: text,
    ...labelsAndAnnotations,
    ...anything("namespace"),
  }),
);

export interface PipelineRunDefinition extends Static<typeof pipelineRunDefinition> {}
export const pipelineRunDefinition = named(
  "PipelineRunDefinition",
  openObject({
    apiVersion: Type.Enum([...pipelineVersions]),
    kind: Type.Enum(["PipelineRun"]),
    metadata: Type.Optional(ref(pipelineRunMetadata)),
    spec: openObject({
      pipelineRef: Type.Optional(openObject({ name: text })),
      pipelineSpec: Type.Optional(ref(pipelineSpec)),
      params: Type.Optional(Type.Array(ref(pipelineValue), { maxItems: 1000 })),
      timeouts: Type.Optional(openObject({ pipeline: text, tasks: text, finally: text })),
      timeout: text,
      workspaces: Type.Optional(
        Type.Array(
          openObject({
            name: Type.String({ minLength: 1 }),
            subPath: text,
            ...anything("emptyDir", "volumeClaimTemplate", "persistentVolumeClaim", "secret", "configMap", "projected", "csi"),
          }),
          { maxItems: 100 },
        ),
      ),
      ...anything("taskRunTemplate", "taskRunSpecs", "status", "serviceAccountName", "podTemplate", "managedBy", "resources"),
    }),
    ...anything("status"),
  }),
);
