import {
  type Trigger,
  type TriggerCondition,
  triggerKinds,
  type WorkflowTriggerKind,
  type WorkflowTriggers,
  type WorkflowTriggersInput,
} from "@millrace/contract/inbound/trigger.ts";
import { finalStatuses } from "@millrace/contract/status.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { compilePattern, PatternError } from "../../base/text/pattern.ts";
import { filterFaults } from "../event-filters/filter-faults.ts";
import { codehostFields } from "../inbound/codehost-words.ts";
import { jsonPathFault } from "../parameter/json-path.ts";

/** People can start a new workflow; all other triggers are off until a user enables them. */
const defaultTriggers = Object.fromEntries(
  triggerKinds.map((kind) => [kind, { enabled: kind === "manual", conditions: [] }]),
) as unknown as WorkflowTriggers;

/** Each given trigger replaces the members that it contains; other members do not change, or have the defaults of a new workflow. */
export function mergeTriggers(
  given: WorkflowTriggersInput | null | undefined,
  current: WorkflowTriggers = defaultTriggers,
): WorkflowTriggers {
  const merged = triggerKinds.map((kind): [WorkflowTriggerKind, Trigger] => {
    return [kind, mergeTrigger(given?.[kind] ?? {}, current[kind] ?? defaultTriggers[kind])];
  });
  return Object.fromEntries(merged) as WorkflowTriggers;
}

/** Members that not every trigger needs are stored only if they are set. */
function mergeTrigger(given: NonNullable<WorkflowTriggersInput[WorkflowTriggerKind]>, current: Trigger): Trigger {
  const filters = given.filters ?? current.filters ?? [];
  const requireSignature = given.requireSignature ?? current.requireSignature ?? false;
  const reportStatus = given.reportStatus ?? current.reportStatus ?? false;
  return {
    enabled: given.enabled ?? current.enabled,
    conditions: given.conditions ?? current.conditions,
    ...(filters.length > 0 && { filters }),
    ...(requireSignature && { requireSignature }),
    ...(reportStatus && { reportStatus }),
  };
}

/** Problems with triggers, by place. */
export function triggerFaults(triggers: WorkflowTriggers): ErrorDetail[] {
  return triggerKinds.flatMap((kind) => [
    ...triggers[kind].conditions.flatMap((condition, index) => conditionFaults(kind, condition, `/triggers/${kind}/conditions/${index}`)),
    ...filterPlaceFaults(kind, triggers[kind]),
  ]);
}

function conditionFaults(kind: WorkflowTriggerKind, condition: TriggerCondition, path: string): ErrorDetail[] {
  const fault = fieldFault(kind, condition.field);
  const fieldFaults = fault === undefined ? [] : [{ path: `${path}/field`, message: fault }];
  return [...fieldFaults, ...valueFaults(condition, path), ...(kind === "workflow" ? statusFaults(condition, path) : [])];
}

/** Only events have attributes, and only webhooks are signed with a secret of the workflow. */
function filterPlaceFaults(kind: WorkflowTriggerKind, { filters = [], requireSignature, reportStatus }: Trigger): ErrorDetail[] {
  const path = `/triggers/${kind}`;
  const hasAttributes = kind === "event" || kind === "codehost" || kind === "workflow";
  const misplaced = [
    ...(filters.length > 0 && !hasAttributes
      ? [
          {
            path: `${path}/filters`,
            message: "is supported only for event, codehost and workflow; other triggers have no attributes",
          },
        ]
      : []),
    ...(requireSignature && kind !== "webhook"
      ? [
          {
            path: `${path}/requireSignature`,
            message: "is supported only for webhook; no other trigger uses the secret of the workflow",
          },
        ]
      : []),
    ...(reportStatus && kind !== "codehost"
      ? [{ path: `${path}/reportStatus`, message: "is possible for codehost only; nothing else has a commit to report to" }]
      : []),
  ];
  return [...misplaced, ...(hasAttributes ? filterFaults(filters, `${path}/filters`) : [])];
}

/**
 * Fields that some triggers accept in addition to JSONPaths: for the codehost the subjects of its events; for another workflow's run the
 * workflow's name or id and the status in which the run ended.
 */
const wordsOf: Partial<Record<WorkflowTriggerKind, readonly string[]>> = {
  codehost: codehostFields,
  workflow: ["workflows", "statuses"],
};

function fieldFault(kind: WorkflowTriggerKind, field: string): string | undefined {
  if (wordsOf[kind]?.includes(field)) return undefined;
  return jsonPathFault(field);
}

/** Statuses in which a run can end: a condition on any other one would never hold. */
const runEnds: readonly string[] = finalStatuses.filter((status) => status !== "skipped");

function statusFaults(condition: TriggerCondition, path: string): ErrorDetail[] {
  if (condition.field !== "statuses" && condition.field !== "$.status") return [];
  return comparedTexts(condition)
    .filter(({ text }) => !runEnds.includes(text))
    .map(({ text, place }) => ({
      path: `${path}/${place}`,
      message: `is ${JSON.stringify(text.slice(0, 80))}; a run ends as one of ${runEnds.join(", ")}`,
    }));
}

/** The texts that a condition compares with literally, and their places in it; none for a pattern. */
export function comparedTexts({ operation, value, values }: TriggerCondition): { text: string; place: string }[] {
  if (operation === "in") return (values ?? []).map((text, index) => ({ text, place: `values/${index}` }));
  return operation === "equals" && typeof value === "string" ? [{ text: value, place: "value" }] : [];
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
    return [{ path: `${path}/value`, message: `is not a valid pattern: ${error.message}` }];
  }
}
