import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { scanReferences } from "../parameter/references.ts";
import { isSealed, isSecretParam, maskParams, sealParams } from "../parameter/secret-params.ts";
import { secretFault } from "../parameter/secret-text.ts";
import { createKeptFinder, type FindKept, keptParams, type NewTasks } from "../task/former-tasks.ts";
import type { DocumentTask, WorkflowDocument } from "./workflow-document.ts";

/**
 * Secrets of a workflow document: its parameters of type `password`, and the values that its tasks set for such parameters of their
 * definitions. A value that is a reference (`$(params.token)`) is not a secret itself and stays readable. A sealed value of a task is
 * marked by `hiddenValue`, which a client can't set.
 */

export interface SealOptions {
  /** The parameters that the definition of a task declares. */
  declaredBy(task: DocumentTask): readonly AbstractParam[];
  /** The previous document, sealed: a secret that is left out keeps its value, under the same names or the former ones (`newTasks`). */
  stored: WorkflowDocument | undefined;
  newTasks: NewTasks;
  seal(clear: string): string;
}

/** @throws VALIDATION_FAILED naming each secret that is not text or too short; its message never contains the values */
export function sealDocument(document: WorkflowDocument, options: SealOptions): WorkflowDocument {
  const params = sealParams(document.params, keptParams(options.stored?.params ?? [], document.params), options.seal, "/params", true);
  const findKept = createKeptFinder(options.stored?.tasks ?? [], document.tasks, options.newTasks);
  const faults: ErrorDetail[] = [];
  const tasks = document.tasks.map((task, index) => {
    const secrets = new Set(
      options
        .declaredBy(task)
        .filter(isSecretParam)
        .map(({ name }) => name),
    );
    if (secrets.size === 0) return task;
    const kept = (param: string) => findKept(task, param);
    const sealOne = (param: RunParam, at: number) =>
      secrets.has(param.name) ? sealValue(param, kept, options.seal, faults, `/tasks/${index}/params/${at}/value`) : param;
    return { ...task, params: task.params.map(sealOne) };
  });
  const [first] = faults;
  if (first) throw new AppError("VALIDATION_FAILED", [`body ${first.path} ${first.message}`], { details: faults });
  return { ...document, params, tasks };
}

function sealValue(
  param: RunParam,
  findKept: (param: string) => ReturnType<FindKept>,
  seal: (clear: string) => string,
  faults: ErrorDetail[],
  path: string,
): RunParam {
  const { name, value } = param;
  if (value === undefined || value === null || value === "") {
    return findKept(name) ?? param;
  }
  if (typeof value === "string" && scanReferences(value).some(({ reference }) => reference)) return param;
  const fault = secretFault(value);
  if (fault) {
    faults.push({ path, message: `of parameter "${name}" ${fault}` });
    return param;
  }
  return { name, value: seal(value as string), hiddenValue: true };
}

/** The document for a response: secrets are empty and marked as hidden. */
export function maskDocument(document: WorkflowDocument): WorkflowDocument {
  return { ...document, params: maskParams(document.params), tasks: document.tasks.map(maskTask) };
}

function maskTask(task: DocumentTask): DocumentTask {
  return task.params.some(isSealed)
    ? { ...task, params: task.params.map((param) => (isSealed(param) ? { ...param, value: "" } : param)) }
    : task;
}
