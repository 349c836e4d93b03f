import { escapePointer } from "@millrace/contract/json-pointer.ts";
import { isExecutorType, type TaskType } from "@millrace/contract/status.ts";
import type { Step } from "@millrace/contract/task/task.ts";
import type { ErrorDetail } from "../../../base/error/app-error.ts";
import { externalTaskFaults, isExternal } from "../external-task.ts";
import { canonicalMountPath, describeMountConflict, findMountConflict, mountPathFault } from "../mount-paths.ts";
import { duplicates, fileNameFaults, paramFaults } from "../name-faults.ts";
import { functionFaults } from "./annotations/function-annotations.ts";
import { placingFaults } from "./annotations/placing-annotations.ts";
import { annotationPrefix } from "./annotations/service-annotations.ts";
import { envSourceFaults } from "./env-sources.ts";
import { flattenSteps, sidecarsOf, stepsOf } from "./flat-step.ts";
import { jobSteps } from "./job-steps.ts";
import { findRunDemands } from "./runnable.ts";
import { maxSidecars, sidecarFaults } from "./sidecars/sidecar-faults.ts";
import { actionRefFaults, actionSizeFaults } from "./step-action/action-ref-faults.ts";
import { actionOfStep, mergedSteps } from "./step-action/step-action.ts";
import { privilegeFaults } from "./step-privileges.ts";
import { parseDuration, wrongQuantities } from "./step-resources.ts";
import { stepValueFaults } from "./step-value-faults.ts";
import type { TaskContent } from "./task-content.ts";
import { mountFaults } from "./volumes/volume-mounts.ts";

/**
 * Problems because of which nothing could ever run a task, found when it is saved. Paths are those of the document form: steps are
 * `/spec/steps/0` even if the only step is written flat (`inFlatForm` converts them).
 */
export function findTaskFaults(content: TaskContent, type: TaskType): ErrorDetail[] {
  const { spec } = content;
  const steps = stepsOf(spec, content.name);
  const tooLarge = actionSizeFaults(steps);
  if (tooLarge.length > 0) return tooLarge;
  const merged = mergedSteps(spec, content.name);
  const faults = [
    ...placingFaults(content.annotations, "/metadata/annotations"),
    ...functionFaults(content, "/metadata/annotations"),
    ...duplicates("parameters", "/spec/params", spec.params),
    ...spec.params.flatMap(paramFaults),
    ...duplicates("results", "/spec/results", spec.results),
    ...fileNameFaults("result", "/spec/results", spec.results),
    ...duplicates("workspaces", "/spec/workspaces", spec.workspaces),
    ...fileNameFaults("workspace", "/spec/workspaces", spec.workspaces),
    ...workspacePlaceFaults(spec.workspaces),
    ...duplicates("volumes", "/spec/volumes", spec.volumes),
    ...duplicates("steps", "/spec/steps", steps),
    ...(steps.length === 0 && !isExternal(content) ? missingSteps(type) : []),
    ...externalTaskFaults(content, type),
    ...actionRefFaults(spec, steps, content.document),
    ...merged.flatMap((step, index) => stepFaults(step, index, content)),
    ...merged.flatMap((step, index) => stepResultFaults(step, `/spec/steps/${index}/results`)),
    ...stepValueFaults(spec, merged, stepNamesOf(content, type)),
    ...sidecarFaults(spec, stepNamesOf(content, type)),
    ...sidecarPlaceFaults(content),
    ...sidecarsOf(spec)
      .slice(0, maxSidecars)
      .flatMap((sidecar, index) => containerFaults(sidecar, `/spec/sidecars/${index}`, content)),
    ...mountFaults(spec, merged),
    ...privilegeFaults(spec, content.name),
    ...impossible(content),
  ];
  return faults.map((fault) => atReference(fault, steps));
}

/** Members that a step gets from its StepAction are not in the document of the task, only the name of the StepAction is. */
function atReference(fault: ErrorDetail, steps: readonly Step[]): ErrorDetail {
  const [, index = "", member = "", rest = ""] = /^\/spec\/steps\/(\d+)\/(\w+)(.*)$/.exec(fault.path) ?? [];
  const step = steps[Number(index)];
  const action = step && actionOfStep(step);
  if (step === undefined || action === undefined || Object.hasOwn(step, member) || !Object.hasOwn(action, member)) return fault;
  const place = (member + rest).replaceAll("/", ".");
  return { path: `/spec/steps/${index}/ref`, message: `is the StepAction ${action.name}, whose ${place} ${fault.message}` };
}

/** Paths with references are known only before a job starts. */
function workspacePlaceFaults(workspaces: readonly { name: string; mountPath?: string }[] = []): ErrorDetail[] {
  const given = workspaces.flatMap(({ name, mountPath }, index) =>
    mountPath === undefined || mountPath.includes("$(") ? [] : [{ name, path: mountPath, at: `/spec/workspaces/${index}/mountPath` }],
  );
  const faults = given.flatMap(({ path, at }) => {
    const fault = mountPathFault(path);
    return fault === undefined ? [] : [{ path: at, message: fault }];
  });
  if (faults.length > 0) return faults;
  const conflict = findMountConflict(given.map((mount) => ({ ...mount, path: canonicalMountPath(mount.path) })));
  return conflict ? [{ path: conflict.inner.at, message: describeMountConflict(conflict) }] : [];
}

function stepNamesOf({ name, spec, annotations }: TaskContent, type: TaskType): string[] {
  return jobSteps({ name, type, spec, annotations }).map((step) => step.name);
}

/** Results of steps are files beside the results of the task. */
function stepResultFaults({ results }: Step, path: string): ErrorDetail[] {
  return [...duplicates("results", path, results), ...fileNameFaults("result", path, results)];
}

function missingSteps(type: TaskType): ErrorDetail[] {
  if (!isExecutorType(type) || type === "custom") return [];
  return [
    { path: "/spec/steps", message: `are missing; a task of type ${type} needs at least one step with a script, a command or an image` },
  ];
}

function stepFaults(step: Step, index: number, { spec }: TaskContent): ErrorDetail[] {
  const path = `/spec/steps/${index}`;
  const faults: ErrorDetail[] = [];
  if (!step.image && !step.script && !step.command?.length && !step.args?.length && !step["ref"]) {
    faults.push({ path, message: "has no script, no command and no image; there is nothing to run" });
  }
  if (step.timeout !== undefined && parseDuration(step.timeout) === undefined) {
    faults.push({ path: `${path}/timeout`, message: `is ${step.timeout}; it must be a duration such as 1h30m or 45s` });
  }
  if (step.onError !== undefined && !["continue", "stopAndFail"].includes(step.onError) && !step.onError.includes("$(")) {
    faults.push({ path: `${path}/onError`, message: `is ${step.onError}; it must be continue or stopAndFail` });
  }
  return [...faults, ...outputFaults(step, path), ...containerFaults(step, path, { spec })];
}

/** Checks for both steps and sidecars. */
function containerFaults(step: Step, path: string, { spec }: Pick<TaskContent, "spec">): ErrorDetail[] {
  const faults = envSourceFaults(step, path);
  for (const { path: member, value } of wrongQuantities(step["computeResources"])) {
    const message = `is ${JSON.stringify(value)}; it must be a quantity such as ${member.endsWith("cpu") ? "250m or 0.5" : "512Mi or 1Gi"}`;
    faults.push({ path: `${path}/computeResources/${member}`, message });
  }
  for (const [at, mount] of (step.volumeMounts ?? []).entries()) {
    if (mount.name.includes("$(") || spec.volumes?.some(({ name }) => name === mount.name)) continue;
    faults.push({ path: `${path}/volumeMounts/${at}/name`, message: `is ${mount.name}, but the task has no volume of that name` });
  }
  return faults;
}

/** Tekton `stdoutConfig` and `stderrConfig`. */
function outputFaults(step: Step, path: string): ErrorDetail[] {
  return (["stdoutConfig", "stderrConfig"] as const).flatMap((member) => {
    const config = step[member];
    if (config == null) return [];
    const { path: file, ...others } = (typeof config === "object" ? config : {}) as Record<string, unknown>;
    const [other] = Object.keys(others);
    if (other !== undefined) return [{ path: `${path}/${member}/${escapePointer(other)}`, message: "is not known here; it can be path" }];
    if (typeof file === "string" && file !== "" && file.length <= 1024) return [];
    const message = "must be the path of a file of the step, with at most 1024 characters, such as $(results.NAME.path)";
    return [{ path: `${path}/${member}/path`, message }];
  });
}

/** Only if the task itself says that it runs as a process. */
function sidecarPlaceFaults({ spec, annotations }: TaskContent): ErrorDetail[] {
  if (sidecarsOf(spec).length === 0 || annotations[`${annotationPrefix}executor`] !== "process") return [];
  const why = "can't run beside a process of the machine, which the annotation executor asks for; leave that out, or use container";
  return [{ path: "/spec/sidecars", message: why }];
}

function impossible(content: TaskContent): ErrorDetail[] {
  const never = findRunDemands(content).filter(({ isNever }) => isNever);
  return never.map(({ path, what }) => ({ path, message: `cannot be run by any executor: the task ${what}` }));
}

const flatNames: Record<string, string> = { args: "arguments", env: "envs", name: "stepName" };

/** Converts the details for a client that wrote the only step flat, and annotations where the resource has them. */
export function inFlatForm(content: TaskContent, details: readonly ErrorDetail[]): ErrorDetail[] {
  const isFlat = flattenSteps(stepsOf(content.spec, content.name), content.name) !== undefined;
  return details.map(({ path, message }) => {
    const [, member, rest = ""] = (isFlat && /^\/spec\/steps\/0\/(\w+)(\/.*)?$/.exec(path)) || [];
    if (member !== undefined) return { path: `/spec/${flatNames[member] ?? member}${rest}`, message };
    if (isFlat && path === "/spec/steps/0") return { path: "/spec", message };
    return { path: path.replace(/^\/metadata/, ""), message };
  });
}
