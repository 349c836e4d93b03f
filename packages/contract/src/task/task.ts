import Type, { type Static } from "typebox";
import { type AbstractParam, abstractParam, changeLog, resultSpec, stepParam, taskEnvVar } from "../common.ts";
import { page } from "../page.ts";
import { type AsRead, annotationChanges, anything, labelChanges, named, openObject, orNull, ref } from "../schema.ts";
import { definitionTypes } from "../status.ts";

/**
 * The task as a JSON resource. Its other form is the task-definition document (task-definition.ts); members that only the document has are
 * kept in `spec` and its parts. docs/tasks-yaml.md has the mapping.
 */

/** One step of a task with several steps, or a step that needs more than the flat members of TaskSpec. */
export interface Step extends Static<typeof step> {}
export interface VolumeMount extends Static<typeof volumeMount> {}
export const volumeMount = named(
  "VolumeMount",
  openObject({
    name: Type.String(),
    mountPath: Type.String(),
    readOnly: Type.Optional(Type.Boolean()),
    ...anything("subPath", "subPathExpr", "mountPropagation", "recursiveReadOnly"),
  }),
);

const programOfImage = {
  image: Type.Optional(Type.String()),
  command: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
  args: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
  env: Type.Optional(Type.Array(ref(taskEnvVar), { maxItems: 1000 })),
  workingDir: Type.Optional(Type.String()),
  volumeMounts: Type.Optional(Type.Array(ref(volumeMount), { maxItems: 1000 })),
};

const script = { script: Type.Optional(Type.String({ description: "A program with its #! line; /bin/sh if it has none" })) };

/** The members that define the program of a step. */
export const programMembers = { ...programOfImage, ...script };

/** Members that steps, sidecars and the step template have in common. */
const containerMembers = {
  name: Type.Optional(Type.String()),
  ...programOfImage,
  ...anything("computeResources", "resources", "securityContext", "envFrom", "imagePullPolicy", "volumeDevices", "ports"),
  ...anything("livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "terminationMessagePath", "terminationMessagePolicy"),
  ...anything("stdin", "stdinOnce", "tty"),
};

const stepMembers = {
  ...containerMembers,
  ...script,
  onError: Type.Optional(Type.String({ examples: ["continue", "stopAndFail"] })),
  timeout: Type.Optional(Type.String({ examples: ["1h30m"] })),
  results: Type.Optional(Type.Array(ref(resultSpec), { maxItems: 1000 })),
  ref: orNull(openObject({ name: Type.Optional(Type.String({ description: "Name of a StepAction" })) })),
  params: orNull(Type.Array(ref(stepParam), { maxItems: 1000, description: "For the StepAction that `ref` names" })),
  ...anything("when", "workspaces", "stdoutConfig", "stderrConfig"),
  stepAction: Type.Optional(
    Type.Unknown({ description: "The StepAction that `ref` names, as it was when the task was saved. Set by the service" }),
  ),
};
export const step = named("Step", openObject(stepMembers));

export const stepTemplate = named("StepTemplate", openObject(containerMembers));

export const sidecar = named(
  "Sidecar",
  openObject({ ...containerMembers, script: Type.Optional(Type.String()), ...anything("workspaces", "restartPolicy") }),
);

/** A folder that the task needs; the node that uses the task says which workspace of the workflow it is. */
export interface WorkspaceDeclaration extends Static<typeof workspaceDeclaration> {}
export const workspaceDeclaration = named(
  "WorkspaceDeclaration",
  openObject({
    name: Type.String(),
    description: Type.Optional(Type.String()),
    mountPath: Type.Optional(Type.String()),
    readOnly: Type.Optional(Type.Boolean()),
    optional: Type.Optional(Type.Boolean()),
  }),
);

export interface Volume extends Static<typeof volume> {}
export const volume = named(
  "Volume",
  openObject({
    name: Type.String(),
    ...anything("emptyDir", "configMap", "secret", "projected", "csi", "hostPath", "persistentVolumeClaim", "downwardAPI", "ephemeral"),
    ...anything("nfs", "image"),
  }),
);

/** A task parameter: AbstractParam, and members that only the document has (`properties`, `enum`). */
export interface TaskParam extends AbstractParam {
  [member: string]: unknown;
}

/**
 * What a task does. One plain step is flat (`image`, `script`, `command`, `arguments`, `envs`, `workingDir`); several steps, or one with
 * further members, are in `steps`; never both.
 */
export interface TaskSpecInput extends Static<typeof taskSpec> {}
/** In a response. */
export interface TaskSpec extends AsRead<TaskSpecInput, "results"> {
  params: TaskParam[];
}
export const taskSpec = named(
  "TaskSpec",
  openObject({
    params: orNull(Type.Array(ref(abstractParam), { maxItems: 1000 })),
    results: orNull(Type.Array(ref(resultSpec), { maxItems: 1000 })),
    image: orNull(Type.String()),
    script: orNull(Type.String({ description: "A program with its #! line; /bin/sh if it has none" })),
    command: orNull(Type.Array(Type.String(), { maxItems: 1000 })),
    arguments: orNull(Type.Array(Type.String(), { maxItems: 1000 })),
    envs: orNull(Type.Array(ref(taskEnvVar), { maxItems: 1000 })),
    workingDir: orNull(Type.String()),
    stepName: orNull(Type.String({ description: "Name of the one step in the definition document" })),
    steps: orNull(Type.Array(ref(step), { maxItems: 1000, description: "Instead of the flat members: several steps, run in order" })),
    stepTemplate: orNull(ref(stepTemplate)),
    sidecars: orNull(Type.Array(ref(sidecar), { maxItems: 1000 })),
    volumes: orNull(Type.Array(ref(volume), { maxItems: 1000 })),
    workspaces: orNull(Type.Array(ref(workspaceDeclaration), { maxItems: 1000 })),
    ...anything("description", "displayName", "resources", "timeout"),
  }),
);

export const taskStatuses = ["active", "inactive"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** A task in a request. Members that the service sets (id, version, creationDate, verified) may be present, and are ignored. */
export interface TaskInput extends Static<typeof task> {}

/** A task in a response. */
export interface Task
  extends AsRead<
    TaskInput,
    "id" | "name" | "displayName" | "type" | "version" | "creationDate" | "verified" | "annotations" | "changelog"
  > {
  status: TaskStatus;
  /** Without nulls, which only requests have. */
  labels: Record<string, string>;
  spec: TaskSpec;
}

export const task = named(
  "Task",
  Type.Object({
    id: orNull(Type.String({ description: "Set by the service" })),
    name: orNull(Type.String({ description: "Letters, digits and hyphens; can't be changed. In PUT the path names the task" })),
    displayName: orNull(Type.String({ maxLength: 256, description: "Defaults to the name" })),
    type: orNull(
      Type.String({
        examples: [...definitionTypes],
        description: "Can't be changed after the task is created; default template. A stepaction is a step of other tasks, not a task",
      }),
    ),
    version: orNull(Type.Integer({ description: "Set by the service" })),
    status: orNull(Type.String({ examples: [...taskStatuses], description: "Default active" })),
    creationDate: orNull(Type.String({ description: "ISO 8601 in UTC, of the first version. Set by the service" })),
    verified: orNull(Type.Boolean({ description: "Built in. Set by the service" })),
    description: orNull(Type.String()),
    category: orNull(Type.String({ maxLength: 256 })),
    icon: orNull(Type.String({ maxLength: 256 })),
    labels: orNull(labelChanges()),
    annotations: orNull(annotationChanges),
    changelog: orNull(ref(changeLog)),
    spec: orNull(ref(taskSpec)),
  }),
);

export const taskResponsePage = page("TaskResponsePage", task);
