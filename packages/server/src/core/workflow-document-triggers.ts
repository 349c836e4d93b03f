import {
  type Trigger,
  type TriggerCondition,
  triggerKinds,
  type WorkflowTriggerKind,
  type WorkflowTriggers,
  type WorkflowTriggersInput,
} from "@millrace/contract/trigger.ts";
import type { ErrorDetail } from "../base/app-error.ts";
import { compilePattern, PatternError } from "../base/pattern.ts";
import { codehostFields } from "./codehost-payload.ts";
import { jsonPathFault } from "./json-path.ts";

/** A new workflow can be started by people, and by nothing else until somebody says so. */
const defaultTriggers = Object.fromEntries(
  triggerKinds.map((kind) => [kind, { enabled: kind === "manual", conditions: [] }]),
) as unknown as WorkflowTriggers;

/** Each trigger that is given replaces what it says; what it does not say stays as it is, or as a new workflow has it. */
export function mergeTriggers(
  given: WorkflowTriggersInput | null | undefined,
  current: WorkflowTriggers = defaultTriggers,
): WorkflowTriggers {
  const merged = triggerKinds.map((kind): [WorkflowTriggerKind, Trigger] => {
    const trigger = given?.[kind];
    const { enabled, conditions } = current[kind] ?? defaultTriggers[kind];
    return [kind, { enabled: trigger?.enabled ?? enabled, conditions: trigger?.conditions ?? conditions }];
  });
  return Object.fromEntries(merged) as WorkflowTriggers;
}

/** What is wrong with the conditions of triggers, by place. */
export function triggerFaults(triggers: WorkflowTriggers): ErrorDetail[] {
  return triggerKinds.flatMap((kind) =>
    triggers[kind].conditions.flatMap((condition, index) => {
      const path = `/triggers/${kind}/conditions/${index}`;
      const fault = fieldFault(kind, condition.field);
      return [...(fault === undefined ? [] : [{ path: `${path}/field`, message: fault }]), ...valueFaults(condition, path)];
    }),
  );
}

function fieldFault(kind: WorkflowTriggerKind, field: string): string | undefined {
  if (kind === "codehost" && codehostFields.some((word) => word === field)) return undefined;
  return jsonPathFault(field);
}

function valueFaults(condition: TriggerCondition, path: string): ErrorDetail[] {
  const { operation, value, values } = condition;
  if (operation === "in")
    return values?.length ? [] : [{ path: `${path}/values`, message: "is missing or empty; the operation in needs a list of texts" }];
  if (typeof value !== "string") return [{ path: `${path}/value`, message: `is missing; the operation ${operation} needs a text` }];
  return operation === "matches" ? patternFaults(value, path) : [];
}

function patternFaults(value: string, path: string): ErrorDetail[] {
  try {
    compilePattern(value);
    return [];
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return [{ path: `${path}/value`, message: `is no valid pattern: ${error.message}` }];
  }
}
