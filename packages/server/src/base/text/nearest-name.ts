import type { ErrorDetail } from "../error/app-error.ts";

/** Which of the known names was meant by one that is nearly the same. */

const maxDistance = 2;

/** The known name with the least distance, at most 2 and at most a third of the length of the name. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
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

/** What is said of an unknown member under `Prefer: handling=strict`. */
export function strictFault({ path, name, known }: { path: string; name: string; known: readonly string[] }): ErrorDetail {
  const meant = nearestName(name, known);
  return { path, message: meant === undefined ? "is unknown here" : `is unknown here; did you mean ${meant}?` };
}

/** Does the caller want to be refused rather than helped along? `Prefer: handling=strict` (RFC 7240). */
export function isStrict(prefer: string | undefined): boolean {
  return /(?:^|[,;\s])handling\s*=\s*"?strict"?(?:$|[,;\s])/i.test(prefer ?? "");
}
