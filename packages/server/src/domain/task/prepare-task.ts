import { escapePointer } from "@millrace/contract/json-pointer.ts";
import { type DefinitionType, definitionTypes, stepActionType } from "@millrace/contract/status.ts";
import { type TaskParam, type TaskStatus, taskStatuses } from "@millrace/contract/task/task.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { isSecretParam, sealParams } from "../../core/parameter/secret-params.ts";
import type { OptIn } from "../../core/task/opt-in.ts";
import { hostNetworkFaults, privilegeRightFaults } from "../../core/task/opt-in.ts";
import { annotationPrefix } from "../../core/task/tekton/annotations/service-annotations.ts";
import { findTaskFaults } from "../../core/task/tekton/check-task.ts";
import { invalidDefinition } from "../../core/task/tekton/read-task-document.ts";
import { findActionFaults } from "../../core/task/tekton/step-action/check-action.ts";
import type { TaskContent } from "../../core/task/tekton/task-content.ts";
import { findActionWarnings, findTaskWarnings, type TaskWarning } from "../../core/task/tekton/task-warnings.ts";
import { labelFaults, mergeLabels } from "../../core/workflow/labels.ts";
import type { Queryable } from "../../store/database/database.ts";
import type { NewTaskVersion, TaskRow } from "../../store/task/tasks.ts";
import { copyActions } from "./copy-actions.ts";

/** The scope and the author of a save. */
export interface SaveTaskContext {
  /** Null: a global task. */
  teamId: string | null;
  /** Name of the principal, for the changelog. */
  author: string;
  /**
   * Encrypts the default of a secret parameter, for `taskParametersPlace` of that team.
   * @param stored the spec before, whose envelopes can stay (domain/secret/seal-again.ts)
   */
  sealer(stored: unknown): (clear: string) => string;
  /** Whether it may use the network of the machine. */
  hostNetwork: OptIn;
  /** Whether its steps may have privileges. */
  privileges: OptIn;
}

/** A document from a client, with the names that error messages use for places in it. */
export interface WrittenTask {
  content: TaskContent;
  locate(details: readonly ErrorDetail[]): ErrorDetail[];
  /** The text of a single problem, if its message does not name the place. */
  say?(detail: ErrorDetail): string;
  /** Members that look misspelt. */
  misspelt?: readonly TaskWarning[];
  /** The text of a warning; by default named by its subject. */
  warn?(warning: TaskWarning): string;
}

/** A task that can be stored: checked, secrets sealed. */
export interface PreparedTask {
  name: string;
  type: DefinitionType;
  status: TaskStatus;
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  version: Omit<NewTaskVersion, "version" | "author" | "reason">;
  /** Worth mentioning, but no reason to refuse. */
  warnings: string[];
}

/**
 * @param stored the version before: labels and annotations are merged with its own, its type and its secrets are kept
 * @throws TASKRUN_INVALID_TYPE, TASK_INVALID_DEFINITION, VALIDATION_FAILED (status, secrets)
 */
export async function prepareTask(
  db: Queryable,
  written: WrittenTask,
  { teamId, sealer, hostNetwork, privileges }: Pick<SaveTaskContext, "teamId" | "sealer" | "hostNetwork" | "privileges">,
  stored?: TaskRow,
): Promise<PreparedTask> {
  const annotations = mergeLabels<unknown>(stored?.annotations ?? {}, written.content.annotations);
  const { type, warnings } = typeOf(written.content, stored);
  const content = await copyActions(db, teamId, { ...written.content, annotations });
  const labels = mergeLabels(stored?.labels ?? {}, content.labels);
  const own = type === stepActionType ? findActionFaults(content) : findTaskFaults(content, type);
  const findWarnings = type === stepActionType ? findActionWarnings : findTaskWarnings;
  const rights = [...networkFaults(annotations, hostNetwork), ...privilegeRightFaults(content, privileges)];
  const faults = [...own, ...rights, ...labelFaults(labels)];
  if (faults.length > 0) throw invalidDefinition(written.locate(faults), written.say);
  const params = sealParams(content.spec.params, stored?.spec.params ?? [], sealer(stored?.spec), "/spec/params", true) as TaskParam[];
  return {
    name: content.name,
    type,
    status: statusOf(content),
    labels,
    annotations,
    version: {
      displayName: content.displayName,
      description: content.description ?? null,
      category: content.category ?? null,
      icon: content.icon ?? null,
      spec: { ...content.spec, params },
      document: withoutSecrets(content),
      text: keptText(content),
    },
    warnings: [...warnings, ...[...(written.misspelt ?? []), ...findWarnings(content.spec, content.name)].map(written.warn ?? sayWarning)],
  };
}

function sayWarning({ subject, message }: TaskWarning): string {
  return `${subject} ${message}`;
}

function networkFaults(annotations: Record<string, unknown>, rights: OptIn): ErrorDetail[] {
  const name = `${annotationPrefix}network`;
  return hostNetworkFaults(annotations[name], rights, `/metadata/annotations/${escapePointer(name)}`);
}

/** The type is fixed when a task is created. Documents rarely contain a type, so a different one in a later version is no error. */
function typeOf(content: TaskContent, stored: TaskRow | undefined): { type: DefinitionType; warnings: string[] } {
  const isTaskDocument = content.document !== undefined && content.kind === undefined;
  const sameKind = isTaskDocument && stored?.type === stepActionType ? undefined : stored?.type;
  const wanted = content.type?.toLowerCase() ?? sameKind ?? "template";
  const known: readonly DefinitionType[] = definitionTypes.filter((type) => type !== "start" && type !== "end");
  const type = known.find((one) => one === wanted);
  if (type === undefined) throw new AppError("TASKRUN_INVALID_TYPE", [wanted, known.join(", ")]);
  if (isTaskDocument && type === stepActionType) throw otherKind("/kind", "is Task; a StepAction has the kind StepAction");
  if (content.kind === "StepAction" && type !== stepActionType)
    throw otherKind("/metadata/annotations", `have the type ${type}; a StepAction has none, leave it out`);
  if (stored === undefined || stored.type === type) return { type, warnings: [] };
  if (type === stepActionType) throw otherKind("/type", `is ${type}, but ${stored.name} is a task; save the StepAction under another name`);
  if (stored.type === stepActionType)
    throw otherKind("/type", `is ${type}, but ${stored.name} is a StepAction; save the task under another name`);
  return { type: stored.type, warnings: [`the type of a task never changes; it is still ${stored.type}, not ${type}`] };
}

/** A task can't change between these: the nodes that use one kind can't use the other. */
function otherKind(path: string, message: string): AppError {
  return new AppError("TASK_INVALID_DEFINITION", [`${path.slice(1)} ${message}`], { details: [{ path, message }] });
}

function statusOf({ status = "active" }: TaskContent): TaskStatus {
  const known = taskStatuses.find((one) => one === status);
  if (known !== undefined) return known;
  const message = `is ${JSON.stringify(status)}; it must be one of ${taskStatuses.join(", ")}`;
  throw new AppError("VALIDATION_FAILED", [`body /status ${message}`], { details: [{ path: "/status", message }] });
}

/** The document is stored byte for byte, apart from the defaults of secrets. */
function withoutSecrets({ document, spec }: TaskContent): Record<string, unknown> | undefined {
  const secrets = new Set(spec.params.filter(isSecretParam).map(({ name }) => name));
  if (document?.params === undefined || secrets.size === 0) return document;
  const params = document.params.map((param) => (secrets.has(param.name) && "default" in param ? { ...param, default: "" } : param));
  return { ...document, params };
}

/** Returning a text takes several times as long as writing one. */
const maxKeptCharacters = 65_536;

/** A comment beside a secret may contain it, so the text of such a document is not stored. */
function keptText({ text, spec }: TaskContent): string | undefined {
  const isSecret = (param: TaskParam) => isSecretParam(param) && [param.default, param.value].some((value) => (value ?? "") !== "");
  return text === undefined || text.length > maxKeptCharacters || spec.params.some(isSecret) ? undefined : text;
}

/** Words that paths use in place of a name. */
const reservedNames: readonly string[] = ["query", "validate"];

/**
 * Letters, digits and hyphen, case-sensitive: `Build` and `build` are two tasks.
 *
 * @throws TASK_INVALID_NAME, TASK_ALREADY_EXISTS (reserved)
 */
export function checkTaskName(name: string): void {
  const isValid = /^[0-9A-Za-z-]{1,128}$/.test(name) && !isId(name);
  if (!isValid) throw new AppError("TASK_INVALID_NAME", [JSON.stringify(name)]);
  if (reservedNames.includes(name.toLowerCase())) throw new AppError("TASK_ALREADY_EXISTS", [name, "reserved"]);
}
