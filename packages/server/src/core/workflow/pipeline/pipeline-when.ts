import type { PipelineTask, WhenCondition } from "@millrace/contract/workflow/pipeline-definition.ts";
import type { WorkflowTask, WorkflowTaskDependency } from "@millrace/contract/workflow/workflow.ts";
import { findReferences } from "../../parameter/references.ts";
import { foreignReferences } from "./pipeline-references.ts";
import type { PipelineReport } from "./pipeline-report.ts";

/**
 * `when` becomes a switch for each expression, before the task. Tekton skips a task whose `when` is false, and continues with those
 * that only run after it, but not after one that failed. A link here holds after success, after failure, or always. So a task
 * that others run after gets two more switches. The first runs only if the task succeeded; the second only if it should have run
 * and did not succeed. Those others run unless the second did: the default link of a switch that was skipped holds.
 */
export interface GuardedTask {
  /** Switches, each with its own dependencies. */
  helpers: WorkflowTask[];
  /** What the task itself depends on. */
  dependencies: WorkflowTaskDependency[];
  /** Links to the end node that make a switch choose. */
  toEnd: WorkflowTaskDependency[];
}

/** Unique, since names of a pipeline's tasks contain no space. */
export const helperName = (task: string, what: string) => `${task} ${what}`;

export const helperAnnotation = "millrace.dev/pipeline-helper";

/** @param entry what the task would depend on without a `when` */
export function guardTask({ name, when = [] }: PipelineTask, entry: readonly WorkflowTaskDependency[]): GuardedTask {
  const guarded: GuardedTask = { helpers: [], dependencies: [], toEnd: [] };
  for (const [index, { input = "", operator, values = [] }] of when.entries()) {
    const taskRef = helperName(name, index === 0 ? "when" : `when ${index + 1}`);
    guarded.helpers.push(newSwitch(taskRef, name, input, entry));
    const chosen = conditional(taskRef, writeCondition(values));
    if (operator === "notin") guarded.toEnd.push(chosen);
    guarded.dependencies.push(operator === "notin" ? conditional(taskRef) : chosen);
  }
  return guarded;
}

/** The switches that tell whether a guarded task failed or was skipped. */
export function watchFailure(name: string, guards: readonly WorkflowTaskDependency[]): Pick<GuardedTask, "helpers" | "toEnd"> {
  const [succeeded, failed] = [helperName(name, "succeeded"), helperName(name, "failed")];
  return {
    helpers: [
      newSwitch(succeeded, name, "yes", [{ taskRef: name, executionCondition: "success" }]),
      newSwitch(failed, name, "yes", [...guards, conditional(succeeded)]),
    ],
    toEnd: [conditional(succeeded, "yes"), conditional(failed, "yes")],
  };
}

/** Holds unless the guarded task failed. */
export function unlessFailed(name: string): WorkflowTaskDependency {
  return conditional(helperName(name, "failed"));
}

function newSwitch(name: string, of: string, value: string, dependencies: readonly WorkflowTaskDependency[]): WorkflowTask {
  return {
    name,
    type: "decision",
    taskRef: "switch",
    dependencies: [...dependencies],
    params: [{ name: "value", value }],
    annotations: { [helperAnnotation]: of },
  };
}

function conditional(taskRef: string, decisionCondition?: string): WorkflowTaskDependency {
  return { taskRef, executionCondition: "always", ...(decisionCondition !== undefined && { decisionCondition }) };
}

/** One line for each value, a pattern that matches only that value. An empty text alone would be no condition. */
function writeCondition(values: readonly string[]): string {
  return values.map((value) => (value === "" ? "(?:)" : value.replaceAll(/[^\w -]/gu, escapeCharacter))).join("\n");
}

function escapeCharacter(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  return character.charCodeAt(0) < 128 ? `\\${character}` : character;
}

const maxValueLength = 200;

export function checkWhen(when: readonly WhenCondition[], path: string, report: PipelineReport): void {
  for (const [index, { cel, input, operator, values = [] }] of when.entries()) {
    const at = `${path}/${index}`;
    if (cel !== undefined) report.refuse(`${at}/cel`, "is not supported; use input, operator and values");
    else if (input === undefined || operator === undefined || values.length === 0)
      report.refuse(at, "must have input, operator (in or notin), and at least one of values");
    for (const [place, value] of values.entries()) {
      const message = whyNoValue(value);
      if (message !== undefined) report.refuse(`${at}/values/${place}`, message);
    }
  }
}

function whyNoValue(value: string): string | undefined {
  if (findReferences(value).length > 0 || foreignReferences(value).length > 0)
    return "must not have a reference; only the input can have one";
  return value.length > maxValueLength ? `has ${value.length} characters; at most ${maxValueLength} can be compared` : undefined;
}
