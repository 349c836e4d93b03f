import { type ApplyKind, applyKinds } from "@millrace/contract/apply.ts";
import { toSlug } from "../team/slug.ts";

/** A document of a set, as far as its order goes. */
export interface OrderedDocument {
  kind: ApplyKind;
  /** The same for two documents only if they are about the same thing; see `documentKey`. */
  key: string;
  /** Keys of what it refers to. What is not in the set does not matter. */
  needs: readonly string[];
}

/** Kinds that share their names. */
const groups: Partial<Record<ApplyKind, ApplyKind>> = { StepAction: "Task", Pipeline: "Workflow", PipelineRun: "Workflow" };

/** Identifies a thing by its name, which is compared as its endpoint compares it. */
export function documentKey(kind: ApplyKind, name: string): string {
  const group = groups[kind] ?? kind;
  if (group === "Workflow" || group === "Team") return `${group} ${toSlug(name.trim())}`;
  return `${group} ${group === "WorkflowTemplate" ? name.toLowerCase() : name.trim()}`;
}

/**
 * The order in which a set is applied, which does not depend on the order in which it is written: by kind, then by name, and what is referred
 * to comes before what refers to it. Two sets at once so lock in the same order. Of documents that refer to each other in a circle one goes
 * first; it is for its own check to say what that misses.
 */
export function orderDocuments<T extends OrderedDocument>(documents: readonly T[]): T[] {
  /** A task can use a StepAction, so only pipelines are among their group. */
  const rankOf = ({ kind }: T) => applyKinds.indexOf(groups[kind] === "Workflow" ? "Workflow" : kind);
  const sorted = [...documents].sort((one, other) => rankOf(one) - rankOf(other) || compare(one.key, other.key));
  const byKey = new Map(sorted.map((document) => [document.key, document]));
  const ordered = new Set<T>();
  const begun = new Set<T>();
  for (const document of sorted) visit(document);
  return [...ordered];

  /** Not by recursion: a chain may be as long as the set. */
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
