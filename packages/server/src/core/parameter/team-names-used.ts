import { findReferences } from "./references.ts";

/** The parameters of the team and of the instance that the texts of a workflow may refer to; if in doubt, a parameter is included. */
export interface TeamNamesUsed {
  /** Names of parameters of the team. */
  names: ReadonlySet<string>;
  /** Names that explicitly refer to the instance. */
  globalNames: ReadonlySet<string>;
  /** Names without a layer: a parameter of the team or, if it has none, of the instance. */
  shortNames: ReadonlySet<string>;
  /** A step uses a secret whose name is known only when it runs, so it may be any of them. */
  isAny: boolean;
}

/** A secret that a name in a text may refer to. Without a layer: it belongs to the team. */
export interface NamedSecret {
  name: string;
  layer?: "team" | "global";
  /** For a secret of the instance: false if a name without a layer means a parameter of the team. */
  hasShortName?: boolean;
  /** For a secret of the instance: false if the team may not use it, so that for the team it does not exist. */
  isOpen?: boolean;
}

/** @param value contains the texts of the workflow and of its tasks, at any depth */
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

/** The secrets that are used, among those given. */
export function usedAmong<Secret extends NamedSecret>(used: TeamNamesUsed, some: readonly Secret[]): Secret[] {
  const { names, globalNames, shortNames, isAny } = used;
  return some.filter(({ name, layer, hasShortName = true, isOpen = true }) => {
    if (layer !== "global") return isAny || names.has(name);
    return isOpen && (globalNames.has(name) || (hasShortName && (isAny || shortNames.has(name))));
  });
}

/** Names of the secrets from which steps take environment variables (task/tekton/env-sources.ts). */
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
