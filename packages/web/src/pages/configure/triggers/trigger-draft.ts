import type { components } from "@millrace/client/schema.generated.ts";
import type { WorkflowProblem } from "../../../api/queries/workflow/workflow-draft.ts";
import type { Workflow } from "../../../api/queries/workflow/workflows.ts";
import { type TriggerKind, triggerKinds } from "../../../components/workflow-icon.tsx";
import { t } from "../../../texts/workflow/triggers.ts";

export type Trigger = components["schemas"]["Trigger"];
export type Condition = components["schemas"]["TriggerCondition"];

/** A trigger while it is being edited. Filters are text until they are saved. */
export interface TriggerDraft {
  enabled: boolean;
  conditions: Condition[];
  filters: string;
  requireSignature: boolean;
  reportStatus: boolean;
}

export type TriggerDrafts = Record<TriggerKind, TriggerDraft>;

export function draftsOf(triggers: Workflow["triggers"]): TriggerDrafts {
  return Object.fromEntries(triggerKinds.map((kind) => [kind, draftOf(triggers?.[kind])])) as TriggerDrafts;
}

function draftOf(trigger: Trigger | null | undefined): TriggerDraft {
  const filters = trigger?.filters ?? [];
  return {
    enabled: trigger?.enabled === true,
    conditions: trigger?.conditions ?? [],
    filters: filters.length === 0 ? "" : JSON.stringify(filters, null, 2),
    requireSignature: trigger?.requireSignature === true,
    reportStatus: trigger?.reportStatus === true,
  };
}

/** Parses the filters in a text; undefined if it is not a list. */
export function filtersOf(text: string): NonNullable<Trigger["filters"]> | undefined {
  if (text.trim() === "") return [];
  try {
    const filters: unknown = JSON.parse(text);
    return Array.isArray(filters) ? filters : undefined;
  } catch {
    return undefined;
  }
}

/** The triggers to save, each with only the members that its kind has. */
export function triggersOf(drafts: TriggerDrafts): NonNullable<Workflow["triggers"]> {
  return Object.fromEntries(triggerKinds.map((kind) => [kind, triggerOf(kind, drafts[kind])]));
}

/** The same for one kind. */
export function triggerOf(kind: TriggerKind, { enabled, conditions, filters, requireSignature, reportStatus }: TriggerDraft): Trigger {
  const trigger: Trigger = { enabled, conditions };
  if (["event", "codehost", "workflow"].includes(kind)) trigger.filters = filtersOf(filters) ?? [];
  if (kind === "webhook") trigger.requireSignature = requireSignature;
  if (kind === "codehost") trigger.reportStatus = reportStatus;
  return trigger;
}

/** An event to test the trigger with: of the type that a condition requires, with the attributes that filters name. */
export function sampleEvent({ conditions, filters }: Trigger, id: string): Record<string, unknown> {
  const wanted = conditions?.find(({ field }) => field === "$.type");
  const type = wanted?.operation === "equals" ? wanted.value : wanted?.operation === "in" ? wanted.values?.[0] : undefined;
  const attributes = Object.assign({}, ...(filters ?? []).map((filter) => filter?.exact ?? filter?.prefix ?? filter?.suffix ?? {}));
  const event = { specversion: "1.0", id, source: "/test", type: "test", ...attributes, ...(type && { type }) };
  return { ...event, data: { message: t("triggerDraft.test") } };
}

/** Something the service would reject. */
export interface TriggerProblem {
  /** JSON pointer: `/conditions/0/value`, `/filters/1/any/0/sql`. */
  path: string;
  message: string;
}

/** The problems of one kind of trigger, with paths relative to it. */
export function triggerProblems(problems: readonly WorkflowProblem[], kind: string): TriggerProblem[] {
  return problemsIn(
    problems.map(({ path = "", message }) => ({ path: path.startsWith("/") ? path : `/${path}`, message })),
    `/triggers/${kind}`,
  );
}

/** The problems at a path or below it, with paths relative to it. An index at the start of a message is replaced with "It". */
export function problemsIn(problems: readonly TriggerProblem[], place: string): TriggerProblem[] {
  return problems
    .filter(({ path }) => path === place || path.startsWith(`${place}/`))
    .map(({ path, message }) => ({ path: path.slice(place.length), message: message.replace(/^\d+ /, "It ") }));
}
