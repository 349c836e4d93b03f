import { type ApplyKind, applyKinds } from "@millrace/contract/apply.ts";
import { toSlug } from "../team/slug.ts";

/** A document of a set, with what determines its order. */
export interface OrderedDocument {
  kind: ApplyKind;
  /** Equal for two documents only if they describe the same object; see `documentKey`. */
  key: string;
  /** Keys of the objects it refers to. Those that are not in the set do not matter. */
  needs: readonly string[];
}

/** Kinds that share one namespace for their names. */
const groups: Partial<Record<ApplyKind, ApplyKind>> = { StepAction: "Task", Pipeline: "Workflow", PipelineRun: "Workflow" };

/** Identifies an object by its name, which is compared in the same way as at its endpoint. */
export function documentKey(kind: ApplyKind, name: string): string {
  const group = groups[kind] ?? kind;
  if (group === "Workflow" || group === "Team") return `${group} ${toSlug(name.trim())}`;
  return `${group} ${group === "WorkflowTemplate" ? name.toLowerCase() : name.trim()}`;
}

/**
 * The order in which a set is applied, which does not depend on the order in the request: by kind, then by name, with references applied
 * before the documents that refer to them. So two sets that are applied at once acquire locks in the same order. If documents refer to each
 * other in a cycle, one of them goes first, and its own check reports what it lacks.
 */
export function orderDocuments<T extends OrderedDocument>(documents: readonly T[]): T[] {
  /** Tasks can use StepActions, so these keep a rank of their own; only pipelines take the rank of their group. */
  const rankOf = ({ kind }: T) => applyKinds.indexOf(groups[kind] === "Workflow" ? "Workflow" : kind);
  const sorted = [...documents].sort((one, other) => rankOf(one) - rankOf(other) || compare(one.key, other.key));
  const byKey = new Map(sorted.map((document) => [document.key, document]));
  const ordered = new Set<T>();
  const begun = new Set<T>();
  for (const document of sorted) visit(document);
  return [...ordered];

  /** Not recursive: a chain may be as long as the set. */
  function visit(first: T): void {
    const stack = [first];
    for (let document = stack.at(-1); document !== undefined; document = stack.at(-1)) {
      const next = begun.has(document) ? undefined : waitingFor(document);
      begun.add(document);
      if (next !== undefined && next.length > 0) stack.push(...next);
      else ordered.add(stack.pop() as T);
    }
  }

  function waitingFor({ needs }: T): T[] {
    return needs.flatMap((key) => byKey.get(key) ?? []).filter((needed) => !begun.has(needed));
  }
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
