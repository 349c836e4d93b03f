import { findReferences } from "./references.ts";

/** Which parameters of the team a workflow may reach by what it says: more rather than fewer of them. */
export interface TeamNamesUsed {
  names: ReadonlySet<string>;
  /** Some step takes a secret whose name is known only when it runs: it may be any. */
  isAny: boolean;
}

/** @param value whatever has the texts of the workflow and of its tasks, however deep */
export function teamNamesUsed(value: unknown): TeamNamesUsed {
  const references = findReferences(value);
  const sources = secretSources(value);
  const names = references.flatMap((one) => (one.kind === "param" && (one.layer === undefined || one.layer === "team") ? [one.name] : []));
  return { names: new Set([...names, ...sources]), isAny: sources.some((name) => name.includes("$(")) };
}

/** Of these. */
export function usedAmong<Named extends { name: string }>({ names, isAny }: TeamNamesUsed, some: readonly Named[]): Named[] {
  return some.filter(({ name }) => isAny || names.has(name));
}

/** Names of what steps take into their environment (task/tekton/env-sources.ts). */
function secretSources(value: unknown): string[] {
  const names: string[] = [];
  const pending: unknown[] = [value];
  const seen = new Set<unknown>();
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    for (const [member, child] of Object.entries(next)) {
      pending.push(child);
      const name: unknown = member === "secretKeyRef" || member === "secretRef" ? (child as { name?: unknown } | null)?.name : undefined;
      if (typeof name === "string") names.push(name);
    }
  }
  return names;
}
