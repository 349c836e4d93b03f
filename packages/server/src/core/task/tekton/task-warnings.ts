import type { Step, TaskSpec } from "@millrace/contract/task/task.ts";
import type { UnknownMember } from "@millrace/contract/unknown-members.ts";
import type { ErrorDetail } from "../../../base/error/app-error.ts";
import { findKept } from "../../parameter/misspelt-references.ts";
import { findReferences } from "../../parameter/references.ts";
import { shortSecrets } from "../../parameter/secret-params.ts";
import { misspeltMember } from "../../workflow/misspelt-members.ts";
import { contextWarnings } from "./context-warnings.ts";
import { sidecarsOf, stepsOf } from "./flat-step.ts";
import { actionOf, actionOfStep, mergedSteps } from "./step-action/step-action.ts";

/** Something worth mentioning about a task that can still be saved. */
export interface TaskWarning extends ErrorDetail {
  /** What it is about, in words; the message continues from there. */
  subject: string;
}

/**
 * Likely mistakes in a task that can still be saved: steps that refer to parameters it does not declare, text that looks like a reference
 * but is none, and secrets that are too short to be masked. A node, or a layer around the task, may have such a parameter, so only the
 * author can tell.
 */
export function findTaskWarnings(spec: TaskSpec, taskName: string): TaskWarning[] {
  const declared = namesOf(spec);
  const programs = programsOf(spec, taskName);
  const undeclaredOnes = programs.flatMap(({ step, subject, path }) => {
    return undeclared(step, declared).map((name) => ({
      path,
      subject,
      message: `refers to the parameter ${name}, which the task does not declare`,
    }));
  });
  const kept = programs.flatMap(({ step, subject, path }) => {
    return findKept(textsOfStep(step)).map(({ text, why }) => ({
      path,
      subject,
      message: `has ${text}, which ${why}`,
    }));
  });
  const short = shortSecrets(spec.params, "/spec/params").map(({ path, name, message }) => ({
    path,
    subject: `parameter ${name}`,
    message,
  }));
  return [...undeclaredOnes, ...kept, ...short, ...ignoredContexts(spec, taskName), ...ignoredOfPods(spec, taskName)];
}

/** Members of a step, or of the step template, that Kubernetes knows but no executor supports, each with the reason. */
const ofPods: Readonly<Record<string, string>> = {
  workspaces: "every step sees all workspaces of its task",
  ports: "nothing connects to a step",
  livenessProbe: "nothing probes a step; use timeout",
  readinessProbe: "nothing probes a step",
  startupProbe: "nothing probes a step; use timeout",
  lifecycle: "nothing runs beside a step; use a step before or after it",
  terminationMessagePath: "use results",
  stdin: "steps have no input",
  stdinOnce: "steps have no input",
  tty: "steps have no terminal",
};

function ignoredOfPods({ stepTemplate, ...spec }: TaskSpec, taskName: string): TaskWarning[] {
  const places: [string, Step][] = stepsOf(spec, taskName).map((step, index) => [`steps/${index}`, step]);
  if (stepTemplate) places.push(["stepTemplate", stepTemplate as Step]);
  return places.flatMap(([place, step]) =>
    Object.keys(ofPods)
      .filter((member) => step[member] != null && step[member] !== false)
      .map((member) => {
        const subject = `${place.replace("/", ".")}.${member}`;
        return { path: `/spec/${place}/${member}`, subject, message: `has no effect: ${ofPods[member]}` };
      }),
  );
}

/** Each place once: a member of the step template would otherwise be reported for all steps. */
function ignoredContexts(spec: Partial<TaskSpec>, taskName: string): TaskWarning[] {
  const found = contextWarnings(spec, taskName).map(({ path, why }): [string, TaskWarning] => {
    const subject = path.replace(/^\/spec\//, "").replaceAll("/", ".");
    return [path, { path, subject, message: `has no effect: ${why}` }];
  });
  return [...new Map(found).values()];
}

/** The same for a StepAction, whose only step is in its spec. */
export function findActionWarnings(spec: TaskSpec, name: string): TaskWarning[] {
  const { securityContext } = actionOf(spec, name);
  const ofContext = ignoredContexts({ steps: [{ securityContext }] }, name).map((warning) => ({
    ...warning,
    path: warning.path.replace("/steps/0", ""),
    subject: warning.subject.replace("steps.0.", ""),
  }));
  return [...findTaskWarnings(spec, name), ...ofContext];
}

/** Steps and sidecars, each with its name for messages and its path. */
function programsOf(spec: TaskSpec, taskName: string): { step: Step; subject: string; path: string }[] {
  const place = (kind: "step" | "sidecar") => (step: Step, index: number) => ({
    step,
    subject: `${kind} ${step.name || index + 1}`,
    path: `/spec/${kind}s/${index}`,
  });
  return [...mergedSteps(spec, taskName).map(place("step")), ...sidecarsOf(spec).map(place("sidecar"))];
}

/** Members in the input of a task that look misspelt. */
export function misspeltInTask(unknown: readonly UnknownMember[]): TaskWarning[] {
  return unknown.flatMap((member) => {
    const message = misspeltMember(member);
    return message === undefined ? [] : [{ path: member.path, subject: member.path, message }];
  });
}

/** Parameters that the steps refer to but that the task does not declare. */
export function undeclaredParams(spec: TaskSpec, taskName: string): string[] {
  const declared = namesOf(spec);
  return [...new Set(programsOf(spec, taskName).flatMap(({ step }) => undeclared(step, declared)))];
}

function namesOf({ params }: TaskSpec): Set<string> {
  return new Set(params.map(({ name }) => name));
}

function undeclared(step: Step, declared: ReadonlySet<string>): string[] {
  const references = findReferences(textsOfStep(step));
  const names = references.flatMap((reference) => (reference.kind === "param" && reference.layer === undefined ? [reference.name] : []));
  return [...new Set(names)].filter((name) => !declared.has(name)).sort();
}

/** What references may stand in. The texts of a StepAction were examined when that was saved. */
function textsOfStep(step: Step): unknown {
  const { image, script, command, args, env, workingDir, volumeMounts, stdoutConfig, stderrConfig } = step;
  if (actionOfStep(step) !== undefined) return [step.params?.map(({ value }) => value), stdoutConfig, stderrConfig];
  const mounts = volumeMounts?.map(({ mountPath, subPath }) => [mountPath, subPath]);
  return [image, script, command, args, env?.map(({ value }) => value), workingDir, mounts, stdoutConfig, stderrConfig];
}
