import Type from "typebox";
import "./common.ts";
import type { AbstractParam, ChangeLog, ResultSpec, TaskEnvVar } from "./common.ts";
import { annotationChanges, anything, labelChanges, named, orNull, page, ref } from "./schema.ts";
import { taskTypes } from "./status.ts";

/**
 * The task as a JSON resource. Its other form is the task-definition document (task-definition.ts); members that only the
 * document has are kept in `spec` and its parts. docs/tasks-yaml.md has the mapping.
 */

/** One step of a task that has several, or that needs more than the flat members of TaskSpec can say. */
export interface Step {
  name?: string;
  image?: string;
  script?: string;
  command?: string[];
  args?: string[];
  env?: TaskEnvVar[];
  workingDir?: string;
  onError?: string;
  /** A duration such as `1h30m`. */
  timeout?: string;
  results?: ResultSpec[];
  volumeMounts?: VolumeMount[];
  [member: string]: unknown;
}
export interface VolumeMount {
  name: string;
  mountPath: string;
  readOnly?: boolean;
  [member: string]: unknown;
}
export const volumeMount = named(
  "VolumeMount",
  Type.Object(
    {
      name: Type.String(),
      mountPath: Type.String(),
      readOnly: Type.Optional(Type.Boolean()),
      ...anything("subPath", "subPathExpr", "mountPropagation", "recursiveReadOnly"),
    },
    { additionalProperties: true },
  ),
);

/** What steps, sidecars and the step template have in common. */
const containerMembers = {
  name: Type.Optional(Type.String()),
  image: Type.Optional(Type.String()),
  command: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
  args: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
  env: Type.Optional(Type.Array(ref<TaskEnvVar>("TaskEnvVar"), { maxItems: 1000 })),
  workingDir: Type.Optional(Type.String()),
  volumeMounts: Type.Optional(Type.Array(ref<VolumeMount>("VolumeMount"), { maxItems: 1000 })),
  ...anything("computeResources", "resources", "securityContext", "envFrom", "imagePullPolicy", "volumeDevices", "ports"),
  ...anything("livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "terminationMessagePath", "terminationMessagePolicy"),
  ...anything("stdin", "stdinOnce", "tty"),
};

const stepMembers = {
  ...containerMembers,
  script: Type.Optional(Type.String({ description: "A program with its #! line; /bin/sh if it has none" })),
  onError: Type.Optional(Type.String({ examples: ["continue", "stopAndFail"] })),
  timeout: Type.Optional(Type.String({ examples: ["1h30m"] })),
  results: Type.Optional(Type.Array(ref<ResultSpec>("ResultSpec"), { maxItems: 1000 })),
  ...anything("ref", "params", "when", "workspaces", "stdoutConfig", "stderrConfig"),
};
export const step = named("Step", Type.Object(stepMembers, { additionalProperties: true }));

export const stepTemplate = named("StepTemplate", Type.Object(containerMembers, { additionalProperties: true }));

export const sidecar = named(
  "Sidecar",
  Type.Object(
    { ...containerMembers, script: Type.Optional(Type.String()), ...anything("workspaces", "restartPolicy") },
    { additionalProperties: true },
  ),
);

/** A folder that the task wants; the node that uses the task says which workspace of the workflow it is. */
export interface WorkspaceDeclaration {
  name: string;
  description?: string;
  mountPath?: string;
  readOnly?: boolean;
  optional?: boolean;
  [member: string]: unknown;
}
export const workspaceDeclaration = named(
  "WorkspaceDeclaration",
  Type.Object(
    {
      name: Type.String(),
      description: Type.Optional(Type.String()),
      mountPath: Type.Optional(Type.String()),
      readOnly: Type.Optional(Type.Boolean()),
      optional: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: true },
  ),
);

export interface Volume {
  name: string;
  [member: string]: unknown;
}
export const volume = named(
  "Volume",
  Type.Object(
    {
      name: Type.String(),
      ...anything("emptyDir", "configMap", "secret", "projected", "csi", "hostPath", "persistentVolumeClaim", "downwardAPI", "ephemeral"),
      ...anything("nfs", "image"),
    },
    { additionalProperties: true },
  ),
);

/** A task parameter: AbstractParam and what only the document can say (`properties`, `enum`). */
export interface TaskParam extends AbstractParam {
  [member: string]: unknown;
}

/**
 * What a task does. One plain step is written flat (`image`, `script`, `command`, `arguments`, `envs`, `workingDir`),
 * several, or one with further members, as `steps`; never both.
 */
export interface TaskSpec {
  params: TaskParam[];
  results: ResultSpec[];
  image?: string;
  script?: string;
  command?: string[];
  arguments?: string[];
  envs?: TaskEnvVar[];
  workingDir?: string;
  /** Name of the one flat step, when it is not that of the task; empty when it has none. */
  stepName?: string;
  steps?: Step[];
  stepTemplate?: Step;
  sidecars?: Step[];
  volumes?: Volume[];
  workspaces?: WorkspaceDeclaration[];
  [member: string]: unknown;
}
/** As a client writes it: everything may be left out, or be null. */
export type TaskSpecInput = { [Member in keyof TaskSpec]?: TaskSpec[Member] | null };

export const taskSpec = named(
  "TaskSpec",
  Type.Object(
    {
      params: orNull(Type.Array(ref<AbstractParam>("AbstractParam"), { maxItems: 1000 })),
      results: orNull(Type.Array(ref<ResultSpec>("ResultSpec"), { maxItems: 1000 })),
      image: orNull(Type.String()),
      script: orNull(Type.String({ description: "A program with its #! line; /bin/sh if it has none" })),
      command: orNull(Type.Array(Type.String(), { maxItems: 1000 })),
      arguments: orNull(Type.Array(Type.String(), { maxItems: 1000 })),
      envs: orNull(Type.Array(ref<TaskEnvVar>("TaskEnvVar"), { maxItems: 1000 })),
      workingDir: orNull(Type.String()),
      stepName: orNull(Type.String({ description: "Name of the one step in the definition document" })),
      steps: orNull(
        Type.Array(ref<Step>("Step"), { maxItems: 1000, description: "Instead of the flat members: several steps, run in order" }),
      ),
      stepTemplate: orNull(ref<Step>("StepTemplate")),
      sidecars: orNull(Type.Array(ref<Step>("Sidecar"), { maxItems: 1000 })),
      volumes: orNull(Type.Array(ref<Volume>("Volume"), { maxItems: 1000 })),
      workspaces: orNull(Type.Array(ref<WorkspaceDeclaration>("WorkspaceDeclaration"), { maxItems: 1000 })),
      ...anything("description", "displayName", "resources", "timeout"),
    },
    { additionalProperties: true },
  ),
);

export const taskStatuses = ["active", "inactive"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** What a client writes. Members that the service sets (id, version, creationDate, verified) may stand there; they are not read. */
export interface TaskInput {
  name?: string | null;
  displayName?: string | null;
  type?: string | null;
  status?: string | null;
  description?: string | null;
  category?: string | null;
  icon?: string | null;
  labels?: Record<string, string | null> | null;
  annotations?: Record<string, unknown> | null;
  changelog?: ChangeLog | null;
  spec?: TaskSpecInput | null;
}

/** What it reads. */
export interface Task {
  id: string;
  name: string;
  displayName: string;
  type: string;
  version: number;
  status: TaskStatus;
  creationDate: string;
  verified: boolean;
  description?: string;
  category?: string;
  icon?: string;
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  changelog: ChangeLog;
  spec: TaskSpec;
}

export const task = named(
  "Task",
  Type.Object({
    id: orNull(Type.String({ description: "Set by the service" })),
    name: orNull(Type.String({ description: "Letters, digits and hyphens; can't be changed. In PUT the path names the task" })),
    displayName: orNull(Type.String({ maxLength: 256, description: "Defaults to the name" })),
    type: orNull(Type.String({ examples: [...taskTypes], description: "Can't be changed after the task is created; default template" })),
    version: orNull(Type.Integer({ description: "Set by the service" })),
    status: orNull(Type.String({ examples: [...taskStatuses], description: "Default active" })),
    creationDate: orNull(Type.String({ description: "ISO 8601 in UTC, of the first version. Set by the service" })),
    verified: orNull(Type.Boolean({ description: "Built in. Set by the service" })),
    description: orNull(Type.String()),
    category: orNull(Type.String({ maxLength: 256 })),
    icon: orNull(Type.String({ maxLength: 256 })),
    labels: orNull(labelChanges()),
    annotations: orNull(annotationChanges),
    changelog: orNull(ref<ChangeLog>("ChangeLog")),
    spec: orNull(ref<TaskSpecInput>("TaskSpec")),
  }),
);

export const taskResponsePage = page("TaskResponsePage", "Task");
