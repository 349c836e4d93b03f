import type { ErrorDetail } from "../error/app-error.ts";

/** Finds the known name that a slightly misspelt one was meant to be. */

const maxDistance = 2;

/** The known name with the smallest distance, at most 2 and at most a third of the length of the name. */
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

/**
 * Letters to add, remove, replace or swap with their neighbour (optimal string alignment), exact up to the largest relevant distance. A
 * thousand long names may be compared while others wait, so only the cells near the diagonal of the table are computed.
 */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > maxDistance) return Number.POSITIVE_INFINITY;
  let [twoAbove, above, line] = [[], [...Array(maxDistance + 1).keys(), Number.POSITIVE_INFINITY], []] as [number[], number[], number[]];
  for (let row = 1; row <= one.length; row++) {
    const first = Math.max(1, row - maxDistance);
    const last = Math.min(other.length, row + maxDistance);
    line[first - 1] = first === 1 ? row : Number.POSITIVE_INFINITY;
    for (let column = first; column <= last; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(above[column]! + 1, line[column - 1]! + 1, above[column - 1]! + (isSame ? 0 : 1));
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwap) least = Math.min(least, twoAbove[column - 2]! + 1);
      line[column] = least;
    }
    line[last + 1] = Number.POSITIVE_INFINITY;
    [twoAbove, above, line] = [above, line, twoAbove];
  }
  return above[other.length]!;
}

/** The fault for an unknown member under `Prefer: handling=strict`. */
export function strictFault({ path, name, known }: { path: string; name: string; known: readonly string[] }): ErrorDetail {
  const meant = nearestName(name, known);
  return { path, message: meant === undefined ? "is unknown here" : `is unknown here; did you mean ${meant}?` };
}

/** Does the caller prefer a refusal over a lenient reading? `Prefer: handling=strict` (RFC 7240). */
export function isStrict(prefer: string | undefined): boolean {
  return /(?:^|[,;\s])handling\s*=\s*"?strict"?(?:$|[,;\s])/i.test(prefer ?? "");
}
