import type { UnknownMember } from "@millrace/contract/unknown-members.ts";

/**
 * Members that are kept although nobody reads them, and that look as if somebody was meant to: a name that is nearly one that is known, or one that
 * other products have for the same thing.
 */

/** What of other products' names is called what here. */
const aliases: Readonly<Record<string, string>> = {
  arguments: "params",
  dependsOn: "dependencies",
  depends_on: "dependencies",
  depends: "dependencies",
  inputs: "params",
  jobs: "tasks",
  needs: "dependencies",
  nodes: "tasks",
  parameters: "params",
  retries: "retry",
  runAfter: "dependencies",
  steps: "tasks",
  timeoutMinutes: "timeout",
  timeout_minutes: "timeout",
  timeoutSeconds: "timeout",
  "timeout-minutes": "timeout",
  on: "triggers",
  uses: "taskRef",
  volumes: "workspaces",
  withItems: "forEach",
  with: "params",
};

/** What is meant to have an effect and has none here, and what does. */
const remedies: Readonly<Record<string, string>> = {
  concurrency: "runs at the same time are limited by the team's quota maxConcurrentRuns, and tasks by a lock (acquirelock)",
  parallelism: "tasks run at the same time unless one depends on the other; forEach has a limit of its own (parallel)",
};

/** One of them in words; undefined: nothing says that it was meant for us. */
export function misspeltMember({ name, known }: Pick<UnknownMember, "name" | "known">): string | undefined {
  const remedy = Object.hasOwn(remedies, name) ? remedies[name] : undefined;
  if (remedy !== undefined) return `${name} is not known here and has no effect: ${remedy}`;
  const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  const meant = alias !== undefined && known.includes(alias) ? alias : nearest(name, known);
  return meant === undefined ? undefined : `${name} is not known here and has no effect; did you mean ${meant}?`;
}

const maxDistance = 2;

/** The known name with the least distance, at most 2 and at most a third of the length of the name. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const most = Math.min(maxDistance, Math.floor(name.length / 3));
  if (name.length > 100) return undefined;
  const lower = name.toLowerCase();
  const near = known
    .map((other) => ({ other, distance: distance(lower, other.toLowerCase()) }))
    .filter(({ distance: steps }) => steps <= most)
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.other;
}

/** Letters to add, leave out, replace or swap with their neighbour (optimal string alignment). */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > maxDistance) return Number.POSITIVE_INFINITY;
  let twoAbove: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(above[column]! + 1, line[column - 1]! + 1, above[column - 1]! + (isSame ? 0 : 1));
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwap) least = Math.min(least, twoAbove[column - 2]! + 1);
      line.push(least);
    }
    twoAbove = above;
    above = line;
  }
  return above[other.length]!;
}
