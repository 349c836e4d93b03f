import { findReferences } from "./references.ts";

/** Which parameters of the team and of the instance a workflow may reach by what it says: more rather than fewer of them. */
export interface TeamNamesUsed {
  /** Of the team. */
  names: ReadonlySet<string>;
  /** Of the instance, said so. */
  globalNames: ReadonlySet<string>;
  /** Without saying whose it is: of the team, or else of the instance. */
  shortNames: ReadonlySet<string>;
  /** Some step takes a secret whose name is known only when it runs: it may be any. */
  isAny: boolean;
}

/** What a name in a text may mean. Without a layer: a parameter of the team. */
export interface NamedSecret {
  name: string;
  layer?: "team" | "global";
  /** Of the instance: no parameter of the team is meant by the name alone. */
  hasShortName?: boolean;
  /** Of the instance: false where the team may not use it, so that for the team it does not exist. */
  isOpen?: boolean;
}

/** @param value whatever has the texts of the workflow and of its tasks, however deep */
export function teamNamesUsed(value: unknown): TeamNamesUsed {
  const references = findReferences(value);
  const sources = secretSources(value);
  const namesOf = (layer: "team" | "global" | undefined) =>
    references.flatMap((one) => (one.kind === "param" && one.layer === layer ? [one.name] : []));
  const short = [...namesOf(undefined), ...sources];
  return {
    names: new Set([...namesOf("team"), ...short]),
    globalNames: new Set(namesOf("global")),
    shortNames: new Set(short),
    isAny: sources.some((name) => name.includes("$(")),
  };
}

/** Of these. */
export function usedAmong<Secret extends NamedSecret>(used: TeamNamesUsed, some: readonly Secret[]): Secret[] {
  const { names, globalNames, shortNames, isAny } = used;
  return some.filter(({ name, layer, hasShortName = true, isOpen = true }) => {
    if (layer !== "global") return isAny || names.has(name);
    return isOpen && (globalNames.has(name) || (hasShortName && (isAny || shortNames.has(name))));
  });
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
