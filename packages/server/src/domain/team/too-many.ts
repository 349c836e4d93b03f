import type { ErrorDetail } from "../../base/error/app-error.ts";

/** Each request is bounded, but many of them add up. */
export function tooMany(path: string, count: number, max: number): ErrorDetail[] {
  return count <= max ? [] : [{ path, message: `would be ${count} with those that are there; a team has at most ${max}` }];
}
